"""Writes the reference pages of docs/ from the code: `make reference`. A test checks that they are
current."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from inspect import cleandoc
from itertools import pairwise
from pathlib import Path

from sitegen.config.parsing import KEYS
from sitegen.model import ProblemKind

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
GENERATED = "[//]: # (Written by `make reference` from the code. Change the code, not this page.)"

INTRODUCTION = """\
# Mistakes

Every message names the place, what was found, and what to do next. A command that could do nothing
ends with status 2, and leaves everything as it was. Problems of single entries do not stop a build,
unless `--strict` is given. `--json` gives each problem a kind, which stays when its words change:"""

TYPES = (
    ("tuple\\[LinkTable.*", "list of `{ text, url }`"),
    ("Paths|NameList|TextList|IdList|OldPages|tuple", "list"),
    ("dict", "table"),
    ("bool", "boolean"),
    ("Day", "date"),
    ("", ""),
)
"""Patterns for annotations, and the kind of value that users write."""


def pages() -> dict[str, str]:
    """Returns the reference pages by file name."""
    return {"reference-site-toml.md": _site_toml(), "mistakes.md": _mistakes()}


def _site_toml() -> str:
    tree = ast.parse((ROOT / "sitegen/config/tables.py").read_text(encoding="utf-8"))
    parts = [
        "# site.toml",
        GENERATED,
        "The file is in the folder that is built. Keys are optional, except where it is said. A "
        "value is text where\nnothing else is said; a list may also be a single text. All mistakes "
        "are reported at once, each with its\nline. Patterns are those of a shell.",
    ]
    for table in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        documented = cleandoc(ast.get_docstring(table) or "")
        if not documented.startswith("["):
            continue  # a part of another table
        title, _, text = documented.partition(": ")
        text = " ".join(f"{text[0].upper()}{text[1:]}".split())
        parts += [f"## {title}", text, "\n".join(["| Key | Meaning |", "|---|---|", *_keys(table)])]
    return "\n\n".join(parts) + "\n"


def _keys(table: ast.ClassDef) -> Iterator[str]:
    for field, following in zip(table.body, [*table.body[1:], None], strict=True):
        if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
            continue
        if ast.unparse(field.annotation) == "ClassVar":
            continue
        is_described = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
        described = _cell(str(following.value.value)) if is_described else ""
        name = KEYS.get(field.target.id, field.target.id)
        annotation = ast.unparse(field.annotation)
        kind = next(
            words
            for pattern, words in TYPES
            if re.search(rf"\b(?:{pattern})\b" if pattern else "", annotation)
        )
        default = "required" if field.value is None else _default(field.value)
        facts = ", ".join(filter(None, (kind, default)))
        start = f"{facts[0].upper()}{facts[1:]}. " if facts else ""
        yield f"| `{name}` | {start}{described} |"


def _default(value: ast.expr) -> str:
    return (
        f"default `{value.value}`"
        if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value
        else ""
    )


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _mistakes() -> str:
    """Returns the page of the kinds of problems."""
    tree = ast.parse((ROOT / "sitegen/model/problems.py").read_text(encoding="utf-8"))
    [kinds] = (
        node
        for node in tree.body
        if isinstance(node, ast.ClassDef) and node.name == ProblemKind.__name__
    )
    rows = (
        f"| `{ast.literal_eval(kind.value)}` | {_cell(ast.literal_eval(text.value))} |"
        for kind, text in pairwise(kinds.body)
        if isinstance(kind, ast.Assign) and isinstance(text, ast.Expr)
    )
    table = "\n".join(["| Kind | Meaning |", "|---|---|", *rows])
    return "\n\n".join([INTRODUCTION, GENERATED, table]) + "\n"


if __name__ == "__main__":
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")
        print(f"docs/{name}", file=sys.stderr)
