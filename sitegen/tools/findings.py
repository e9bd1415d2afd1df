"""Checks glossaries: the mistakes that do not stop a build, and the terms that may be one
(`suggestions`). Writes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from textwrap import indent, shorten

from sitegen.model import Notify, Problem, ProblemKind, Trouble, counted, grouped
from sitegen.pipeline.site_build import BuildInputs, read_site
from sitegen.pipeline.suggestions import Suggestion, suggestions
from sitegen.sources.projects import Project
from sitegen.sources.reading import INCOMPLETE
from sitegen.tools.terminal import collapsed

MAX_EVIDENCE = 100
"""The maximum number of characters of a definition that are shown with a suggestion."""

NOT_READ = "Sources that were not read in full"
MISTAKES = "Problems in the sources"
OTHER_TITLES = {
    ProblemKind.REFERENCE: "References to what is not defined",
    ProblemKind.SUGGESTION: "Perhaps one term",
}
TITLES = (NOT_READ, MISTAKES, *OTHER_TITLES.values())
"""The headings of findings, in the order in which they are printed."""


@dataclass(frozen=True, kw_only=True)
class Checked:
    """The findings, and the number of things that were checked."""

    findings: tuple[Problem, ...]
    counts: Mapping[str, int]
    """The numbers of terms, releases and changes."""

    @property
    def has_only_suggestions(self) -> bool:
        """True if all findings ask for a decision, and none is a mistake."""
        return all(finding.kind == ProblemKind.SUGGESTION for finding in self.findings)

    def lines(self) -> Iterator[str]:
        """Yields the lines to print: the findings, grouped by kind, and a summary."""
        by_title = grouped((_title(finding.kind), finding) for finding in self.findings)
        for title in TITLES:
            findings = by_title.get(title, ())
            if findings:
                yield f"{title} ({len(findings):,})"
            for line in collapsed([finding for finding in findings if not finding.details]):
                yield f"  {line}"
            for finding in findings:
                if finding.details:
                    yield f"  {finding}"
                    yield from indent(finding.details, "      ").splitlines()

        terms = counted(self.counts["terms"], "term")
        releases = counted(self.counts["releases"], "release")
        if self.findings:
            yield f"{counted(len(self.findings), 'finding')} in {terms} and {releases}"
        else:
            yield f"{terms} and {releases}, no mistake found"

    def data(self) -> dict[str, object]:
        """Returns the findings and the numbers as plain data."""
        findings = []
        for finding in self.findings:
            findings.append({**finding.data(), "more": finding.details.splitlines()})
        return {"findings": findings, **self.counts}


def _title(kind: ProblemKind) -> str:
    """Returns the heading of the findings of a kind."""
    if kind in INCOMPLETE:
        return NOT_READ
    return OTHER_TITLES.get(kind, MISTAKES)


def check(project: Project, *, notify: Notify) -> Checked:
    """Returns the findings about the glossaries of a project.

    Raises `SitegenError` if there is no glossary, or if a build would be refused.
    """
    inputs, site = read_site(project, notify=notify)
    findings = [*inputs.located(site.problems)]
    for suggestion in suggestions(site, inputs.config):
        findings.append(_suggestion_finding(suggestion, inputs))
    return Checked(findings=tuple(findings), counts=site.counts)


def _suggestion_finding(suggestion: Suggestion, inputs: BuildInputs) -> Problem:
    """Returns a problem that asks whether two entries are one term. It shows both entries, and the
    table of site.toml for either answer."""
    before, after = suggestion.before, suggestion.after
    more = [f"score: {suggestion.score} of 100"]
    for entry in (before, after):
        text = shorten(entry.definition.text, MAX_EVIDENCE, placeholder=" …")
        place = f"{inputs.shown_path(entry.place.path)}:{entry.line}"
        more.append(f"{place}: “{entry.name}”: {text}")
    more.append("if they are one, paste into site.toml:")
    more.append(indent(suggestion.same, "    ").rstrip())
    more.append("and if they are two:")
    more.append(indent(suggestion.distinct, "    ").rstrip())
    found = f"“{before.name}” and “{after.name}” may be one term: {suggestion.reason}"
    trouble = Trouble(ProblemKind.SUGGESTION, found)
    problem = trouble.at(inputs.shown_path(after.place.path), line=after.line)
    return replace(problem, details="\n".join(more))
