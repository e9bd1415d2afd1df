"""No address is lost and none changes its meaning, whatever happens to a glossary."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random

import pytest
from histories import ACCIDENTS, World, follow, fork, merge, worlds
from sites import pages_of
from soaking import seeds

from sitegen.addresses import urls
from sitegen.model import Entry
from sitegen.model.terms import Lane, Life
from sitegen.permanence.ledger import Ledger, LedgerError, dump, grown, lost, parse
from sitegen.pipeline.assembly import assemble, remedies
from sitegen.site.site import Site
from sitegen.text import memo
from sitegen.text.names import fold

RELEASES = 10

pytestmark = pytest.mark.soak


@dataclass(slots=True)
class Reader:
    """Keeps every published address with its meaning at that time."""

    terms: dict[str, tuple[Entry, ...]] = field(default_factory=dict)
    """Address to what it was about: the last entry of each source that had it."""
    later: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Address to all marks that its page ever told of."""
    wordings: dict[str, str] = field(default_factory=dict)
    """Address of a frozen page to its words."""

    def note(self, site: Site) -> None:
        for slug, key in site.permanence.owners.items():
            lanes, address = site.by_key[key].term.lanes, "/" + urls.term(slug)
            self.terms.setdefault(
                address,
                tuple(_last_called(lane, site.permanence.slug_names[slug]) for lane in lanes),
            )
            self.later[address] |= _marks(site.by_key[key])
        for frozen in site.permanence.frozen:
            self.wordings.setdefault(frozen.address, frozen.entry.definition.text)

    def take(self, other: Reader, without: Collection[str]) -> None:
        """Adds the notes of another reader, but for some addresses."""
        for address, entries in other.terms.items():
            if address not in without:
                self.terms.setdefault(address, entries)
                self.later[address] |= other.later[address]
        for address, text in other.wordings.items():
            if address not in without:
                self.wordings.setdefault(address, text)

    def complaints(self, site: Site) -> list[str]:
        kept = {one.row.address for one in site.permanence.kept}
        return [
            found
            for found in (*self._terms(site), *self._wordings(site))
            if found.split()[0] not in kept
        ]

    def _terms(self, site: Site) -> Iterator[str]:
        read = {(source.id, release.name) for source in site.sources for release in source.releases}
        for address, entries in self.terms.items():
            # Where a release that gave it its meaning was withdrawn, a page may go on with all that
            # it ever told.
            row = site.permanence.ledger.get(address)
            sources = {(entry.place.source, entry.place.release) for entry in entries}
            sources |= {(row.source, row.first)} if row else set()
            about = {*map(_mark, entries)} if sources <= read else self.later[address]
            key = site.permanence.owners.get(address.split("/")[2])
            now = _marks(site.by_key[key]) if key else set()
            if not about & now:
                yield f"{address} was about {sorted(about)}, and is about {sorted(now)}"

    def _wordings(self, site: Site) -> Iterator[str]:
        frozen = {one.address: one.entry.definition.text for one in site.permanence.frozen}
        for address, text in self.wordings.items():
            if frozen.get(address) != text:
                yield f"{address} said {text!r}, and says {frozen.get(address)!r}"


def _marks(life: Life) -> set[str]:
    return {_mark(entry) for lane in life.term.lanes for entry in _entries(lane)}


def _entries(lane: Lane) -> list[Entry]:
    return [entry for entry in lane.entries if entry]


def _last_called(lane: Lane, name: str) -> Entry:
    """The last entry under a name, or else the last of all."""
    entries = _entries(lane)
    return [*entries, *(entry for entry in entries if fold(entry.name) == fold(name))][-1]


def _mark(entry: Entry) -> str:
    return next(word for word in entry.definition.text.split() if word.startswith("mark"))


