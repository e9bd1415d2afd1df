"""The decorator of most data types: a dataclass whose fields are given by name and do not change.

The type checker refuses a change; at run time nothing does. Methods that refuse it, and a `repr` made for each class,
double the time to define a class, and make new values slower. A small build defines a hundred classes.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def immutable(cls: type[T]) -> type[T]:
    """Makes a class such a data type, with slots if no property is cached. Equal values have the same hash."""
    own = vars(cls)
    slots = not any(isinstance(one, cached_property) for one in own.values())
    made = dataclass(slots=slots, kw_only=True, repr=False, unsafe_hash="__hash__" not in own)(cls)
    if "__repr__" not in own:
        made.__repr__ = _repr  # type: ignore[method-assign]
    return made


def _repr(value: Any) -> str:
    shown = (f"{one.name}={getattr(value, one.name)!r}" for one in fields(value) if one.repr)
    return f"{type(value).__qualname__}({', '.join(shown)})"
