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
from tempfile import TemporaryDirectory

import click
from mistakes import INTRODUCTION, mistakes

from sitegen.commands.main import COMMANDS, sitegen
from sitegen.config.tables import KEYS
from sitegen.model import ProblemKind

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
GENERATED = "[//]: # (Written by `make reference` from the code. Change the code, not this page.)"

KINDS = (
    "`--json` gives each problem and each finding of `sitegen check` a kind, which stays "
    "when its words change."
)

TYPES = (
    ("tuple\\[LinkTable.*", "a list of `{ text, url }`"),
    ("Paths|NameList|TextList|IdList|OldPages|tuple", "text, or a list of texts"),
    ("dict", "a table"),
    ("bool", "true or false"),
    ("Day", "a date"),
    ("Bytes", "a number"),
    ("EntryNumber", "a number"),
    ("", "text"),
)
"""Patterns for annotations, and the kind of value that users write."""


def pages() -> dict[str, str]:
    """Returns the reference pages by file name."""
    return {"reference-commands.md": _commands(), "reference-site-toml.md": _site_toml()}


def _commands() -> str:
    parts = ["# Commands", GENERATED, _paragraphs(sitegen.help or "")]
    context = click.Context(sitegen, info_name="sitegen")
    for name in COMMANDS:
        command = sitegen.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context)
        usage = command.get_usage(inner).removeprefix("Usage: ")
        parts += [f"## {name}", f"    {' '.join(usage.split())}", _paragraphs(command.help or "")]
        records = (parameter.get_help_record(inner) for parameter in command.params)
        rows = [
            f"| `{option.replace('|', ', ')}` | {_cell(text)} |"
            for option, text in filter(None, records)
            if text
        ]
        if rows:
            parts.append("\n".join(["| option | |", "|---|---|", *rows]))
    return "\n\n".join(parts) + "\n"


def _paragraphs(text: str) -> str:
    """Returns a help text in Markdown: paragraphs that are kept as they are become blocks of
    code."""
    blocks = []
    for block in cleandoc(text).split("\n\n"):
        if block.startswith("\b\n"):
            title, *lines = block.removeprefix("\b\n").splitlines()
            blocks += [title, "\n".join(f"    {line.strip()}" for line in lines)]
        else:
            blocks.append(block)
    return "\n\n".join(blocks)


def _site_toml() -> str:
    tree = ast.parse((ROOT / "sitegen/config/tables.py").read_text(encoding="utf-8"))
    parts = [
        "# site.toml",
        GENERATED,
        "The file is in the folder that is built. Keys are optional, except where the table says "
        "so. All mistakes\n"
        "are reported at once, each with its line and what would have worked. Patterns are those "
        "of a shell.",
    ]
    for table in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        documented = cleandoc(ast.get_docstring(table) or "")
        if not documented.startswith("["):
            continue  # a part of another table
        title, _, text = documented.partition(": ")
        text = f"{text[0].upper()}{text[1:]}"
        parts += [
            f"## {title}",
            text,
            "\n".join(["| key | value | |", "|---|---|---|", *_keys(table)]),
        ]
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
        yield f"| `{name}` | {kind}{f'; {default}' if default else ''} | {described} |"


def _default(value: ast.expr) -> str:
    return (
        f"default `{value.value}`"
        if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value
        else ""
    )


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def kinds_of_problems() -> str:
    """Returns the section of the page of mistakes about the kinds that `--json` gives."""
    tree = ast.parse((ROOT / "sitegen/model/__init__.py").read_text(encoding="utf-8"))
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
    return "\n".join(
        ["## Kinds of problems", "", KINDS, "", "| kind | what it means |", "|---|---|", *rows, ""]
    )


def mistakes_page() -> str:
    """Returns the page of mistakes, each of which is played for it."""
    with TemporaryDirectory() as folder:
        sections = []
        for number, mistake in enumerate(mistakes()):
            place = Path(folder, str(number))
            place.mkdir()
            sections.append(mistake.section(mistake.play(place)[1]))
    return "\n".join([INTRODUCTION, GENERATED, "", *sections, kinds_of_problems()])


if __name__ == "__main__":
    for name, text in {**pages(), "mistakes.md": mistakes_page()}.items():
        (DOCS / name).write_text(text, encoding="utf-8")
        print(f"docs/{name}", file=sys.stderr)