def play(seed: int) -> None:
    """Publishes a history release by release, as `sitegen build` does, without the disk."""
    reader, ledger = Reader(), {}
    for number, world in enumerate(worlds(seed, releases=RELEASES), start=1):
        when = f"history {seed}, release {number}"
        config, glossaries = world.inputs()
        site = assemble(config, glossaries, ledger)
        there = site.permanence.rows
        assert broken(site) == [], when
        assert reader.complaints(site) == [], when
        reader.note(site)
        ledger = parse(dump(grown(ledger, there.values())), "permalinks.json")
    made = {f"/{address}" for address in pages_of(site)}
    assert {address for address, row in ledger.items() if row.kind != "data"} == made, (
        f"history {seed}"
    )


def play_accidents(seed: int, *, at_once: int = 1) -> None:
    """Publishes a history in which released texts are edited now and then, and pastes the printed
    remedies.

    `at_once` is the number of accidents before one build.
    """
    random, ledger = Random(seed), {}
    for number, world in enumerate(worlds(seed, releases=RELEASES), start=1):
        when = f"history {seed}, release {number}"
        if number > 2 and random.random() < 0.5:
            for _ in range(at_once):
                accident = random.choice(ACCIDENTS)
                when += f", {accident.__name__}"
                accident(world)
        site = remedied(world, ledger, when)
        ledger = parse(dump(grown(ledger, site.permanence.rows.values())), "permalinks.json")
        again = assemble(*world.inputs(), ledger)
        assert broken(again) == [], when
        assert [*lost(ledger, grown(ledger, again.permanence.rows.values()))] == [], when


def remedied(world: World, ledger: Ledger, when: str) -> Site:
    """Returns the site after the printed remedies, which have to work, each of them."""
    config, glossaries = world.inputs()
    printed = remedies(assemble(config, glossaries, ledger), config, glossaries, ledger)
    for remedy in printed:
        assert not remedy.is_about_inputs, when
        assert remedy.tables, f"{when}: {remedy.advice} {remedy.breaches[0]}"
        follow(world, remedy)
    site = assemble(*world.inputs(), ledger)
    assert broken(site) == [], when
    text, tables = (
        world.site_toml(),
        [table for remedy in printed if not remedy.source for table in remedy.tables],
    )
    tables = [table.replace("…", "told") for table in tables]
    lines = {text[: text.rindex(table)].count("\n") + 1 for table in tables}
    assert [
        str(problem)
        for problem in site.problems
        if problem.line in lines and problem.path == "site.toml"
    ] == [], when
    return site


def broken(site: Site) -> list[str]:
    """Returns the promises that publishing a site would break."""
    return [f"{one.address}: {one.found}" for one in site.permanence.broken]


@dataclass(slots=True, kw_only=True)
class Line:
    """A line of development: the main one, or a branch of it that has a ledger of its own."""

    world: World
    ledger: Ledger = field(default_factory=dict)
    reader: Reader = field(default_factory=Reader)
    base: Line | None = None
    """The main line when this branch left it."""

    def branch(self) -> Line:
        copy = Line(world=fork(self.world), ledger=self.ledger, reader=deepcopy(self.reader))
        return Line(
            world=fork(self.world), ledger=self.ledger, reader=deepcopy(self.reader), base=copy
        )

    def build(self, when: str, *, after_accidents: bool = False) -> None:
        """Publishes the line. What a reader noted is not compared after accidents, which change it
        on purpose."""
        if after_accidents:
            site = remedied(self.world, self.ledger, when)
        else:
            site = assemble(*self.world.inputs(), self.ledger)
            assert broken(site) == [], when
            assert self.reader.complaints(site) == [], when
            self.reader.note(site)
        self.ledger = parse(
            dump(grown(self.ledger, site.permanence.rows.values())), "permalinks.json"
        )

    def merge(self, branch: Line) -> None:
        """Takes in what a branch has: its files as a person merges them, and its ledger as git
        does, line by line.

        Where both gave an address to different terms, the message is obeyed: ours was published
        first.
        """
        assert branch.base
        merge(self.world, branch.world, branch.base.world)
        texts = [dump(ledger) for ledger in (self.ledger, branch.ledger, branch.base.ledger)]
        ours, theirs, base = ([*dict.fromkeys(text.splitlines())] for text in texts)
        changed = {*base} - ({*ours} & {*theirs})
        lines = [
            line for line in dict.fromkeys((*ours[1:-1], *theirs[1:-1])) if line not in changed
        ]
        dropped = set()
        while True:
            text = (
                "\n".join(
                    [
                        ours[0],
                        *sorted(lines, key=_address),
                        *dict.fromkeys((ours[-1], theirs[-1])),
                    ]
                )
                + "\n"
            )
            try:
                self.ledger = parse(text, "permalinks.json")
                break
            except LedgerError as error:
                found = re.search(
                    r"two lines give (\S+) different meanings; keep the one", str(error)
                )
                assert found, error
                assert found[1] not in dropped, error
                dropped.add(found[1])
                lines = [line for line in lines if line in ours or _address(line) != found[1]]
        self.reader.take(branch.reader, without=dropped)


