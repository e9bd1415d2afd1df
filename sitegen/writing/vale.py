"""The rules on outdated names as a style for Vale, so that editors that run it know them too."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from sitegen.model import File
from sitegen.writing.outdated import Outdated, Rule

STYLE = "Glossary"
MESSAGES: Mapping[Rule, str] = {
    "deprecated": "'%s' is deprecated.",
    "renamed": "'%s' is the former name of a term.",
    "removed": "'%s' was removed from the glossary.",
}


def style(names: Iterable[Outdated]) -> Iterator[File]:
    """Yields the files of a Vale style: for each rule one that says what to use, and one for what has no successor.

    The format is Vale's (https://vale.sh/docs/checks/substitution and /existence). YAML is written as JSON, of which
    it is a superset, so that no name can be anything but a text.
    """
    names = tuple(names)
    for rule, message in MESSAGES.items():
        of_rule = [one for one in names if one.rule == rule]
        swap = {_pattern(one.name): one.instead for one in of_rule if one.instead}
        gone = [_pattern(one.name) for one in of_rule if not one.instead]
        head = {"level": "warning", "ignorecase": True}
        if swap:
            data = {"extends": "substitution", "message": f"Use '%s': {message}", **head}
            yield _file(f"{rule.title()}.yml", {**data, "swap": swap})
        if gone:
            data = {"extends": "existence", "message": message, **head}
            yield _file(f"{rule.title()}Alone.yml", {**data, "tokens": gone})


def _pattern(name: str) -> str:
    """A name as Vale's regular expressions take it literally."""
    return re.sub(r"[.^$*+?()\[\]{}|\\]", r"\\\g<0>", " ".join(name.split()))


def _file(name: str, data: Mapping[str, object]) -> File:
    text = json.dumps(data, ensure_ascii=False, indent=2)
    return File(path=f"{STYLE}/{name}", content=f"{text}\n".encode())
