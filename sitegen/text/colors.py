"""Colors as `#rrggbb`, and their contrast on the pages of a site."""

from __future__ import annotations

MIN_CONTRAST = 4.5
"""The minimum contrast for text of normal size (WCAG 2.2, 1.4.3)."""
LIGHT, DARK = "#f5f7f9", "#191d24"
"""The background colors with the least contrast in the light and the dark theme (`tokens.css`)."""


def lightened(color: str) -> str:
    """Returns a color that is light enough for a dark page: the given one, mixed with as little
    white as possible."""
    parts = bytes.fromhex(color.removeprefix("#"))
    for white in range(20):  # in steps of 5%
        mixed = bytes(round(part + (255 - part) * white / 20) for part in parts)
        if contrast(f"#{mixed.hex()}", DARK) >= MIN_CONTRAST:
            return f"#{mixed.hex()}"
    return "#ffffff"


def contrast(first: str, second: str) -> float:
    """Returns the contrast of two colors `#rrggbb`, between 1 and 21, as WCAG 2 defines it."""
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: str) -> float:
    """Returns the relative luminance of a color `#rrggbb`, between 0 and 1.

    WCAG 2 defines the formula and all its numbers.
    """
    luminance = 0.0
    parts = bytes.fromhex(color.removeprefix("#"))
    for part, weight in zip(parts, (0.2126, 0.7152, 0.0722), strict=True):
        share = part / 255
        linear = share / 12.92
        if share > 0.04045:
            linear = ((share + 0.055) / 1.055) ** 2.4
        luminance += weight * linear
    return luminance
