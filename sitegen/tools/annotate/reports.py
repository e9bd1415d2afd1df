"""Findings as SARIF 2.1.0 and as GitHub's annotations, and the rules of `outdated` as a style for Vale."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from sitegen import __version__
from sitegen.model import File
from sitegen.site.site import Site
from sitegen.text.names import exact, fold
from sitegen.tools.annotate.outdated import RULES, Outdated, OutdatedName, OutdatedRule, good_names

Json = dict[str, Any]

SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

STYLE = "Glossary"
MESSAGES: Mapping[OutdatedRule, str] = {
    "deprecated": "'%s' is deprecated.",
    "renamed": "'%s' is the former name of a term.",
    "removed": "'%s' was removed from the glossary.",
    "merged": "'%s' became part of another term.",
}

MAX_KEY = 1000
"""YAML limits keys to 1,024 characters; guards that would exceed that are left out."""


def sarif(findings: Iterable[OutdatedName]) -> Json:
    """Returns findings as a SARIF log: the Static Analysis Results Interchange Format of OASIS, version 2.1.0."""
    rules = [{"id": rule, "shortDescription": {"text": text}} for rule, text in RULES.items()]
    driver = {"name": "sitegen", "version": __version__, "rules": rules}
    order = list(RULES)
    results = [_result(finding, order.index(finding.rule)) for finding in findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(finding: OutdatedName, rule: int) -> Json:
    region = {"startLine": finding.line, "startColumn": finding.column, "endColumn": finding.column + finding.length}
    location = {"artifactLocation": {"uri": quote(finding.path)}, "region": region}
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": "warning",
        "message": {"text": _message(finding)},
        "locations": [{"physicalLocation": location}],
    }


def github(findings: Iterable[OutdatedName]) -> Iterable[str]:
    """Yields findings as workflow commands, which GitHub shows beside the lines of a pull request."""
    for finding in findings:
        place = f"file={_property(finding.path)},line={finding.line},col={finding.column}"
        yield f"::warning {place},title={_property(finding.rule)}::{_data(_message(finding))}"


def _message(finding: OutdatedName) -> str:
    return finding.found + (f"; {finding.wanted}" if finding.wanted else "")


def _data(text: str) -> str:
    """Returns a text escaped for the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def vale_style(site: Site, names: Iterable[Outdated]) -> Iterator[File]:
    """Yields the files of a Vale style: for each rule a substitution, and an existence check for names without one.

    The format is documented at https://vale.sh/docs/checks/substitution and /existence. The YAML is written as JSON,
    which is a subset of it, so that every name is a string.
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
    """Returns the pattern by which Vale finds a name that is not part of a longer known name."""
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.I)
    longer = [one for one in known if len(one) > len(name) and fold(name) in fold(one)]
    pattern = _literal(name)
    for guard in (_unless_in(one, found.start()) for one in longer for found in word.finditer(one)):
        if len(json.dumps(guard + pattern)) <= MAX_KEY:
            pattern = guard + pattern
    return pattern


def _unless_in(name: str, place: int) -> str:
    """Returns a condition that fails where the text is at this offset of a name."""
    before = rf"(?<=(?<!\w){_literal(name[:place])})" if place else ""
    return rf"(?!{before}{_literal(name[place:])}s?(?!\w))"


def _literal(text: str) -> str:
    """Returns a text escaped for Vale's regular expressions."""
    return re.sub(r"[.^$*+?()\[\]{}|\\]", r"\\\g<0>", text)


def _file(name: str, data: Mapping[str, object]) -> File:
    text = json.dumps(data, ensure_ascii=False, indent=2)
    return File(path=f"{STYLE}/{name}", content=f"{text}\n".encode())
