"""Findings in the forms that services show beside the lines they are about: SARIF 2.1.0 and GitHub's annotations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from sitegen import __version__
from sitegen.tools.annotate.outdated import RULES, Finding

Json = dict[str, Any]

SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(findings: Iterable[Finding]) -> Json:
    """Returns findings as a SARIF log: the Static Analysis Results Interchange Format of OASIS, version 2.1.0."""
    rules = [{"id": rule, "shortDescription": {"text": text}} for rule, text in RULES.items()]
    driver = {"name": "sitegen", "version": __version__, "rules": rules}
    order = list(RULES)
    results = [_result(finding, order.index(finding.rule)) for finding in findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(finding: Finding, rule: int) -> Json:
    region = {"startLine": finding.line, "startColumn": finding.column, "endColumn": finding.column + finding.length}
    location = {"artifactLocation": {"uri": quote(finding.path)}, "region": region}
    return {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": "warning",
        "message": {"text": _message(finding)},
        "locations": [{"physicalLocation": location}],
    }


def github(findings: Iterable[Finding]) -> Iterable[str]:
    """Yields findings as workflow commands, which GitHub shows beside the lines of a pull request."""
    for finding in findings:
        place = f"file={_property(finding.path)},line={finding.line},col={finding.column}"
        yield f"::warning {place},title={_property(finding.rule)}::{_data(_message(finding))}"


def _message(finding: Finding) -> str:
    return finding.found + (f"; {finding.wanted}" if finding.wanted else "")


def _data(text: str) -> str:
    """A text in which GitHub sees no end of the command, and no other one."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