def _address(line: str) -> str:
    """The address in a line of a ledger."""
    return str(json.loads(line.partition(": {")[0]))


def play_branches(seed: int, releases: int = 20, *, accidents: float = 0) -> None:
    """Publishes a history with a maintenance line and a feature branch, which make releases and are
    merged.

    `accidents` is the share of releases before which something published is changed.
    """
    random = Random(seed)

    def build(line: Line, when: str) -> None:
        if accidents and line.world.glossaries and random.random() < accidents:
            accident = random.choice(ACCIDENTS)
            when += f", {accident.__name__}"
            accident(line.world)
        line.build(when, after_accidents=accidents > 0)

    main = Line(world=World(random))
    branches: dict[str, Line] = {}
    number, behind = 0, 0
    for count in range(1, releases + 1):
        when = f"history {seed}, release {count}"
        if number > 1 and random.random() < 0.3 and len(branches) < 2 and behind < 2:
            behind += 1
            branches[f"{number}.{behind}"] = main.branch()
        if branches and random.random() < 0.5:
            name = random.choice([*branches])
            branches[name].world.play(f"{name}.{count}")
            build(branches[name], f"{when}, on branch {name}")
        else:
            number += 1
            main.world.play(f"{number}.0")
            build(main, when)
        if branches and random.random() < 0.25:
            name = random.choice([*branches])
            main.merge(branches.pop(name))
            build(main, f"{when}, after merging {name}")
    for name, branch in branches.items():
        main.merge(branch)
        build(main, f"history {seed}, after merging {name} in the end")


@pytest.mark.parametrize("seed", seeds(test=5, soak=60))
def test_every_remedy_works(seed: int) -> None:
    """Every printed remedy works when pasted, and the next build accepts it too."""
    play_accidents(seed, at_once=1 + seed % 2)


@pytest.mark.parametrize("seed", seeds(test=3, soak=30))
def test_branches_keep_every_address(seed: int) -> None:
    """Every address of the main line and of merged branches keeps its meaning, in whichever order
    releases come."""
    play_branches(seed)


@pytest.mark.parametrize("seed", seeds(test=15, soak=150))
def test_no_address_dies_or_changes_its_meaning(seed: int) -> None:
    """After renames, removals, merges, returns and withdrawals, every published address keeps its
    meaning."""
    play(seed)


@pytest.mark.parametrize("seed", seeds(test=3, soak=20))
def test_a_site_does_not_depend_on_earlier_builds(seed: int) -> None:
    """The site is the same as one assembled anew, whatever glossary, site.toml and ledger were
    before."""
    ledger: Ledger = {}
    inputs = []
    for world in worlds(seed, releases=5):
        inputs.append((*world.inputs(), ledger))
        ledger = grown(ledger, assemble(*inputs[-1]).permanence.rows.values())
        inputs.append((*world.inputs(), ledger))
    for config, glossaries, published in (*inputs, *reversed(inputs)):
        site = assemble(config, glossaries, published)
        memo.clear()
        assert site == assemble(config, glossaries, published)
