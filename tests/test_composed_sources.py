"""A release that is not read has its place among the others: from the archive."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest
from archives import edition
from histories import Concept, Glossary, World
from published import Publication
from readers import Entries, read_with
from soaking import seeds

from sitegen.permanence.archive import ArchivedEdition
from sitegen.permanence.archive_lines import archive_of
from sitegen.permanence.composed_sources import joined_order
from sitegen.sources.parsed_sources import parsed
from sitegen.text.prose import from_html
from sitegen.text.release_names import ordered

NAMES = "0.9 1.0 1.0.1 1.1 1.2 1.10 2.0 2.0.1 2.1 3.0 10.0 main".split()

pytestmark = pytest.mark.soak


class Branch:
    """A branch that publishes releases, each after the one that is before it there."""

    def __init__(self, published: Iterable[str] = ()) -> None:
        self.names = [*published]
        self.after: dict[str, str] = {}

    def publish(self, names: Iterable[str]) -> None:
        for name in names:
            self.names = [*ordered((*self.names, name))]
            number = self.names.index(name)
            self.after[name] = self.names[number - 1] if number else ""


def published_order(*branches: Branch) -> list[ArchivedEdition]:
    """Returns the order that the archive of all branches says."""
    archive = archive_of(
        line
        for branch in branches
        for name, after in branch.after.items()
        for line in edition(name, {}, after=after)
    )
    return [*archive.releases["g"].values()]


def names_of(editions: Iterable[ArchivedEdition]) -> list[str]:
    return [one.release for one in editions]


@pytest.mark.parametrize("seed", seeds(test=40, soak=400))
def test_inserted_releases_are_in_order(seed: int) -> None:
    """Releases that were published in any sequence, by one branch or by two, are in the order of
    their versions, from the archive alone and when some of them are read."""
    random = Random(seed)
    names = random.sample(NAMES, random.randint(3, len(NAMES)))
    number = random.randint(1, len(names))
    first = Branch()
    first.publish(names[:number])
    other = Branch(first.names)
    for name in names[number:]:
        random.choice((first, other)).publish([name])
    published = published_order(first, other)
    assert names_of(published) == [*ordered(names)]
    assert joined_order([], names_of(published)) == ordered(names)
    read = ordered(random.sample(names, random.randint(0, len(names))))
    assert joined_order(read, names_of(published)) == ordered(names)


def test_a_declared_order_stays() -> None:
    """The order in which releases were published decides, also where their names say another."""
    branch = Branch()
    branch.after = {"lion": "", "tiger": "lion", "bear": "tiger", "cat": "bear"}
    published = names_of(published_order(branch))
    assert published == ["lion", "tiger", "bear", "cat"]
    assert joined_order(["tiger", "cat"], published) == tuple(published)


def test_an_order_in_site_toml_counts_for_releases_that_are_not_read(tmp_path: Path) -> None:
    """Releases that are not read have the declared order too, also those that were inserted."""
    glossary, publication = Glossary("s", Random(0)), Publication(tmp_path)
    glossary.concepts = [Concept("markone", "one")]
    glossary.order = ["tiger", "zebra", "lion", "bear"]
    world = World(Random(0), [glossary])
    for release in ("tiger", "lion", "zebra", "bear"):
        glossary.write(release)
        publication.build(world, when=release)
    for kept in ("tiger", "lion", "bear", ""):
        remaining = deepcopy(world)
        remaining.glossaries[0].released = [one for one in glossary.released if one[0] == kept]
        releases = publication.site(remaining).sources[0].releases
        assert [one.name for one in releases] == ["tiger", "zebra", "lion", "bear"]


@pytest.mark.parametrize(
    ("added", "order"),
    [("2.5", ["2.5", "3.0", "2.0", "1.0"]), ("4.0", ["4.0", "2.0", "3.0", "1.0"])],
)
def test_the_order_of_a_build_is_that_of_the_next_one(
    tmp_path: Path, added: str, order: list[str]
) -> None:
    """Where site.toml reverses the order, and a release is new, the one that is not read has the
    same place in this build and in the next one."""
    glossary, publication = Glossary("s", Random(0)), Publication(tmp_path)
    glossary.concepts = [Concept("markone", "one")]
    world = World(Random(0), [glossary])
    for release in ("1.0", "2.0", "3.0"):
        glossary.write(release)
    publication.build(world, when="three releases")
    del glossary.released[2]
    glossary.write(added)
    glossary.order = [added, "2.0", "1.0"]
    site = publication.build(world, when="3.0 lost, and the others reversed")
    assert [release.name for release in site.sources[0].releases] == order
    publication.check_second_build(world, site, when="again")


def test_releases_of_two_branches_that_follow_each_other_are_in_order() -> None:
    """Where two branches published two releases each after the other, their names decide."""
    branch = Branch()
    branch.after = {"0.9": "", "2.0": "1.0", "1.0": "2.0", "3.0": "2.0"}
    assert names_of(published_order(branch)) == ["0.9", "1.0", "2.0", "3.0"]


def test_texts_that_are_read_otherwise_are_counted(tmp_path: Path) -> None:
    """Of the texts of a published document, only those count that another version read
    otherwise."""

    def with_a_word_more(entries: Entries) -> Entries:
        saw, *others = entries
        definition = from_html("<p>A tool, it said.</p>")
        return (saw._replace(text=replace(saw.text, definition=definition)), *others)

    glossary, publication = Glossary("s", Random(0)), Publication(tmp_path, is_misread=True)
    glossary.released = [
        ("1.0", {"a.md": "# Glossary\n\n## Saw\n\nA tool.\n\n## Nail\n\nA pin.\n"})
    ]
    world = World(Random(0), [glossary])
    publication.reader = partial(read_with, fault=with_a_word_more)
    publication.build(world, when="read by another version")
    publication.reader = parsed
    assert publication.build(world, when="read by this one").composed.read_otherwise == 1
