"""The result of running the `sitegen` command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class CommandResult:
    status: int
    out: str
    err: str


Command = Callable[..., CommandResult]
"""Runs `sitegen` with these arguments in the current folder."""
