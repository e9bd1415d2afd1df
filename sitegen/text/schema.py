"""Validates data by the type hints of a dataclass, with `pydantic_core`.

pydantic itself does the same for more kinds of types. Importing it and preparing its models takes a
tenth of the time of a small build.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date
from enum import StrEnum
from types import MappingProxyType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from pydantic_core import SchemaValidator

PLAIN = {str: "str", bool: "bool", int: "int", date: "date"}


class After(NamedTuple):
    """In an `Annotated` type: a function that checks and converts the validated value, and may
    raise ValueError."""

    function: Callable[[Any], Any]


class Before(NamedTuple):
    """In an `Annotated` type: a function that converts the value before it is validated."""

    function: Callable[[Any], Any]


def validator(table: type, keys: Mapping[str, str] = MappingProxyType({})) -> SchemaValidator:
    """Returns the validator of a dataclass, whose fields may be dataclasses. `keys` are other names
    for fields.

    An `Annotated` type may have an `After`, a `Before`, and options of `pydantic_core`, such as
    `("min_length", 2)`.
    """
    return SchemaValidator(_schema(table, keys))


def _schema(hint: Any, keys: Mapping[str, str]) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        schema = _schema(arguments[0], keys)
        for note in arguments[1:]:
            if isinstance(note, After | Before):
                kind = f"function-{type(note).__name__.lower()}"
                schema = {
                    "type": kind,
                    "function": {"type": "no-info", "function": note.function},
                    "schema": schema,
                }
            else:
                schema = {**schema, note[0]: note[1]}
        return schema
    if origin in (Union, UnionType):
        return {"type": "nullable", "schema": _schema(arguments[0], keys)}
    if origin is tuple:
        items = [_schema(argument, keys) for argument in arguments if argument is not ...]
        return {
            "type": "tuple",
            "items_schema": items,
            **({"variadic_item_index": 0} if ... in arguments else {}),
        }
    if origin is dict:
        return {
            "type": "dict",
            "keys_schema": _schema(arguments[0], keys),
            "values_schema": _schema(arguments[1], keys),
        }
    if origin is Literal:
        return {"type": "literal", "expected": list(arguments)}
    if is_dataclass(hint):
        return _table_schema(hint, keys)
    if issubclass(hint, StrEnum):
        return {"type": "enum", "cls": hint, "members": list(hint), "sub_type": "str"}
    return {"type": PLAIN[hint]}


def _table_schema(table: Any, keys: Mapping[str, str]) -> Any:
    hints = get_type_hints(table, include_extras=True)
    items = []
    for field in fields(table):
        schema = _schema(hints[field.name], keys)
        if field.default is not MISSING:
            schema = {"type": "default", "schema": schema, "default": field.default}
        elif field.default_factory is not MISSING:
            schema = {"type": "default", "schema": schema, "default_factory": field.default_factory}
        alias = keys.get(field.name, field.name)
        items.append(
            {
                "type": "dataclass-field",
                "name": field.name,
                "schema": schema,
                "validation_alias": alias,
            }
        )
    return {
        "type": "dataclass",
        "cls": table,
        "fields": [field.name for field in fields(table)],
        "slots": True,
        "schema": {"type": "dataclass-args", "dataclass_name": table.__name__, "fields": items},
        "config": {"extra_fields_behavior": "forbid"},
    }
