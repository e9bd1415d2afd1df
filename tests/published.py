"""Publishes histories of glossaries in memory, and checks after each build what must hold for all
that was published before (the invariants of `docs/addresses.md`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import pytest
from histories import World
from history_files import read, write
from sites import files_of, templates

from sitegen.addresses import urls
from sitegen.config.parsing import Config
from sitegen.config.tables import Continues
from sitegen.model import Entry, Source
from sitegen.permanence.archive import Archive
from sitegen.permanence.archive_lines import dump, parse
from sitegen.permanence.archive_union import lost
from sitegen.permanence.continuity import ContinuityError
from sitegen.pipeline import one_language
from sitegen.pipeline.assembly import assemble, next_archive, parts, published_paths
from sitegen.site.site import Site
from sitegen.sources.parsed_sources import parsed
from sitegen.sources.reading import Glossaries

MARK = re.compile(r"mark[a-z]+")
"""Matches the word by which a concept is known."""


class Link(NamedTuple):
    """A link that somebody has kept: a page of a term, and the id of a release on it."""

    address: str
    id: str = ""


@dataclass
class Publication:
    """What was published, and the words that its links showed."""

    folder: Path
    """Where the sources are written before they are read."""
    archive: Archive = field(default_factory=Archive)
    links: dict[Link, str] = field(default_factory=dict)
    """Links to closed releases, to the words that they showed when they were published."""
    refuses: bool = False
    """True if releases that do not continue those before them are refused."""
    reader: Callable[[Source], Source] = parsed
    """Parses a source, as this or another version of sitegen does."""
    is_misread: bool = False
    """True if another version has published words, so that links are known by their concepts."""

    def build(self, world: World, *, when: str) -> Site:
        """Publishes a site, and checks it and its archive. Unless this `refuses`, a release that does
        not continue the one before it is accepted with the table that the message shows."""
        site = self.site(world)
        following = next_archive(site)
        assert [*lost(following, self.archive)] == [], when
        assert parse(dump(following), "archive.jsonl") == following, when
        again = next_archive(replace(self, archive=following).assembled(world))
        assert dump(again) == dump(following), f"{when}: a second build changes the archive"
        beginnings = tuple(path for part in parts(site, templates()) for path in part.prefixes)
        missing = [one for one in published_paths(following) if not one.startswith(beginnings)]
        assert missing == [], f"{when}: no part of the site has {missing[:5]}"
        assert [*repeated(site)] == [], when
        complaints = [one for link in self.links for one in self._complaints(link, site)]
        assert complaints == [], f"{when}: {complaints[:5]} of {len(complaints)}"
        self.archive = following
        self.links.update(links(site, following))
        return site

    def site(self, world: World) -> Site:
        """Writes the files of a world, and returns the next site."""
        write(world, self.folder)
        return self.assembled(world)

    def assembled(self, world: World) -> Site:
        """Returns the site of a world that was written, as the version of sitegen with this reader
        makes it."""
        config, glossaries = read(world, self.folder, self.archive)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(one_language, "parsed", self.reader)
            while True:
                try:
                    return assemble(config, glossaries, self.archive)
                except ContinuityError as error:
                    if self.refuses:
                        raise
                    config = replace(config, continues=(*config.continues, _pasted(error)))

    def read(self, world: World) -> tuple[Config, Glossaries]:
        """Writes the files of a world, and returns what a build reads."""
        write(world, self.folder)
        return read(world, self.folder, self.archive)

    def check_second_build(self, world: World, site: Site, *, when: str) -> None:
        """Checks that `site`, which was just built, has all published files, and that a second build
        makes the same ones."""
        before, again = contents(site), contents(self.site(world))
        missing = {*published_paths(self.archive)} - before.keys()
        assert missing == set(), f"{when}: {sorted(missing)[:5]} are no files"
        paths = sorted({*before, *again})
        changed = [path for path in paths if before.get(path) != again.get(path)]
        assert changed == [], f"{when}: a second build changes files"

    def forget(self, mark: str) -> None:
        """Forgets the links to words with a mark, which are about to be taken back."""
        self.links = {link: words for link, words in self.links.items() if mark not in words}

    def _complaints(self, link: Link, site: Site) -> Iterator[str]:
        now = {*words_at(link, site)}
        if self._known(self.links[link]) not in map(self._known, now):
            yield f"{link.address}#{link.id} showed {self.links[link]!r}, and shows {now}"

    def _known(self, words: str) -> str:
        """Returns the part of a link's words that no version of sitegen may change."""
        return " ".join(MARK.findall(words)) if self.is_misread else words


