"""What was published stays, whatever happens to a glossary, its releases and its site.toml."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from functools import partial
from random import Random

import pytest
from histories import ACCIDENTS, fork, merge, worlds
from published import Publication, contents, words_of_pages
from soaking import seeds

from sitegen.model import Entry, Source
from sitegen.model.terms import Change
from sitegen.permanence.archive import Archive, lost, united
from sitegen.permanence.archive_lines import dump
from sitegen.pipeline import assembly
from sitegen.pipeline.assembly import assemble, next_archive
from sitegen.site.site import Site
from sitegen.sources.parsed_sources import parsed
from sitegen.sources.reading import Glossaries
from sitegen.text.prose import from_html

pytestmark = pytest.mark.soak

RELEASES = 8


# In history 51145, one of two terms with one name is renamed.
@pytest.mark.parametrize("seed", [*seeds(test=10, soak=150), 51145])
def test_no_published_word_is_lost(seed: int) -> None:
    """After renames, removals, merges, returns and withdrawals, every published link shows its
    words."""
    publication = Publication()
    for number, world in enumerate(worlds(seed, releases=RELEASES), start=1):
        publication.build(*world.inputs(), when=f"history {seed}, release {number}")


@pytest.mark.parametrize("seed", seeds(test=10, soak=150))
def test_no_accident_stops_a_build_or_loses_a_word(seed: int) -> None:
    """After edits, deletions and other accidents, a site is built, and every published link shows
    its words."""
    random, publication = Random(seed), Publication()
    for number, world in enumerate(worlds(seed, releases=RELEASES), start=1):
        when = f"history {seed}, release {number}"
        if number > 2 and random.random() < 0.6:
            accident = random.choice(ACCIDENTS)
            when += f", {accident.__name__}"
            accident(world)
        publication.build(*world.inputs(), when=when)


@pytest.mark.parametrize("seed", seeds(test=6, soak=150))
def test_the_archive_has_all_words(seed: int) -> None:
    """A build without the sources, from the archive alone, has the same words on the same pages."""
    publication = Publication()
    for number, world in enumerate(worlds(seed, releases=RELEASES), start=1):
        when = f"history {seed}, release {number}"
        config, glossaries = world.inputs()
        before = words_of_pages(publication.build(config, glossaries, when=when))
        gone = [replace(source, releases=()) for source in glossaries.sources]
        site = assemble(config, Glossaries(sources=tuple(gone)), publication.archive)
        assert words_of_pages(site) == before, when
        assert dump(next_archive(site)) == dump(publication.archive), when


@pytest.mark.parametrize("seed", seeds(test=6, soak=100))
@pytest.mark.parametrize("reader", ["drops words", "loses an entry"])
def test_another_reader_changes_no_history(seed: int, reader: str) -> None:
    """After a version of sitegen that drops words or loses an entry, the history is that of the
    words that are read now, and every address stays."""
    publication = Publication()
    for number, world in enumerate(worlds(seed, releases=6), start=1):
        when = f"history {seed}, release {number}"
        config, glossaries = world.inputs()
        if number < 5:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(assembly, "parsed", partial(_misread, reader=reader))
                site = assemble(config, glossaries, publication.archive)
            publication.archive = next_archive(site)
            continue
        site = publication.build(config, glossaries, when=when)
        anew = assemble(config, glossaries, Archive())
        assert _changes(site) == _changes(anew), when


@pytest.mark.parametrize("seed", seeds(test=6, soak=100))
def test_a_reader_that_loses_an_entry_removes_nothing(seed: int) -> None:
    """A version of sitegen that no longer sees an entry in the same bytes says that it is unknown
    there, and not that it was removed; every address stays, and a second build adds no line."""
    publication = Publication()
    for number, world in enumerate(worlds(seed, releases=6), start=1):
        site = publication.build(*world.inputs(), when=f"history {seed}, release {number}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assembly, "parsed", partial(_misread, reader="loses an entry"))
        faulty = assemble(*world.inputs(), publication.archive)
        following = next_archive(faulty)
        assert dump(next_archive(assemble(*world.inputs(), following))) == dump(following)
    published = set()
    for source in site.sources:
        for release in source.releases:
            published.update(_entry_at(release.name, entry) for entry in release.entries)
    removals = [one for life in faulty.lives for one in life.changes if one.kind == "removed"]
    assert published.isdisjoint(_entry_at(one.release, one.entry) for one in removals)
    assert [*lost(following, publication.archive)] == []
    mended = assemble(*world.inputs(), following)
    assert _changes(mended) == _changes(site)


def _entry_at(release: str, entry: Entry) -> tuple[str, str, str, str]:
    """Returns the source, a release, the document and the name of an entry."""
    return entry.place.source, release, entry.place.name, entry.name


def _changes(site: Site) -> list[tuple[Change, ...]]:
    return sorted((life.changes for life in site.lives), key=repr)


@pytest.mark.parametrize("seed", seeds(test=6, soak=150))
def test_archives_of_two_branches_are_merged(seed: int) -> None:
    """The archives of two branches have the same union in any order, from which a site is built
    with all published addresses; every link of both shows its words, or leads to them."""
    ours = Publication()
    played = worlds(seed, releases=RELEASES)
    for number in range(1, 5):
        world = next(played)
        ours.build(*world.inputs(), when=f"history {seed}, release {number}")
    branch, base = fork(world), deepcopy(world)
    before = dict(ours.links)
    theirs = Publication(archive=ours.archive, links=dict(before))
    for number in range(5, 7):
        world.play(f"{number}.0")
        ours.build(*world.inputs(), when=f"history {seed}, release {number}")
        branch.play(f"{number}.1")
        theirs.build(*branch.inputs(), when=f"branch of {seed}, release {number}")
    merge(world, branch, base)
    union = united([ours.archive, theirs.archive])
    assert dump(union) == dump(united([theirs.archive, ours.archive, union]))
    merged = Publication(archive=union, links={**theirs.links, **ours.links})
    site = merged.build(*world.inputs(), when=f"merge of {seed}")
    pages = contents(site)
    for slug in site.permanence.moved:
        ids = re.findall(rb' id="([^"]*)"', pages[f"term/{slug}/index.html"])
        assert len(ids) == len({*ids}), f"merge of {seed}: /term/{slug}/ has an id twice"
    world.play("7.0")
    merged.build(*world.inputs(), when=f"release after the merge of {seed}")


@pytest.mark.parametrize("seed", seeds(test=3, soak=60))
def test_withheld_words_are_gone(seed: int) -> None:
    """Withheld words are in no line of the archive and in no file, and every address stays."""
    random, publication = Random(seed), Publication()
    for number, world in enumerate(worlds(seed, releases=5), start=1):
        publication.build(*world.inputs(), when=f"history {seed}, release {number}")
    concepts = [one for glossary in world.glossaries for one in glossary.concepts]
    published = dump(publication.archive)
    mark = random.choice([one.mark for one in concepts if one.mark in published])
    world.result.append(f'[[withheld]]\ntext = "{mark}"\nreason = "asked"\n')
    site = assemble(*world.inputs(), publication.archive)
    assert mark not in dump(next_archive(site))
    assert [path for path, text in contents(site).items() if mark.encode() in text] == []


@pytest.mark.parametrize("seed", seeds(test=6, soak=100))
def test_an_accident_is_undone(seed: int) -> None:
    """When an accident is undone and no address was published meanwhile, the site is the one of
    before, byte for byte."""
    publication = Publication()
    for number, world in enumerate(worlds(seed, releases=5), start=1):
        publication.build(*world.inputs(), when=f"history {seed}, release {number}")
    before = contents(assemble(*world.inputs(), publication.archive))
    for accident in ACCIDENTS:
        when = f"history {seed}, {accident.__name__}"
        other = deepcopy(world)
        accident(other)
        after = Publication(archive=publication.archive, links=dict(publication.links))
        after.build(*other.inputs(), when=when)
        if after.archive.pages != publication.archive.pages:
            continue  # terms were told apart without a [[rename]], and new addresses published
        undone = contents(assemble(*world.inputs(), after.archive))
        changed = [path for path in before if undone.get(path) != before[path]]
        assert changed == [], when
        assert undone.keys() == before.keys(), when


def _misread(source: Source, *, reader: str) -> Source:
    """Returns a source as a version of sitegen with a fault reads it."""
    releases = []
    for release in parsed(source).releases:
        documents = [
            replace(
                document,
                reading=replace(document.reading, entries=_faulty(document.entries, reader)),
            )
            for document in release.documents
            if document.reading
        ]
        releases.append(replace(release, documents=tuple(documents)))
    return replace(source, releases=tuple(releases))


def _faulty(entries: Sequence[Entry], reader: str) -> tuple[Entry, ...]:
    """Returns entries without the last one, or without every seventh word."""
    if reader == "loses an entry":
        return tuple(entries[:-1])
    faulty = []
    for entry in entries:
        words = entry.definition.html.split(" ")
        del words[::7]
        definition = from_html(" ".join(words))
        faulty.append(entry._replace(text=replace(entry.text, definition=definition)))
    return tuple(faulty)
