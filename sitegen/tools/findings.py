"""Checks glossaries and the site built from them in memory, or a built site in a folder. Writes
nothing.

A check reports mistakes that do not stop a build. `built_site` finds dead links and lost addresses
in the pages, and `suggestions` the terms that may be one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from textwrap import shorten

from sitegen.addresses import urls
from sitegen.config.toml import table
from sitegen.model import Notify, Problem, ProblemKind, SitegenError, Trouble, counted, grouped
from sitegen.permanence.archive import Archive
from sitegen.permanence.archive_file import archive_store_in, parsed_file
from sitegen.permanence.archive_lines import DamagedArchiveError
from sitegen.pipeline import assembly
from sitegen.pipeline.site_build import BuildInputs, located, read_site
from sitegen.pipeline.suggestions import Suggestion, suggestions
from sitegen.site.site import Site
from sitegen.sources.projects import Project
from sitegen.sources.reading import INCOMPLETE
from sitegen.tools.built_site import BuiltSite, dead_links, lost_addresses, site_files
from sitegen.tools.terminal import collapsed

MAX_EVIDENCE = 100
"""The maximum number of characters of a definition that are shown with a suggestion."""

TITLES: Mapping[ProblemKind, str] = {
    **dict.fromkeys(sorted(INCOMPLETE), "Sources that were not read in full"),
    **{kind: "Problems in the sources" for kind in ProblemKind if kind not in INCOMPLETE},
    ProblemKind.LINK: "Links that lead nowhere",
    ProblemKind.ADDRESS: "Published addresses that are not kept",
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
    pages: int
    links: int
    addresses: int
    """The number of published addresses."""

    @property
    def has_only_suggestions(self) -> bool:
        """True if all findings ask for a decision, and none is a mistake."""
        return all(finding.problem.kind == ProblemKind.SUGGESTION for finding in self.findings)

    def lines(self) -> Iterator[str]:
        """Yields the lines to print: the findings, grouped by kind, and a summary."""
        by_title = grouped((TITLES[one.problem.kind], one) for one in self.findings)
        for title in dict.fromkeys(TITLES.values()):
            findings = by_title.get(title, ())
            if findings:
                yield f"{title} ({len(findings):,})"
            for line in collapsed(one.problem for one in findings if not one.more):
                yield f"  {line}"
            for finding in findings:
                if finding.more:
                    yield f"  {finding.problem}"
                    yield from (f"      {line}" for line in finding.more)
        found = counted(len(self.findings), "finding") if self.findings else "nothing found"
        pages, links = counted(self.pages, "page"), counted(self.links, "link")
        yield f"{found} in {pages}, {links} and {counted(self.addresses, 'published address')}"

    def data(self) -> dict[str, object]:
        """Returns the findings and the numbers as plain data."""
        findings = [{**asdict(finding.problem), "more": finding.more} for finding in self.findings]
        return {
            "findings": findings,
            "pages": self.pages,
            "links": self.links,
            "addresses": self.addresses,
        }


def check_sources(project: Project, *, notify: Notify) -> Checked:
    """Returns the findings about the glossaries of a project, and about the site that a build would
    write.

    Raises `SitegenError` if there is no glossary, or if the build would be refused.
    """
    path = project.folder / urls.ARCHIVE
    store = archive_store_in(project.folder, preview=True)
    inputs, site = read_site(project, store, notify=notify)
    notify("Building in memory")
    files = ((file.path, file.content) for file in assembly.files(site, inputs.templates))
    built = BuiltSite(chain([(urls.ARCHIVE, b"")], files))
    notify("Checking")
    findings = [*_source_findings(site, inputs), *_lost_addresses(built, site.published, path)]
    findings += [Finding(problem=problem) for problem in dead_links(built)]
    return _checked(built, site.published, findings)


def check_built(folder: Path, *, notify: Notify) -> Checked:
    """Returns the findings about the site in a folder. Raises `SitegenError` if it has none."""
    notify("Reading")
    if not (folder / urls.path(urls.HOME)).is_file():
        raise SitegenError(f"{folder}: there is no site here; build it first, or name its folder")
    built = BuiltSite((path, _page(folder / path)) for path in site_files(folder))
    path = folder / urls.ARCHIVE
    findings = []
    archive = Archive()
    try:
        archive = parsed_file(path)
    except DamagedArchiveError as error:
        findings.append(Finding(problem=error.problem))
    notify("Checking")
    findings += _lost_addresses(built, archive, path)
    findings += [Finding(problem=problem) for problem in located(dead_links(built), folder)]
    return _checked(built, archive, findings)


def _checked(built: BuiltSite, archive: Archive, findings: Iterable[Finding]) -> Checked:
    """Returns findings with the numbers of what was checked."""
    return Checked(
        findings=tuple(findings),
        pages=len(built.pages),
        links=sum(len(page.links) for page in built.pages.values()),
        addresses=len(archive.by_address),
    )


# The site.


def _page(path: Path) -> bytes:
    """Returns the content of a page; empty for other files, of which only the names are needed."""
    try:
        return path.read_bytes() if path.suffix == ".html" else b""
    except OSError:
        return b""


def _lost_addresses(built: BuiltSite, archive: Archive, path: Path) -> Iterator[Finding]:
    """Yields the published addresses that are lost. `path` is that of the archive."""
    wanted = "sitegen build adds it, or says why it cannot"
    for found in lost_addresses(archive, built):
        yield Finding(problem=Trouble(ProblemKind.ADDRESS, found, wanted).at(str(path)))


# The sources.


def _source_findings(site: Site, inputs: BuildInputs) -> Iterator[Finding]:
    """Yields problems of reading, dangling references and suggestions."""
    for problem in inputs.located(site.problems):
        more: list[str] = []
        if problem.kind == ProblemKind.SUGGESTION:
            language, *names = problem.terms
            for pair in zip(names[::2], names[1::2], strict=True):
                more += table("[[same]]", {"language": language, "names": pair}).splitlines()
        yield Finding(problem=problem, more=tuple(more))
    config = inputs.config
    for suggestion in suggestions(site, renames=config.renames, verdicts=config.verdicts):
        yield _suggestion_finding(suggestion, inputs)


def _suggestion_finding(suggestion: Suggestion, inputs: BuildInputs) -> Finding:
    """Returns the question whether two entries are one term, with both entries and both answers."""
    before, after = suggestion.before, suggestion.after
    more = [f"score: {suggestion.score} of 100"]
    for entry in (before, after):
        text = shorten(entry.definition.text, MAX_EVIDENCE, placeholder=" …")
        place = f"{inputs.shown_path(entry.place.path)}:{entry.line}"
        more.append(f"{place}: “{entry.name}”: {text}")
    more.append("if they are one, paste into site.toml:")
    more += [f"    {line}" for line in suggestion.same.splitlines()]
    more.append("and if they are two:")
    more += [f"    {line}" for line in suggestion.distinct.splitlines()]
    found = f"“{before.name}” and “{after.name}” may be one term: {suggestion.reason}"
    trouble = Trouble(ProblemKind.SUGGESTION, found)
    problem = trouble.at(inputs.shown_path(after.place.path), line=after.line)
    return Finding(problem=problem, more=tuple(more))
