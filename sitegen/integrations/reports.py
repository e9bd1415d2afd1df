"""Writes findings in documents as SARIF 2.1.0 and as GitHub's annotations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from sitegen import __version__
from sitegen.integrations.outdated import RULES, OutdatedUse

Json = dict[str, Any]

SARIF_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def sarif(findings: Iterable[OutdatedUse]) -> Json:
    """Returns findings as a SARIF log: the Static Analysis Results Interchange Format of OASIS,
    version 2.1.0."""
    rules = [{"id": rule, "shortDescription": {"text": text}} for rule, text in RULES.items()]
    driver = {"name": "sitegen", "version": __version__, "rules": rules}
    results = [_result(finding, [*RULES].index(finding.rule)) for finding in findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(finding: OutdatedUse, rule: int) -> Json:
    region = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endColumn": finding.column + finding.length,
    }
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
    """Yields findings as workflow commands, which GitHub shows beside the lines of a pull
    request."""
    for finding in findings:
        level = GITHUB_LEVELS[finding.level]
        place = finding.path, finding.line, finding.column
        yield annotation(*place, title=finding.rule, message=finding.message, level=level)


def annotation(
    path: str, line: int, column: int, *, title: str, message: str, level: str = "warning"
) -> str:
    """Returns a workflow command of GitHub, which shows a message beside a line."""
    place = f"file={_property(path)},line={line},col={column}"
    return f"::{level} {place},title={_property(title)}::{_escaped(message)}"


def _escaped(text: str) -> str:
    """Returns a text escaped for the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Returns a text escaped for a property of a workflow command, such as its file."""
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
