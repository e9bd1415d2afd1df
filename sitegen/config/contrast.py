"""Computes the contrast of two colours, as WCAG 2 defines it."""

from __future__ import annotations

LEAST = 4.5
"""The minimum contrast for text of normal size (WCAG 2.2, 1.4.3)."""

LIGHT, DARK = "#f5f7f9", "#191d24"
"""The background colours with the least contrast in the light and the dark theme (`tokens.css`)."""


def ratio(one: str, two: str) -> float:
    """Returns the contrast of two colours `#rrggbb`, between 1 and 21."""
    low, high = sorted((_luminance(one), _luminance(two)))
    return (high + 0.05) / (low + 0.05)


def lightened(colour: str, *, on: str = DARK, least: float = LEAST) -> str:
    """Returns the colour mixed with the least amount of white that gives it enough contrast."""
    parts = _parts(colour)
    mixed = (tuple(round(part + (255 - part) * white / 20) for part in parts) for white in range(21))
    return next(one for one in map(_written, mixed) if ratio(one, on) >= least)


def _parts(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour.removeprefix("#")))


def _written(parts: tuple[int, ...]) -> str:
    return f"#{bytes(parts).hex()}"


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(part / 255) for part in _parts(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
