"""Checks glossaries: the mistakes that do not stop a build, and the terms that may be one
(`suggestions`). Writes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from textwrap import indent, shorten

from sitegen.model import Notify, Problem, ProblemKind, Trouble, counted, grouped
from sitegen.pipeline.site_build import BuildInputs, read_site
from sitegen.pipeline.suggestions import Suggestion, suggestions
from sitegen.site.site import Site
from sitegen.sources.projects import Project
from sitegen.sources.reading import INCOMPLETE
from sitegen.tools.terminal import collapsed

MAX_EVIDENCE = 100
"""The maximum number of characters of a definition that are shown with a suggestion."""

TITLES: Mapping[ProblemKind, str] = {
    **dict.fromkeys(sorted(INCOMPLETE), "Sources that were not read in full"),
    **{kind: "Problems in the sources" for kind in ProblemKind if kind not in INCOMPLETE},
    ProblemKind.REFERENCE: "References to what is not defined",
    ProblemKind.SUGGESTION: "Perhaps one term",
}
"""The headings of findings by the kinds of their problems, in the order in which they are
printed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    problem: Problem
    more: tuple[str, ...] = ()
    """Further lines: evidence, and lines to paste."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Checked:
    """The findings, and the number of things that were checked."""

    findings: tuple[Finding, ...]
    counts: Mapping[str, int]
    """The numbers of terms, releases and changes."""

    @property
    def has_only_suggestions(self) -> bool:
        """True if all findings ask for a decision, and none is a mistake."""
        return all(finding.problem.kind == ProblemKind.SUGGESTION for finding in self.findings)

    def lines(self) -> Iterator[str]:
        """Yields the lines to print: the findings, grouped by kind, and a summary."""
        by_title = grouped((TITLES[finding.problem.kind], finding) for finding in self.findings)
        each_title_once = dict.fromkeys(TITLES.values())  # several kinds may have one title
        for title in each_title_once:
            findings = by_title.get(title, ())
            if findings:
                yield f"{title} ({len(findings):,})"
            one_line_problems = [finding.problem for finding in findings if not finding.more]
            for line in collapsed(one_line_problems):
                yield f"  {line}"
            for finding in findings:
                if finding.more:
                    yield f"  {finding.problem}"
                    yield from (f"      {line}" for line in finding.more)

        terms = counted(self.counts["terms"], "term")
        releases = counted(self.counts["releases"], "release")
        if self.findings:
            yield f"{counted(len(self.findings), 'finding')} in {terms} and {releases}"
        else:
            yield f"{terms} and {releases}, no mistake found"

    def data(self) -> dict[str, object]:
        """Returns the findings and the numbers as plain data."""
        findings = [{**finding.problem.data(), "more": finding.more} for finding in self.findings]
        return {"findings": findings, **self.counts}


def check(project: Project, *, notify: Notify) -> Checked:
    """Returns the findings about the glossaries of a project.

    Raises `SitegenError` if there is no glossary, or if a build would be refused.
    """
    inputs, site = read_site(project, notify=notify)
    return Checked(findings=tuple(_findings(site, inputs)), counts=site.counts)


def _findings(site: Site, inputs: BuildInputs) -> Iterator[Finding]:
    """Yields a finding for each problem of the site, such as a dangling reference, and for each
    suggestion."""
    for problem in inputs.located(site.problems):
        yield Finding(problem=problem, more=tuple(problem.tables.splitlines()))
    for suggestion in suggestions(site, inputs.config):
        yield _suggestion_finding(suggestion, inputs)


def _suggestion_finding(suggestion: Suggestion, inputs: BuildInputs) -> Finding:
    """Returns a finding that asks whether two entries are one term. It shows both entries, and the
    table of site.toml for either answer."""
    before, after = suggestion.before, suggestion.after
    more = [f"score: {suggestion.score} of 100"]
    for entry in (before, after):
        text = shorten(entry.definition.text, MAX_EVIDENCE, placeholder=" …")
        place = f"{inputs.shown_path(entry.place.path)}:{entry.line}"
        more.append(f"{place}: “{entry.name}”: {text}")
    more.append("if they are one, paste into site.toml:")
    more += indent(suggestion.same, "    ").splitlines()
    more.append("and if they are two:")
    more += indent(suggestion.distinct, "    ").splitlines()
    found = f"“{before.name}” and “{after.name}” may be one term: {suggestion.reason}"
    trouble = Trouble(ProblemKind.SUGGESTION, found)
    problem = trouble.at(inputs.shown_path(after.place.path), line=after.line)
    return Finding(problem=problem, more=tuple(more))
