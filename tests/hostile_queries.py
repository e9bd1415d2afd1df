"""Queries that must not make a search throw."""

from __future__ import annotations

HOSTILE = (
    *(
        "",
        " ",
        "-",
        "a:b",
        "foo^x",
        "~",
        "^",
        "*",
        "+a -b",
        '"',
        "'",
        "\\",
        "[",
        "(?:",
        "${x}",
        "{count}",
        "%",
    ),
    *(
        "<script>alert(1)</script>",
        "שלום",
        "😀",
        "\ud83d",
        "x" * 10_000,
        "a b " * 2_500,
        "\u202e",
        "valueOf",
    ),
)
