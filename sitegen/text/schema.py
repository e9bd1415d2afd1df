"""Validates data by the type hints of a dataclass, with `pydantic_core`.

pydantic itself does the same for more kinds of types. Importing it and preparing its models takes a
tenth of the time of a small build.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date
from enum import StrEnum
from types import MappingProxyType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from pydantic_core import SchemaValidator

PLAIN = {str: "str", bool: "bool", int: "int", date: "date"}
"""The plain types. None is converted to another: 1 is not true, and "1" is no number."""


class After(NamedTuple):
    """In an `Annotated` type: a function that checks and converts the validated value, and may
    raise ValueError."""

    function: Callable[[Any], Any]


class Before(NamedTuple):
    """In an `Annotated` type: a function that converts the value before it is validated."""

    function: Callable[[Any], Any]


class _Options(NamedTuple):
    """The arguments of `validator`."""

    keys: Mapping[str, str]
    allows_more: bool


def validator(
    table: type, keys: Mapping[str, str] = MappingProxyType({}), *, allows_more: bool = False
) -> SchemaValidator:
    """Returns the validator of a dataclass. Its fields may be dataclasses too. A field that is not
    compared is set by the program, and has no key.

    `keys` has the keys of fields that are called otherwise in the data. An `Annotated` type may
    have an `After`, a `Before`, and options of `pydantic_core`, such as `("min_length", 2)`. With
    `allows_more`, unknown keys are ignored; else they are errors.
    """
    return SchemaValidator(_schema(table, _Options(keys, allows_more)))


def _schema(hint: Any, options: _Options) -> Any:
    """Returns the schema of a type for `pydantic_core`: `{"type": "int", "strict": True}` for
    `int`."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        described, *notes = arguments
        return _annotated(_schema(described, options), notes)

    # `str | None`: all unions are of a type and None.
    if origin in (Union, UnionType):
        return {"type": "nullable", "schema": _schema(arguments[0], options)}

    # `tuple[str, int]`, or `tuple[str, ...]`, whose first item may be repeated.
    if origin is tuple:
        types = [argument for argument in arguments if argument is not ...]
        items = [_schema(argument, options) for argument in types]
        schema: dict[str, Any] = {"type": "tuple", "items_schema": items}
        if ... in arguments:
            schema["variadic_item_index"] = 0
        return schema

    if origin is dict:
        keys, values = [_schema(argument, options) for argument in arguments]
        return {"type": "dict", "keys_schema": keys, "values_schema": values}
    if origin is Literal:
        return {"type": "literal", "expected": list(arguments)}
    if is_dataclass(hint):
        return _table_schema(hint, options)
    if issubclass(hint, StrEnum):
        return {"type": "enum", "cls": hint, "members": list(hint), "sub_type": "str"}
    return {"type": PLAIN[hint], "strict": True}


def _annotated(schema: Any, notes: Iterable[Any]) -> Any:
    """Returns the schema of a type with the options and functions of its notes. The notes of
    `Annotated[str, ("min_length", 2), After(check)]` are an option and a function."""
    for note in notes:
        if isinstance(note, After | Before):
            function = {"type": "no-info", "function": note.function}
            kind = f"function-{type(note).__name__.lower()}"
            schema = {"type": kind, "function": function, "schema": schema}
        else:
            option, value = note
            schema = {**schema, option: value}
    return schema


def _table_schema(table: Any, options: _Options) -> Any:
    """Returns the schema of a dataclass: its fields with their schemas, defaults and keys."""
    hints = get_type_hints(table, include_extras=True)
    names = []
    items = []
    for field in fields(table):
        if not field.compare:
            continue  # the program sets it, and no key
        schema = _schema(hints[field.name], options)
        if field.default is not MISSING:
            schema = {"type": "default", "schema": schema, "default": field.default}
        elif field.default_factory is not MISSING:
            schema = {"type": "default", "schema": schema, "default_factory": field.default_factory}
        names.append(field.name)
        items.append(
            {
                "type": "dataclass-field",
                "name": field.name,
                "schema": schema,
                "validation_alias": options.keys.get(field.name, field.name),
            }
        )
    return {
        "type": "dataclass",
        "cls": table,
        "fields": names,
        "post_init": hasattr(table, "__post_init__"),
        "schema": {"type": "dataclass-args", "dataclass_name": table.__name__, "fields": items},
        "config": {"extra_fields_behavior": "ignore" if options.allows_more else "forbid"},
    }
