"""Writes findings in documents as SARIF 2.1.0 and as GitHub's annotations, and outdated names as a Vale style."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from sitegen import __version__
from sitegen.integrations.outdated import RULES, OutdatedName, OutdatedRule, OutdatedUse, good_names
from sitegen.integrations.published_terms import PublishedTerms
from sitegen.model import File
from sitegen.text.names import exact, fold

Json = dict[str, Any]

SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

STYLE = "Glossary"
MESSAGES: Mapping[OutdatedRule, str] = {
    "deprecated": "'%s' is deprecated.",
    "renamed": "'%s' is the former name of a term.",
    "removed": "'%s' was removed from the glossary.",
    "merged": "'%s' became part of another term.",
}
VALE_FILES = tuple(f"{STYLE}/{rule.title()}{ending}.yml" for rule in MESSAGES for ending in ("", "Alone"))
"""The paths of all files that a Vale style may have."""

MAX_KEY = 1000
"""YAML limits keys to 1,024 characters; guards that would exceed that are left out."""


def sarif(findings: Iterable[OutdatedUse]) -> Json:
    """Returns findings as a SARIF log: the Static Analysis Results Interchange Format of OASIS, version 2.1.0."""
    rules = [{"id": rule, "shortDescription": {"text": text}} for rule, text in RULES.items()]
    driver = {"name": "sitegen", "version": __version__, "rules": rules}
    results = [_result(finding, [*RULES].index(finding.rule)) for finding in findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(finding: OutdatedUse, rule: int) -> Json:
    region = {"startLine": finding.line, "startColumn": finding.column, "endColumn": finding.column + finding.length}
    location = {"artifactLocation": {"uri": quote(finding.path)}, "region": region}
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": finding.level,
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": location}],
    }


GITHUB_LEVELS = {"warning": "warning", "note": "notice"}


def github(findings: Iterable[OutdatedUse]) -> Iterable[str]:
    """Yields findings as workflow commands, which GitHub shows beside the lines of a pull request."""
    for finding in findings:
        level = GITHUB_LEVELS[finding.level]
        place = finding.path, finding.line, finding.column
        yield annotation(*place, title=finding.rule, message=finding.message, level=level)


def annotation(path: str, line: int, column: int, *, title: str, message: str, level: str = "warning") -> str:
    """Returns a workflow command of GitHub, which shows a message beside a line."""
    place = f"file={_property(path)},line={line},col={column}"
    return f"::{level} {place},title={_property(title)}::{_escaped(message)}"


def _escaped(text: str) -> str:
    """Returns a text escaped for the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Returns a text escaped for a property of a workflow command, such as its file."""
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def vale_style(glossary: PublishedTerms, names: Iterable[OutdatedName]) -> Iterator[File]:
    """Yields the files of a Vale style: for each rule a substitution, and an existence check for names without one.

    The format is documented at https://vale.sh/docs/checks/substitution and /existence. The YAML is written as JSON,
    which is a subset of it, so that every name is a string.
    """
    names = tuple(names)
    all_names = {fold(name): exact(name) for name in (*good_names(glossary), *(one.name for one in names))}.values()
    for rule, message in MESSAGES.items():
        of_rule = [one for one in names if one.rule == rule]
        swap = {_pattern(exact(one.name), all_names): one.instead for one in of_rule if one.instead}
        tokens = [_pattern(exact(one.name), all_names) for one in of_rule if not one.instead]
        head = {"level": "warning", "ignorecase": True}
        if swap:
            data = {"extends": "substitution", "message": f"Use '%s': {message}", **head}
            yield _file(f"{rule.title()}.yml", {**data, "swap": swap})
        if tokens:
            data = {"extends": "existence", "message": message, **head}
            yield _file(f"{rule.title()}Alone.yml", {**data, "tokens": tokens})


def _pattern(name: str, all_names: Collection[str]) -> str:
    """Returns the pattern by which Vale finds a name that is not part of a longer known name."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.I)
    longer = [one for one in all_names if len(one) > len(name) and fold(name) in fold(one)]
    pattern = _literal(name)
    for guard in (_unless_in(one, match.start()) for one in longer for match in word.finditer(one)):
        if len(json.dumps(guard + pattern)) <= MAX_KEY:
            pattern = guard + pattern
    return pattern


def _unless_in(name: str, offset: int) -> str:
    """Returns a condition that fails where the text is at this offset of a name."""
    preceding = rf"(?<=(?<!\w){_literal(name[:offset])})" if offset else ""
    return rf"(?!{preceding}{_literal(name[offset:])}s?(?!\w))"


def _literal(text: str) -> str:
    """Returns a text escaped for Vale's regular expressions."""
    return re.sub(r"[.^$*+?()\[\]{}|\\]", r"\\\g<0>", text)


def _file(name: str, data: Mapping[str, object]) -> File:
    text = json.dumps(data, ensure_ascii=False, indent=2)
    return File(path=f"{STYLE}/{name}", content=f"{text}\n".encode())
