"""The words that were published at an anchor or on a frozen page are there, or one link away."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from urllib.parse import urljoin

import pytest
from lives_of_names import EVENTS, Year
from soaking import seeds

from sitegen.addresses import urls
from sitegen.permanence.ledger import Ledger, dump, parse
from sitegen.pipeline.assembly import assemble, remedies
from sitegen.pipeline.assembly import files as assembly_files
from sitegen.site.site import Site
from sitegen.site.templates import read_templates

RELEASES = 12


@dataclass(frozen=True, slots=True)
class Published:
    """What an address showed: the words of a release of a source."""

    source: str
    release: str
    text: str
    name: str


@dataclass(slots=True)
class Reader:
    """Keeps what was published at each anchor and on each frozen page."""

    shown: dict[str, Published] = field(default_factory=dict)

    def note(self, site: Site) -> None:
        for address, published in _shown(site):
            self.shown.setdefault(address, published)

    def follow(self, ids: Mapping[str, str]) -> None:
        """Gives sources their present ids."""
        for address, one in self.shown.items():
            self.shown[address] = replace(one, source=ids.get(one.source, one.source))

    def forget(
        self,
        source: str,
        release: str,
        files: set[tuple[str, str, str]],
        names: Collection[str] = (),
    ) -> None:
        """Forgets the words that a release has no more, and those of some names: a declaration
        answers for them."""
        for address, one in [*self.shown.items()]:
            is_gone = (source, release, one.text) not in files or one.name in names
            if (one.source, one.release) == (source, release) and is_gone:
                del self.shown[address]

    def complaints(self, site: Site, files: set[tuple[str, str, str]]) -> Iterator[str]:
        """Yields the published words that the files still have, and that are neither there nor one
        link away."""
        kept = {one.row.address: one.terms for one in site.permanence.kept if not one.has_page}
        frozen = {one.address: one.entry.definition.text for one in site.permanence.frozen}
        texts = {text for _, _, text in files}
        for address, one in self.shown.items():
            page, _, id = address.partition("#")
            slug = urls.slug_in(page)
            if one.text not in texts or frozen.get(address) == one.text:
                continue
            if not id:
                if address in frozen:
                    yield f"{address} shows other words than {one}"
                elif not _has(site, kept.get(address, ()), one.text):
                    yield f"{address} does not lead to {one}"
            elif (key := site.permanence.moved.get(slug, {}).get(id)) or page in kept:
                if not _has(site, [key] if key else kept[page], one.text):
                    yield f"{address} does not lead to {one}"
            elif owner := site.permanence.owners.get(slug):
                at = next(
                    (at for at, of in site.permanence.ids[slug].items() if of == id), ("", "")
                )
                now = next(
                    (
                        lane.at(at[1])
                        for lane in site.by_key[owner].term.lanes
                        if lane.source.id == at[0]
                    ),
                    None,
                )
                if now and now.definition.text != one.text:
                    yield f"{address} shows other words than {one}"
                elif not now and not _has(site, [owner], one.text):
                    yield f"{address} does not show {one}"
            else:
                yield f"{address} is gone"


def _shown(site: Site) -> Iterator[tuple[str, Published]]:
    for slug, key in site.permanence.owners.items():
        moved, lanes = site.permanence.moved.get(slug, {}), site.by_key[key].term.lanes
        promised = dict(site.permanence.rows[f"/{urls.term(slug)}"].fragments)
        for (source, release), id in site.permanence.ids[slug].items():
            entry = next((lane.at(release) for lane in lanes if lane.source.id == source), None)
            if entry and id in promised and id not in moved:
                yield (
                    f"/{urls.term(slug, anchor=id)}",
                    Published(source, release, entry.definition.text, entry.name),
                )
    for frozen in site.permanence.frozen:
        place = frozen.entry.place
        yield (
            frozen.address,
            Published(place.source, place.release, frozen.entry.definition.text, frozen.entry.name),
        )


def _has(site: Site, keys: Iterable[str], text: str) -> bool:
    """True if the page of one of some terms has these words, of any release."""
    lanes = (lane for key in keys for lane in site.by_key[key].term.lanes)
    return any(entry.definition.text == text for lane in lanes for entry in lane.entries if entry)


def play(seed: int) -> Counter[str]:
    """Lives a year, and returns how often something was refused, and how often one paste mended
    it."""
    random = Random(seed)
    year, reader, ledger = Year(random), Reader(), {}
    first_version = random.choice((0, 0, 4))
    counts: Counter[str] = Counter()
    for number in range(1, RELEASES + 1):
        # A project without tags has dated states at first.
        name = f"{number - first_version}.0" if number > first_version else f"2024-{number:02}"
        event = random.choice(EVENTS) if number > 2 else EVENTS[0]
        has_release = random.random() < 0.7 or number < 3
        when = f"year {seed}, build {number}, {event.__name__}"
        ids = {*year.sources}
        must_refuse = event(year)
        reader.follow({one: one * 2 for one in ids - year.sources.keys()})
        # The words of a folder are open only as long as no later one exists.
        if (has_release and event is not Year.edit_newest) or not all(year.sources.values()):
            year.release(name)
        counts["builds"] += 1
        site = _built(year, ledger, when, must_refuse=must_refuse, reader=reader, counts=counts)
        complaints = [*reader.complaints(site, _files(year))]
        assert complaints == [], f"{when}: {complaints[:3]}"
        reader.note(site)
        ledger = parse(dump(site.permanence.added_to(ledger)), "permalinks.json")
    if seed % 10 == 0:
        missing = [*_missing(site, reader, _files(year))]
        assert missing == [], f"year {seed}, the pages: {missing[:3]}"
    return counts


def _missing(site: Site, reader: Reader, files: set[tuple[str, str, str]]) -> Iterator[str]:
    """Yields what the pages, as they are written, lack of the published ids and words that the
    files have."""
    texts = {text for _, _, text in files}
    files_made = [
        file for file in assembly_files(site, read_templates()) if file.path.endswith(".html")
    ]
    pages = {urls.address(file.path): file.content.decode() for file in files_made}
    for address, one in reader.shown.items():
        page, _, id = address.removeprefix("/").partition("#")
        html = pages.get(page, "")
        linked = [urljoin(f"/{page}", link) for link in re.findall(r'href="([^"#]+)', html)]
        near = (html, *(pages.get(urls.address(link.removeprefix("/")), "") for link in linked))
        if not html or (id and f'id="{id}"' not in html):
            yield f"{address} is not on its page"
        elif one.text in texts and not any(one.text in _text(each) for each in near):
            yield f"{address} has no words, nor a link to {one}"


def _text(html: str) -> str:
    """Returns the text of a page without removed words, nor what only screen readers say about
    differences."""
    for left_out in (r'<span class="visually-hidden">.*?</span>', r"<del\b.*?</del>", r"<[^>]+>"):
        html = re.sub(left_out, "", html, flags=re.S)
    return " ".join(html.split())


def _files(year: Year) -> set[tuple[str, str, str]]:
    return {(*at, text) for at, terms in year.files().items() for _, text in terms}


def _built(
    year: Year,
    ledger: Ledger,
    when: str,
    *,
    must_refuse: bool,
    reader: Reader,
    counts: Counter[str],
) -> Site:
    """Returns the site, after the printed tables were pasted if a build refuses it."""
    config, read = year.inputs()
    site = assemble(config, read, ledger)
    broken = [f"{one.address}: {one.found}" for one in site.permanence.broken]
    if not must_refuse:
        assert broken == [], f"{when} is refused: {broken[:3]}"
    for source, releases in year.sources.items():
        reader.forget(source, [*releases][-1], _files(year))
    if broken:
        counts["refused"] += 1
        for remedy in remedies(site, config, read, ledger):
            year.paste(remedy.tables, remedy.source)
        site = assemble(*year.inputs(), ledger)
        counts["mended"] += not site.permanence.broken
        pasted, _ = year.inputs()
        for one in pasted.corrected[len(config.corrected) :]:
            reader.forget(one.source, one.release, _files(year), one.terms)
        retired = tuple(address for one in pasted.retired for address in one.addresses)
        reader.shown = {
            address: one for address, one in reader.shown.items() if not address.startswith(retired)
        }
    assert [f"{one.address}: {one.found}" for one in site.permanence.broken] == [], when
    return site


@pytest.mark.soak
@pytest.mark.parametrize("seed", seeds(test=15, soak=100))
def test_published_words_stay_or_are_one_link_away(seed: int) -> None:
    """What was published stays as long as the files have it under any name; ordinary events are not
    refused."""
    play(seed)
