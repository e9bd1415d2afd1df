"""Publishes histories of glossaries in memory, and checks after each build what must hold for all
that was published before (the invariants of `docs/addresses.md`)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import pytest
from sites import pages_of, templates

from sitegen.addresses import urls
from sitegen.config.parsing import Config
from sitegen.config.tables import Continues
from sitegen.model import Entry
from sitegen.permanence.archive import Archive, lost
from sitegen.permanence.archive_lines import dump, parse
from sitegen.permanence.continuity import ContinuityError
from sitegen.pipeline.assembly import assemble, files, next_archive
from sitegen.site.page_addresses import published_paths
from sitegen.site.site import Site
from sitegen.sources.reading import Glossaries


class Link(NamedTuple):
    """A link that somebody has kept: a page of a term, and the id of a release on it."""

    address: str
    id: str = ""


@dataclass(slots=True)
class Publication:
    """What was published, and the words that its links showed."""

    archive: Archive = field(default_factory=Archive)
    links: dict[Link, str] = field(default_factory=dict)
    """Links to closed releases, to the words that they showed when they were published."""
    refuses: bool = False
    """True if releases that do not continue those before them are refused."""

    def build(self, config: Config, glossaries: Glossaries, *, when: str) -> Site:
        """Publishes a site, and checks it and its archive. Unless this `refuses`, a release that does
        not continue the one before it is accepted with the table that the message shows."""
        try:
            return self._build(config, glossaries, when=when)
        except ContinuityError:
            if self.refuses:
                raise
        return self._build(self._accepted(config, glossaries), glossaries, when=when)

    def _accepted(self, config: Config, glossaries: Glossaries) -> Config:
        with pytest.raises(ContinuityError) as refused:
            assemble(config, glossaries, self.archive)
        _, _, table = str(refused.value).partition("\n")
        (values,) = tomllib.loads(table)["continues"]
        accepted = Continues(line=0, **values)
        return replace(config, continues=(*config.continues, accepted))

    def _build(self, config: Config, glossaries: Glossaries, *, when: str) -> Site:
        site = assemble(config, glossaries, self.archive)
        following = next_archive(site)
        assert [*lost(following, self.archive)] == [], when
        assert parse(dump(following), "archive.jsonl") == following, when
        again = next_archive(assemble(config, glossaries, following))
        assert dump(again) == dump(following), f"{when}: a second build changes the archive"
        paths = {urls.path(address) for address in pages_of(site)}
        promised = {path for path in published_paths(following) if path.endswith(".html")}
        assert promised <= paths, f"{when}: {sorted(promised - paths)[:5]} are no pages"
        assert [*repeated(site)] == [], when
        complaints = [one for link in self.links for one in self._complaints(link, site)]
        assert complaints == [], f"{when}: {complaints[:5]} of {len(complaints)}"
        self.archive = following
        self.links.update(links(site, following))
        return site

    def _complaints(self, link: Link, site: Site) -> Iterator[str]:
        now = {*words_at(link, site)}
        if self.links[link] not in now:
            yield f"{link.address}#{link.id} showed {self.links[link]!r}, and shows {now}"


def links(site: Site, archive: Archive) -> Mapping[Link, str]:
    """Returns the links to closed releases of a site, with the words that they show."""
    found = {}
    closed = set()
    for at, states in archive.states.items():
        if states[0].is_closed:
            closed.add((archive.present_id(at[0]), at[1]))
    for slug, key in site.permanence.owners.items():
        for at, id in site.permanence.ids[slug].items():
            entry = site.by_key[key].term.course(at[0]).at(at[1])
            # What another page shows now has the published id; another one is not published.
            if entry and at in closed and not id.endswith("~2"):
                found[Link(f"/{urls.term(slug)}", id)] = entry.definition.text
    for one in site.permanence.frozen:
        if (one.entry.place.source, one.entry.place.release) in closed:
            found[Link(one.address)] = one.entry.definition.text
    return found


def words_at(link: Link, site: Site) -> Iterator[str]:
    """Yields the words that a link shows, or to which one more link leads."""
    permanence = site.permanence
    for page in permanence.kept:
        if page.address == link.address:
            assert not link.id or link.id in page.ids, link
            yield from (entry.definition.text for entry in page.wordings)
    yield from (
        one.entry.definition.text for one in permanence.frozen if one.address == link.address
    )
    slug = urls.slug_in(link.address)
    if link.id and (key := permanence.owners.get(slug)):
        at = [one for one, id in permanence.ids[slug].items() if id == link.id]
        entries = [site.by_key[key].term.course(source).at(release) for source, release in at]
        for moved in permanence.moved.get(slug, ()):
            if moved.id == link.id and moved.key:
                entries += site.by_key[moved.key].term.course(moved.source).entries
            elif moved.id == link.id:
                yield from words_at(Link(moved.address), site)
        if link.id in permanence.kept_ids.get(slug, ()):
            entries += [one for course in site.by_key[key].term.courses for one in course.entries]
        yield from (entry.definition.text for entry in entries if entry)


def repeated(site: Site) -> Iterator[str]:
    """Yields the entries of a release that two terms have."""
    owners: dict[tuple[str, str, str, int], str] = {}
    for life in site.lives:
        for course in life.term.courses:
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
    for slug, key in site.permanence.owners.items():
        courses = site.by_key[key].term.courses
        entries = [
            (release, course.at(release)) for course in courses for release in course.releases
        ]
        words[f"/{urls.term(slug)}"] = [_said(*one) for one in entries]
    for frozen in site.permanence.frozen:
        words[frozen.address] = [_said(frozen.entry.place.release, frozen.entry)]
    for kept in site.permanence.kept:
        words[kept.address] = [_said(one.place.release, one) for one in kept.wordings]
    return words


def _said(release: str, entry: Entry | None) -> str:
    if entry is None:
        return f"{release}: nothing"
    names = ", ".join(name.text for name in entry.designations)
    return f"{release}: {names}: {entry.definition.text}"


def contents(site: Site) -> Mapping[str, bytes]:
    """Returns the content of each file of a site, by its path."""
    return {file.path: file.content for file in files(site, templates())}