def _pasted(error: ContinuityError) -> Continues:
    """Returns the table that a message shows; raises the error if it shows none."""
    _, _, table = str(error).partition("\n")
    if not table:
        raise error
    (values,) = tomllib.loads(table)["continues"]
    return Continues(line=0, **values)


def links(site: Site, archive: Archive) -> Mapping[Link, str]:
    """Returns the links to closed releases of a site, with the words that they show."""
    found = {}
    closed = set()
    for at, states in archive.editions_of.items():
        if states[0].is_closed:
            closed.add((archive.present_id(at[0]), at[1]))
    for slug, page in site.addresses.pages.items():
        for at, id in page.ids.items():
            entry = site.by_key[page.key].course(at[0]).at(at[1])
            # What another page shows now has the published id; another one is not published.
            if entry and at in closed and not id.endswith("~2"):
                found[Link(urls.term(slug), id)] = entry.definition.text
    for one in site.addresses.frozen:
        if (one.entry.place.source, one.entry.place.release) in closed:
            found[Link(one.address)] = one.entry.definition.text
    return found


def words_at(link: Link, site: Site) -> Iterator[str]:
    """Yields the words that a link shows, or to which one more link leads."""
    addresses = site.addresses
    for kept in site.kept:
        if kept.address == link.address:
            assert not link.id or link.id in kept.ids, link
            yield from (entry.definition.text for entry in kept.wordings)
    yield from (
        one.entry.definition.text for one in addresses.frozen if one.address == link.address
    )
    slug = urls.slug_in(link.address)
    if link.id and (page := addresses.pages.get(slug)):
        at = [one for one, id in page.ids.items() if id == link.id]
        entries = [site.by_key[page.key].course(source).at(release) for source, release in at]
        for moved in page.moved:
            if moved.published.id == link.id and moved.key:
                entries += site.by_key[moved.key].course(moved.published.source).entries
            elif moved.published.id == link.id:
                yield from words_at(Link(moved.address), site)
        if link.id in page.kept_ids:
            entries += [one for course in site.by_key[page.key].courses for one in course.entries]
        yield from (entry.definition.text for entry in entries if entry)


def repeated(site: Site) -> Iterator[str]:
    """Yields the entries of a release that two terms have."""
    owners: dict[tuple[str, str, str, int], str] = {}
    for life in site.lives:
        for course in life.courses:
            for entry in course.entries:
                if entry:
                    place = entry.place
                    name = (place.source, place.release, f"{place.name} {entry.name}", id(entry))
                    if owners.setdefault(name, life.key) != life.key:
                        yield f"{name}: {owners[name]} and {life.key}"


def words_of_pages(site: Site) -> Mapping[str, list[str]]:
    """Returns the published words on the pages of terms and wordings, by address: of each release
    its names and definition."""
    words: dict[str, list[str]] = {}
    for slug, page in site.addresses.pages.items():
        courses = site.by_key[page.key].courses
        entries = [
            (release, course.at(release)) for course in courses for release in course.releases
        ]
        words[urls.term(slug)] = [_said(*one) for one in entries]
    for frozen in site.addresses.frozen:
        words[frozen.address] = [_said(frozen.entry.place.release, frozen.entry)]
    for kept in site.kept:
        words[kept.address] = [_said(one.place.release, one) for one in kept.wordings]
    return words


def _said(release: str, entry: Entry | None) -> str:
    if entry is None:
        return f"{release}: nothing"
    names = ", ".join(name.text for name in entry.designations)
    return f"{release}: {names}: {entry.definition.text}"


def contents(site: Site) -> Mapping[str, bytes]:
    """Returns the content of each file of a site, by its path."""
    return {file.path: file.content for file in files_of(site, templates())}
