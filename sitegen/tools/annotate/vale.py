"""The rules on outdated names as a style for Vale, so that editors that run it know them too."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from sitegen.model import File
from sitegen.site.site import Site
from sitegen.text.names import exact, fold
from sitegen.tools.annotate.outdated import Outdated, Rule, good_names

STYLE = "Glossary"
MESSAGES: Mapping[Rule, str] = {
    "deprecated": "'%s' is deprecated.",
    "renamed": "'%s' is the former name of a term.",
    "removed": "'%s' was removed from the glossary.",
}

MAX_KEY = 1000
"""YAML reads keys of up to 1,024 characters; further longer names go unheeded."""


def style(site: Site, names: Iterable[Outdated]) -> Iterator[File]:
    """Yields the files of a Vale style: for each rule one that says what to use, and one for what has no successor.

    The format is Vale's (https://vale.sh/docs/checks/substitution and /existence). YAML is written as JSON, of which
    it is a superset, so that no name can be anything but a text.
    """
    names = tuple(names)
    known = {fold(name): exact(name) for name in (*good_names(site), *(one.name for one in names))}.values()
    for rule, message in MESSAGES.items():
        of_rule = [one for one in names if one.rule == rule]
        swap = {_pattern(exact(one.name), known): one.instead for one in of_rule if one.instead}
        gone = [_pattern(exact(one.name), known) for one in of_rule if not one.instead]
        head = {"level": "warning", "ignorecase": True}
        if swap:
            data = {"extends": "substitution", "message": f"Use '%s': {message}", **head}
            yield _file(f"{rule.title()}.yml", {**data, "swap": swap})
        if gone:
            data = {"extends": "existence", "message": message, **head}
            yield _file(f"{rule.title()}Alone.yml", {**data, "tokens": gone})


def _pattern(name: str, known: Collection[str]) -> str:
    """What Vale finds a name by: the name, unless there it is part of a longer one."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.I)
    longer = [one for one in known if len(one) > len(name) and fold(name) in fold(one)]
    pattern = _literal(name)
    for guard in (_unless_in(one, found.start()) for one in longer for found in word.finditer(one)):
        if len(json.dumps(guard + pattern)) <= MAX_KEY:
            pattern = guard + pattern
    return pattern


def _unless_in(name: str, place: int) -> str:
    """A condition that fails at this place of a name."""
    before = rf"(?<=(?<!\w){_literal(name[:place])})" if place else ""
    return rf"(?!{before}{_literal(name[place:])}s?(?!\w))"


def _literal(text: str) -> str:
    """A text as Vale's regular expressions take it literally."""
    return re.sub(r"[.^$*+?()\[\]{}|\\]", r"\\\g<0>", text)


def _file(name: str, data: Mapping[str, object]) -> File:
    text = json.dumps(data, ensure_ascii=False, indent=2)
    return File(path=f"{STYLE}/{name}", content=f"{text}\n".encode())
