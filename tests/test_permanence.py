"""No address dies and none comes to mean something else, whatever happens to a glossary.

`SITEGEN_SOAK=2000 pytest tests/test_permanence.py` (`make soak`) plays as many histories as it says.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field

import pytest
from histories import World, worlds

from sitegen import pages, urls
from sitegen.build import assemble
from sitegen.gate import breaches
from sitegen.ledger import Ledger, dump, grown, parse
from sitegen.promises import promises
from sitegen.site import Site

BATCH = 20
HISTORIES = int(os.environ.get("SITEGEN_SOAK", "200"))


@dataclass(slots=True)
class Reader:
    """Somebody who noted every address on the day it was published, and what stood there."""

    terms: dict[str, str] = field(default_factory=dict)
    """Address to the mark of the concept that it was about."""
    wordings: dict[str, str] = field(default_factory=dict)
    """Address of a frozen page to its words."""

    def note(self, site: Site) -> None:
        for life in site.lives:
            mark = _marks(life.entry.definition.text)[0]
            self.terms.setdefault("/" + urls.term(site.slugs[life.key]), mark)
        for frozen in site.frozen:
            self.wordings.setdefault(frozen.address, frozen.entry.definition.text)

    def complaints(self, site: Site) -> list[str]:
        slugs = {**{slug: key for key, slug in site.slugs.items()}, **site.former_slugs}
        kept = {one.row.address for one in site.kept}
        frozen = {one.address: one.entry.definition.text for one in site.frozen}
        found = []
        for address, mark in self.terms.items():
            key = slugs.get(address.split("/")[2])
            entries = [step.entry for lane in site.by_key[key].term.lanes for step in lane.steps] if key else []
            marks = {word for entry in entries if entry for word in _marks(entry.definition.text)}
            if mark not in marks and address not in kept:
                found.append(f"{address} was about {mark}, and is about {sorted(marks)}")
        for address, text in self.wordings.items():
            if frozen.get(address) != text and address not in kept:
                found.append(f"{address} said {text!r}, and says {frozen.get(address)!r}")
        return found


def _marks(text: str) -> list[str]:
    return [word for word in text.split() if word.startswith("mark")]


def play(seed: int) -> None:
    reader, ledger = Reader(), {}
    for world in worlds(seed, releases=10):
        site, ledger = publish(world, ledger, seed)
        assert reader.complaints(site) == [], f"history {seed}, release {len(world.released)}"
        reader.note(site)
    made = {f"/{page.address}" for page in pages.pages(site)}
    assert [address for address, row in ledger.items() if row.kind != "data" and address not in made] == []


def publish(world: World, ledger: Ledger, seed: int) -> tuple[Site, Ledger]:
    """Builds as `sitegen build` does, without the disk; the ledger goes through its file."""
    config, holdings = world.inputs()
    site = assemble(config, holdings, ledger)
    there = promises(site)
    broken = [f"{breach.address}: {breach.found}" for breach in breaches(site.ledger, there)]
    assert broken == [], f"history {seed}, release {len(world.released)}"
    return site, parse(dump(grown(ledger, there.values())), "permalinks.json")


@pytest.mark.parametrize("first", range(0, HISTORIES, BATCH))
def test_no_address_dies_or_changes_its_meaning(first: int):
    """Whatever is renamed, removed, merged, brought back or withdrawn, every published address keeps its meaning."""
    for seed in range(first, min(first + BATCH, HISTORIES)):
        play(seed)
