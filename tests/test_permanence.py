"""What was published stays, whatever happens to a glossary, its releases and its site.toml."""

from __future__ import annotations

import re
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from accidents import ACCIDENTS, SOURCES_ONLY
from declarations import DECLARATIONS, Declaration, named_plainly
from histories import (
    Concept,
    Glossary,
    Kind,
    Special,
    World,
    fork,
    markdown,
    merge,
    release_name,
    worlds,
)
from published import MARK, Link, Publication, contents, words_of_pages
from readers import FAULTY_READERS
from soaking import IS_SOAK, seeds

from sitegen.model import Entry
from sitegen.model.terms import Change
from sitegen.permanence.archive import Archive, known_names
from sitegen.permanence.archive_lines import dump
from sitegen.permanence.archive_union import lost, united
from sitegen.permanence.continuity import ContinuityError
from sitegen.pipeline.assembly import assemble, next_archive
from sitegen.site.site import Site
from sitegen.sources.parsed_sources import parsed
from sitegen.sources.reading import Glossaries
from sitegen.text.names import fold

pytestmark = pytest.mark.soak

RELEASES = 12 if IS_SOAK else 8


def cases(*, test: int, soak: int) -> list[tuple[Kind, int]]:
    """Returns kinds of histories with their seeds: fewer of repositories, which take longer."""
    found: list[tuple[Kind, int]] = [("folders", seed) for seed in seeds(test=test, soak=soak)]
    for seed in seeds(test=test // 3, soak=soak // 3):
        found += [("tags", seed), ("months", seed)]
    return found


# In history 51145, one of two terms with one name is renamed.
@pytest.mark.parametrize("seed", [*seeds(test=4, soak=100), 51145])
def test_no_published_word_is_lost(tmp_path: Path, seed: int) -> None:
    """After renames, removals, merges, returns and withdrawals, every published link shows its
    words."""
    publication = Publication(tmp_path)
    for number, world in enumerate(worlds(seed, releases=RELEASES), start=1):
        site = publication.build(world, when=f"history {seed}, release {number}")
    publication.check_second_build(world, site, when=f"history {seed}")


@pytest.mark.parametrize(("kind", "seed"), cases(test=4, soak=60))
def test_no_accident_loses_a_word(tmp_path: Path, kind: Kind, seed: int) -> None:
    """After accidents, and builds by other versions of sitegen, a site is built, every published
    link shows its words, and a second build is the same byte for byte."""
    random, publication = Random(seed), Publication(tmp_path)
    for number, world in enumerate(worlds(seed, releases=RELEASES, kind=kind), start=1):
        when = f"history {seed} of {kind}, release {number}"
        happened = deepcopy(world)
        if number > 2 and random.random() < 0.6:
            accident = random.choice(ACCIDENTS[kind])
            when += f", {accident.__name__}"
            accident(happened)
        publication.reader = parsed
        if random.random() < 0.1:
            fault = random.choice([*FAULTY_READERS])
            when += f", {fault}"
            publication.reader, publication.is_misread = FAULTY_READERS[fault], True
        site = publication.build(happened, when=when)
        if random.random() < 0.5:
            world.take(happened)
        if number == RELEASES:
            publication.check_second_build(happened, site, when=when)


@pytest.mark.parametrize("seed", seeds(test=2, soak=60))
def test_the_archive_has_all_words(tmp_path: Path, seed: int) -> None:
    """A build without the sources, from the archive alone, has the same words on the same pages."""
    publication = Publication(tmp_path)
    for number, world in enumerate(worlds(seed, releases=RELEASES), start=1):
        when = f"history {seed}, release {number}"
        before = words_of_pages(publication.build(world, when=when))
        config, glossaries = publication.read(world)
        gone = [replace(source, releases=()) for source in glossaries.sources]
        site = assemble(config, Glossaries(sources=tuple(gone)), publication.archive)
        assert words_of_pages(site) == before, when
        assert dump(next_archive(site)) == dump(publication.archive), when


@pytest.mark.parametrize("seed", seeds(test=1, soak=60))
@pytest.mark.parametrize("fault", FAULTY_READERS)
def test_another_reader_changes_no_history(tmp_path: Path, seed: int, fault: str) -> None:
    """Whichever builds are by a version of sitegen with a fault, the history is that of the words
    that are read now, and every address stays."""
    random, publication = Random(seed), Publication(tmp_path, is_misread=True)
    for number, world in enumerate(worlds(seed, releases=6), start=1):
        when = f"history {seed}, release {number}, {fault}"
        is_faulty = number < 6 and random.random() < 0.7
        publication.reader = FAULTY_READERS[fault] if is_faulty else parsed
        site = publication.build(world, when=when)
        if not is_faulty:
            anew = assemble(*publication.read(world), Archive())
            assert _changes(site) == _changes(anew), when


# In history 931277001, both branches publish one address first, for other releases. In 3058, an id
# on a page of both is that of an entry which another term has now. In 895840017, a page of both has
# an id of a release between those of the other branch.
@pytest.mark.parametrize(
    ("kind", "seed"),
    [*cases(test=3, soak=60), ("folders", 931277001), ("folders", 3058), ("folders", 895840017)],
)
def test_archives_of_two_branches_are_merged(tmp_path: Path, kind: Kind, seed: int) -> None:
    """The archives of two branches have the same union in any order, from which a site is built
    with all published addresses; every link of both shows its words, or leads to them."""
    ours = Publication(tmp_path)
    for number, world in enumerate(worlds(seed, releases=4, kind=kind), start=1):
        ours.build(world, when=f"history {seed} of {kind}, release {number}")
    branch, base = fork(world), deepcopy(world)
    theirs = Publication(tmp_path, archive=ours.archive, links=dict(ours.links))
    for number in (5, 7):
        world.play(release_name(number, kind))
        ours.build(world, when=f"history {seed} of {kind}, release {number}")
        branch.play(release_name(number + 1, kind))
        theirs.build(branch, when=f"branch of {seed} of {kind}, release {number + 1}")
    merge(world, branch, base)
    union = united([ours.archive, theirs.archive])
    assert dump(union) == dump(united([theirs.archive, ours.archive, union]))
    merged = Publication(tmp_path, archive=union, links={**theirs.links, **ours.links})
    site = merged.build(world, when=f"merge of {seed} of {kind}")
    merged.check_second_build(world, site, when=f"merge of {seed} of {kind}")
    pages = contents(site)
    moved = [slug for slug, page in site.addresses.pages.items() if page.moved]
    for slug in moved:
        ids = re.findall(rb' id="([^"]*)"', pages[f"term/{slug}/index.html"])
        assert len(ids) == len({*ids}), f"merge of {seed}: /term/{slug}/ has an id twice"
    world.play(release_name(9, kind))
    merged.build(world, when=f"release after the merge of {seed} of {kind}")


@pytest.mark.parametrize("seed", seeds(test=2, soak=60))
def test_withheld_words_are_gone(tmp_path: Path, seed: int) -> None:
    """Withheld words are in no line of the archive and in no file, and every address stays."""
    random, publication = Random(seed), Publication(tmp_path)
    for number, world in enumerate(worlds(seed, releases=5), start=1):
        publication.build(world, when=f"history {seed}, release {number}")
    concepts = [one for glossary in world.glossaries for one in glossary.concepts]
    published = dump(publication.archive)
    mark = random.choice([one.mark for one in concepts if one.mark in published])
    world.result.append(f'[[withheld]]\ntext = "{mark}"\nreason = "asked"\n')
    publication.forget(mark)
    site = publication.build(world, when=f"history {seed}, withheld")
    assert mark not in dump(publication.archive)
    assert [path for path, text in contents(site).items() if mark.encode() in text] == []


@pytest.mark.parametrize(("kind", "seed"), cases(test=4, soak=60))
def test_an_accident_is_undone(tmp_path: Path, kind: Kind, seed: int) -> None:
    """An accident of the sources that publishes no release changes no closed one; when an accident
    is undone and no name or address was published meanwhile, the site is the one of before, byte
    for byte."""
    publication = Publication(tmp_path)
    for number, world in enumerate(worlds(seed, releases=5, kind=kind), start=1):
        publication.build(world, when=f"history {seed} of {kind}, release {number}")
    published = publication.site(world)
    before = contents(published)
    for accident in Random(seed).sample(ACCIDENTS[kind], 4 if IS_SOAK else 3):
        when = f"history {seed} of {kind}, {accident.__name__}"
        other = deepcopy(world)
        accident(other)
        after = replace(publication, links=dict(publication.links))
        site = after.build(other, when=when)
        closed = publication.archive
        if (
            accident in SOURCES_ONLY
            and after.archive.editions_of.keys() == closed.editions_of.keys()
        ):
            assert _closed_changes(site, closed) == _closed_changes(published, closed), when
        if _published(after.archive) != _published(closed):
            continue  # a release, a term that could not be read before, or a new address
        undone = contents(after.build(world, when=f"{when}, undone"))
        changed = [path for path in before if undone.get(path) != before[path]]
        assert changed == [], when
        assert undone.keys() == before.keys(), when


@pytest.mark.parametrize("seed", seeds(test=2, soak=60))
def test_a_reader_that_loses_an_entry_removes_nothing(tmp_path: Path, seed: int) -> None:
    """A version of sitegen that no longer sees an entry in the same bytes says that it is unknown
    there, and not that it was removed; every address stays, and a second build adds no line."""
    publication = Publication(tmp_path)
    for number, world in enumerate(worlds(seed, releases=6), start=1):
        site = publication.build(world, when=f"history {seed}, release {number}")
    faulty = replace(publication, reader=FAULTY_READERS["loses_an_entry"])
    found = faulty.site(world)
    faulty.archive = next_archive(found)
    assert dump(next_archive(faulty.site(world))) == dump(faulty.archive)
    published = set()
    for source in site.sources:
        for release in source.releases:
            published.update(_entry_at(release.name, entry) for entry in release.entries)
    removals = [one for life in found.lives for one in life.changes if one.kind == "removed"]
    assert published.isdisjoint(_entry_at(one.release, one.entry) for one in removals)
    assert [*lost(faulty.archive, publication.archive)] == []
    mended = replace(faulty, reader=parsed).site(world)
    assert _changes(mended) == _changes(site)


@pytest.mark.parametrize("declare", DECLARATIONS)
@pytest.mark.parametrize("seed", seeds(test=1, soak=30))
def test_the_term_comes_back(tmp_path: Path, seed: int, declare: Declaration) -> None:
    """After a declaration, its term leaves and comes back, under the same name with old or new
    words: nothing is refused, and every link shows its words."""
    publication = Publication(tmp_path)
    for number, world in enumerate(worlds(seed, releases=4), start=1):
        publication.build(world, when=f"history {seed}, release {number}")
    del world.glossaries[1:]
    # So many terms stay that the few that leave are no other glossary, and two releases, of which
    # one may be retired, are read in full.
    glossary = world.glossaries[0]
    glossary.concepts += [Concept(f"markstays{one}", f"stays {one}") for one in "abcdef"]
    for release in ("4.1", "4.2"):
        world.release(release)
        while Special.LINK in glossary.released[-1][1].values():
            glossary.released.pop()
            world.release(release)
        publication.build(world, when=f"history {seed}, more terms")
    publication.refuses = True
    concept, *_ = named_plainly(world)
    name = concept.name
    declare(world, concept, "5.0")
    if declare.__name__ in ("corrected", "withheld"):
        publication.forget(concept.mark)
    for text in publication.archive.texts.values():
        if declare.__name__ == "withheld" and fold(name) in [fold(one.text) for one in text.names]:
            publication.forget(*MARK.findall(text.html))  # another term had the name
    when = f"history {seed}, {declare.__name__}"
    publication.build(world, when=when)
    world.release("5.0")
    publication.build(world, when=f"{when}, released")
    concept.defined = False
    world.release("6.0")
    publication.build(world, when=f"{when}, term left")
    concept.defined, concept.name = True, name
    world.release("7.0")
    site = publication.build(world, when=f"{when}, term came back")
    publication.check_second_build(world, site, when=when)
    concept.mark = "markcomesback"
    world.release("8.0")
    publication.build(world, when=f"{when}, another term came under its name")


def test_an_id_that_a_source_had_before_is_its_id_again(tmp_path: Path) -> None:
    """Releases that were published under several ids are those of one source, whichever of its ids
    it has now."""
    publication = Publication(tmp_path, refuses=True)
    *_, world = worlds(0, releases=3)
    del world.glossaries[1:]
    for number, id in enumerate(("s", "other", "s", "other"), start=4):
        world.glossaries[0].id = id
        world.release(f"{number}.0")
        site = publication.build(world, when=f"under the id {id}")
        assert len(site.sources[0].releases) == len(publication.archive.editions_of) == number


def test_a_source_with_its_first_id_again_is_the_same_with_other_words(tmp_path: Path) -> None:
    """A source that gets back an id that it had is the same source, whatever its words are now."""
    publication = Publication(tmp_path, refuses=True)
    *_, world = worlds(0, releases=3)
    del world.glossaries[1:]
    for id, release in (("s", "4.0"), ("other", "5.0")):
        world.glossaries[0].id = id
        world.release(release)
        publication.build(world, when=f"under the id {id}")
    world.glossaries[0].id = "s"
    for _, files in world.glossaries[0].released:
        files.update({name: str(text).replace("stands", "stood") for name, text in files.items()})
    site = publication.build(world, when="under the first id")
    assert site.composed.withdrawn == {}


def test_a_new_source_has_an_id_that_no_other_had(tmp_path: Path) -> None:
    """A source with an id under which another one of the site was published is refused: an archive
    cannot have both."""
    publication = Publication(tmp_path, refuses=True)
    *_, world = worlds(0, releases=3)
    del world.glossaries[1:]
    publication.build(world, when="under the first id")
    world.glossaries[0].id = "other"
    publication.build(world, when="under another id")
    glossary = Glossary("s", Random(0), origin="new", concepts=[Concept("markone", "one")])
    glossary.write("1.0")
    world.glossaries.append(glossary)
    with pytest.raises(ContinuityError, match="give the new source another id"):
        publication.build(world, when="a new source has the first id")


def test_a_source_that_goes_on_under_a_declared_id_takes_in_no_other_one(tmp_path: Path) -> None:
    """A source that site.toml says to be a published one is not another published one too, whose
    ids on the same pages would be lost."""
    publication = Publication(tmp_path)
    *_, world = worlds(0, releases=3)
    del world.glossaries[1:]
    glossary = world.glossaries[0]
    publication.build(world, when="under the first id")
    glossary.id = "other"
    for _, files in glossary.released:
        files.update({name: str(text).replace("stands", "stood") for name, text in files.items()})
    publication.build(world, when="under another id, with other words")
    glossary.id, glossary.formerly = "third", ["s"]
    site = publication.build(world, when="under a third id")
    assert {one.source for one in site.composed.withdrawn.values()} == {"other"}


@pytest.mark.parametrize("releases", [("1.0", "2.0"), ("3.0", "4.0")])
@pytest.mark.parametrize("id", ["s", "t", "new"])
def test_two_published_sources_stay_two(tmp_path: Path, releases: tuple[str, str], id: str) -> None:
    """A source that says that it was formerly another one, although both were published, takes over
    none of its releases: each link shows the words of its source, and that line is a problem."""
    publication, glossaries = Publication(tmp_path), []
    for source, names in (("s", ("1.0", "2.0")), ("t", releases)):
        concepts = [Concept(f"mark{source}", "one"), Concept(f"mark{source}own", source)]
        glossary = Glossary(source, Random(0), origin=source, concepts=concepts)
        for name in names:
            glossary.write(name)
        glossaries.append(glossary)
    world = World(Random(0), glossaries)
    publication.build(world, when="two sources")
    world.glossaries = glossaries[1:] if id == "t" else glossaries[:1]
    glossary = world.glossaries[0]
    glossary.id, glossary.formerly = id, [one for one in ("s", "t") if one != id]
    site = publication.build(world, when="one source")
    [other] = {one.source for one in site.composed.withdrawn.values()}
    found = f"{other} and {id} were both published, and stay two sources"
    assert [one.found for one in site.problems if one.line] == [found]
    publication.check_second_build(world, site, when="one source")


def test_a_release_of_a_former_id_is_withdrawn_with_its_reason(tmp_path: Path) -> None:
    """The pages of a release that is withdrawn under the present id of its source say why, also if
    it was published under another one."""
    publication = Publication(tmp_path)
    *_, world = worlds(0, releases=3)
    del world.glossaries[1:]
    glossary = world.glossaries[0]
    publication.build(world, when="under the first id")
    glossary.formerly, glossary.id = [glossary.id], "other"
    glossary.withdrawn.add("3.0")
    world.result.append('[[retired]]\nsource = "other"\nrelease = "3.0"\nreason = "wrong"\n')
    kept = publication.build(world, when="3.0 withdrawn").kept
    assert [one.reason for one in kept if one.address == "release/3.0/"] == ["wrong"]


def test_a_release_stays_withdrawn_when_its_source_gets_another_id(tmp_path: Path) -> None:
    """A table that withdraws a release by the id under which it was published still does so when
    the source has another id, and site.toml does not say that it is the same one."""
    publication = Publication(tmp_path)
    *_, world = worlds(0, releases=3)
    del world.glossaries[1:]
    glossary = world.glossaries[0]
    publication.build(world, when="under the first id")
    table = f'[[retired]]\nsource = "{glossary.id}"\nrelease = "2.0"\nreason = "wrong"\n'
    world.result.append(table)
    glossary.id = "other"
    site = publication.build(world, when="under another id")
    assert [one.release for one in site.composed.withdrawn.values()] == ["2.0"]


def test_a_lost_release_may_be_named_in_site_toml(tmp_path: Path) -> None:
    """A table of site.toml may be about a published release whose folder is gone, and not about one
    that never was."""
    publication = Publication(tmp_path)
    *_, world = worlds(0, releases=3)
    world.result += [
        f'[[release]]\nname = "{name}"\ndate = 2020-01-01\n' for name in ("2.0", "9.0")
    ]
    publication.build(world, when="three releases")
    for glossary in world.glossaries:
        del glossary.released[1]
    problems = publication.build(world, when="2.0 lost").problems
    unknown = [one.found for one in problems if "unknown release" in one.found]
    assert unknown == ["unknown release '9.0'"]


def test_the_advice_about_an_unknown_release_stays_after_an_id_changed(tmp_path: Path) -> None:
    """The build that finds a source under another id gives the same advice as the next one: the
    names of its own releases, and not those of other sources."""
    publication, glossaries = Publication(tmp_path), []
    for id, release in (("s", "2.0"), ("t", "2.5")):
        glossary = Glossary(id, Random(0), origin=id, concepts=[Concept(f"mark{id}", id)])
        glossary.write("1.0")
        glossary.write(release)
        glossaries.append(glossary)
    world = World(Random(0), glossaries)
    publication.build(world, when="two sources")
    glossaries[0].id = "other"
    world.result.append('[[release]]\nsource = "other"\nname = "2.6"\ndate = 2020-01-01\n')
    site = publication.build(world, when="another id")
    advice = [one.wanted for one in site.problems if "unknown release" in one.found]
    assert advice == ["known: 1.0, 2.0 (release.name)"]
    publication.check_second_build(world, site, when="another id")


def test_a_month_has_the_words_of_its_end(tmp_path: Path) -> None:
    """A month that was published before it was over has its last words when a later one is there,
    and keeps these."""
    publication, glossary = Publication(tmp_path), Glossary("s", Random(0))
    glossary.concepts = [Concept("markone", "one")]
    world = World(Random(0), [glossary], kind="months")
    glossary.write("2026-01")
    publication.build(world, when="the first month begins")
    january = []
    for edition, month in ((1, "2026-02"), (3, "2026-03")):
        glossary.concepts[0].edition = edition
        glossary.released.clear()
        glossary.write("2026-01")
        glossary.concepts[0].edition = edition + 1
        glossary.write(month)
        first, *_ = publication.build(world, when=month).sources[0].releases
        january += [entry.definition.text for entry in first.entries]
    assert ["time 1" in text for text in january] == [True, True]


def test_what_could_not_be_read_when_it_was_published_is_not_missing(tmp_path: Path) -> None:
    """A document that could not be read when its release was published has no published words, so
    no build says that these are shown."""
    publication = Publication(tmp_path)
    *_, world = worlds(0, releases=3)
    del world.glossaries[1:]
    for content in (Special.LINK, Special.LINK, b"\xff\xfe\x00\xd8", Special.LINK):
        world.glossaries[0].released[-1][1]["more.md"] = content
        site = publication.build(world, when="again")
        found = site.composed.releases.values()
        assert [one for one in found if one.missing or not one.is_read] == []


def test_what_can_be_read_at_last_is_shown_in_a_closed_release(tmp_path: Path) -> None:
    """A document that could not be read when its release was published has the words that it has
    now, which contradict none that were published."""
    publication, glossary = Publication(tmp_path), Glossary("s", Random(0))
    _, text = markdown([Concept("markone", "one")])
    _, more = markdown([Concept("marktwo", "two")])
    for release in ("1.0", "2.0"):
        glossary.released.append((release, {"GLOSSARY.md": text, "more.md": Special.LINK}))
    world = World(Random(0), [glossary])
    publication.build(world, when="a link in 1.0")
    glossary.released[0][1]["more.md"] = more
    site = publication.build(world, when="a file in 1.0")
    assert [one.name for one in site.sources[0].releases[0].entries] == ["one", "two"]
    assert not any(one.differences for one in site.composed.releases.values())


def test_a_lost_term_is_not_the_one_whose_name_differs_in_case_alone(tmp_path: Path) -> None:
    """Where a version of sitegen loses one of two terms whose names differ in case alone, its links
    show its words, and not those of the other one."""
    publication, glossary = Publication(tmp_path, is_misread=True), Glossary("s", Random(0))
    glossary.concepts = [Concept("markone", "tensor"), Concept("marktwo", "Tensor")]
    world = World(Random(0), [glossary])
    for release in ("1.0", "2.0"):
        glossary.write(release)
    publication.build(world, when="two terms")
    assert {Link("term/tensor-2/", "r1.0"), Link("term/tensor-2/1.0/")} <= {*publication.links}
    publication.reader = FAULTY_READERS["loses_an_entry"]
    for when in ("one term lost", "again"):
        publication.build(world, when=when)


def test_an_edit_that_another_version_does_not_see_is_not_taken_over(tmp_path: Path) -> None:
    """Where a version of sitegen reads nothing in the published bytes and nothing in the edited
    ones, the next version shows the published words."""
    publication, glossary = Publication(tmp_path, is_misread=True), Glossary("s", Random(0))
    _, text = markdown([Concept("markone", "one")])
    glossary.released = [(release, {"GLOSSARY.md": text}) for release in ("1.0", "2.0", "3.0")]
    world = World(Random(0), [glossary])
    publication.build(world, when="three releases")
    glossary.released[0][1]["GLOSSARY.md"] = text.replace("stands", "stood")
    for reader in (FAULTY_READERS["loses_an_entry"], parsed):
        publication.reader = reader
        site = publication.build(world, when="1.0 edited")
    first, *_ = site.sources[0].releases
    assert ["stands" in entry.definition.text for entry in first.entries] == [True]


def test_pages_are_made_from_the_archive_that_is_published(tmp_path: Path) -> None:
    """The words on pages are those in the archive that the build publishes, without states of a
    release that it drops."""
    publication, glossary = Publication(tmp_path), Glossary("s", Random(0))
    glossary.concepts = [Concept("markone", "one")]
    world = World(Random(0), [glossary])
    glossary.write("1.0")
    for name in ("one", "two"):
        glossary.concepts[0].name = name
        glossary.released.clear()
        glossary.write("1.0")
        site = publication.build(world, when=name)
        assert site.composed.following.editions_of == publication.archive.editions_of


def test_a_page_has_an_id_once_after_a_merge(tmp_path: Path) -> None:
    """Where two branches published an entry of a withdrawn release under two names on one page, the
    page has the id of the release once, and one link to its words."""
    archives = []
    for name in ("one", "ONE"):
        glossary = Glossary("s", Random(0), concepts=[Concept("markone", name)])
        glossary.write("1.0")
        glossary.write("2.0")
        publication = Publication(tmp_path)
        publication.build(World(Random(0), [glossary]), when=name)
        archives.append(publication.archive)
    glossary.withdrawn.add("1.0")
    world = World(Random(0), [glossary])
    world.result.append('[[retired]]\nrelease = "1.0"\nreason = "wrong"\n')
    site = Publication(tmp_path, archive=united(archives)).build(world, when="merged")
    page = contents(site)["term/one/index.html"]
    assert (page.count(b' id="r1.0"'), page.count(b">1.0</a>")) == (1, 1)


def test_documents_that_cannot_be_read_are_listed_in_one_order(tmp_path: Path) -> None:
    """A page lists a document without terms and one that is no file in the same order when their
    release is new and when it was published."""
    publication, glossary = Publication(tmp_path), Glossary("s", Random(0))
    _, text = markdown([Concept("markone", "one")])
    glossary.released.append(("1.0", {"GLOSSARY.md": text}))
    glossary.released.append(("2.0", {"GLOSSARY.md": "Nothing.", "more.md": Special.LINK}))
    world = World(Random(0), [glossary])
    site = publication.build(world, when="a release that cannot be read")
    publication.check_second_build(world, site, when="again")


def test_a_document_without_published_words_is_not_missing(tmp_path: Path) -> None:
    """A document that cannot be read in one release, and whose bytes have no terms any more in
    another one, has no published words, so no build says that these are shown."""
    publication, glossary = Publication(tmp_path, is_misread=True), Glossary("s", Random(0))
    _, text = markdown([Concept("markone", "one")])
    _, more = markdown([Concept("marktwo", "two")])
    for release in ("1.0", "2.0"):
        glossary.released.append((release, {"GLOSSARY.md": text, "more.md": more}))
    world = World(Random(0), [glossary])
    publication.build(world, when="two releases")
    glossary.released[1][1]["GLOSSARY.md"] = Special.LINK
    publication.reader = FAULTY_READERS["loses_an_entry"]
    for when in ("one file is a link, and no term is read", "again"):
        site = publication.build(world, when=when)
        found = site.composed.releases.values()
        assert [one for one in found if one.missing or not one.is_read] == []


def test_the_address_of_a_withdrawn_name_stays_with_its_term(tmp_path: Path) -> None:
    """Where the only release with a former name of a term is withdrawn, the address of the name
    leads to that term, and not to another one that has the name later."""
    publication, glossary = Publication(tmp_path), Glossary("s", Random(0))
    first, other = Concept("markone", "one"), Concept("marktwo", "other")
    glossary.concepts = [first, other]
    world = World(Random(0), [glossary])
    for number, name in enumerate(("one", "two", "three"), start=1):
        first.name = name
        glossary.write(f"{number}.0")
        publication.build(world, when=name)
    glossary.withdrawn.add("2.0")
    world.result.append('[[retired]]\nrelease = "2.0"\nreason = "wrong"\n')
    other.name = "two"
    glossary.write("4.0")
    pages = publication.build(world, when="the name of another term").addresses.pages
    assert pages["two"].key == pages["three"].key != pages["other"].key


def test_a_name_that_only_a_withdrawn_release_had_leads_to_the_term_with_its_words(
    tmp_path: Path,
) -> None:
    """The page of a name that no release has any more leads to the term that has its words under
    another name, also if these are too few to say that both are one term."""
    publication, glossary = Publication(tmp_path), Glossary("s", Random(0))
    for release, name in (("1.0", "Kernel"), ("2.0", "Core")):
        text = f"# Glossary\n\n## {name}\n\nThe core.\n\n## Leaf\n\nThe end.\n"
        glossary.released.append((release, {"GLOSSARY.md": text}))
    world = World(Random(0), [glossary])
    publication.build(world, when="a name in 2.0 alone")
    glossary.withdrawn.add("2.0")
    world.result.append('[[retired]]\nrelease = "2.0"\nreason = "wrong"\n')
    site = publication.build(world, when="2.0 withdrawn")
    [page] = [one for one in site.kept if one.address == "term/core/"]
    assert page.term == site.addresses.pages["kernel"].key


def test_a_name_that_only_an_open_release_had_shows_its_words_when_the_source_is_gone(
    tmp_path: Path,
) -> None:
    """Where the latest release was published with one name and closed with another, the page of the
    first name keeps its words when the source is retired."""
    publication, glossary = Publication(tmp_path), Glossary("t", Random(0))
    renamed, other = Concept("markone", "one"), Concept("marktwo", "two")
    glossary.concepts = [renamed, other]
    staying = Glossary("s", Random(0), concepts=[Concept("markstays", "stays")], origin="s")
    glossary.origin = "t"
    world = World(Random(0), [staying, glossary])
    staying.write("1.0")
    glossary.write("1.0")
    publication.build(world, when="1.0 is open")
    glossary.released.clear()
    renamed.name = "first"
    glossary.write("1.0")
    publication.build(world, when="1.0 is still open, and has another name")
    glossary.write("2.0")
    publication.build(world, when="1.0 is closed")
    del world.glossaries[1]
    world.result.append('[[retired]]\nsource = "t"\nreason = "dropped"\n')
    publication.build(world, when="the source is retired")


def test_the_address_of_a_name_stays_with_it_when_one_term_becomes_two(tmp_path: Path) -> None:
    """Where site.toml says that two names of a published term are those of two terms, each has the
    address of its name."""
    publication, glossary = Publication(tmp_path), Glossary("s", Random(0))
    for number, name in enumerate(("one", "two"), start=1):
        glossary.concepts = [Concept("markone", name), Concept("markother", "other")]
        glossary.write(f"{number}.0")
    world = World(Random(0), [glossary])
    pages = publication.build(world, when="one term").addresses.pages
    assert pages["one"].key == pages["two"].key
    world.result.append('[[distinct]]\nnames = ["one", "two"]\n')
    pages = publication.build(world, when="two terms").addresses.pages
    assert pages["one"].key != pages["two"].key


def test_a_withdrawn_release_has_its_frozen_page_when_the_order_changes(tmp_path: Path) -> None:
    """A link to a withdrawn release leads to one page, also where a new release comes first."""
    publication, glossary = Publication(tmp_path), Glossary("s", Random(0))
    glossary.concepts = [Concept("markone", "one"), Concept("marktwo", "two")]
    world = World(Random(0), [glossary])
    for number, edition in enumerate((0, 1, 0), start=1):
        glossary.concepts[0].edition = edition
        glossary.write(f"{number}.0")
    publication.build(world, when="three releases")
    glossary.withdrawn.add("3.0")
    world.result.append('[[retired]]\nrelease = "3.0"\nreason = "wrong"\n')
    glossary.write("4.0")
    glossary.order = ["4.0", "2.0", "1.0"]
    site = publication.build(world, when="the newest release comes first")
    publication.check_second_build(world, site, when="the newest release comes first")


@pytest.mark.parametrize(
    ("before", "after"), [("drops_words", "none"), ("reads_one_more", "drops_words")]
)
def test_a_link_to_withdrawn_words_leads_to_their_page_however_these_are_read(
    tmp_path: Path, before: str, after: str
) -> None:
    """The link to a withdrawn release leads to the frozen page with its words, also when another
    version of sitegen reads the words of that page otherwise."""
    publication, glossary = Publication(tmp_path, is_misread=True), Glossary("s", Random(0))
    glossary.concepts = [Concept("markone", "one"), Concept("marktwo", "two")]
    world = World(Random(0), [glossary])
    for number in range(1, 4):
        glossary.write(f"{number}.0")
    publication.reader = FAULTY_READERS[before]
    publication.build(world, when="three releases")
    glossary.withdrawn.add("2.0")
    world.result.append('[[retired]]\nrelease = "2.0"\nreason = "wrong"\n')
    publication.reader = FAULTY_READERS.get(after, parsed)
    for when in ("2.0 withdrawn", "again", "and again"):
        moved = publication.build(world, when=when).addresses.pages["one"].moved
        assert [(one.published.id, one.address) for one in moved] == [("r2.0", "term/one/2.0/")]


def test_a_release_that_is_not_read_is_published_as_its_bytes_are_read_elsewhere(
    tmp_path: Path,
) -> None:
    """An entry that is new in the bytes of two releases, one of which is not read now, is published
    in both."""
    publication, glossary = Publication(tmp_path, is_misread=True), Glossary("s", Random(0))
    glossary.concepts = [Concept("markone", "one")]
    world = World(Random(0), [glossary])
    for number in range(1, 4):
        glossary.released.append((f"{number}.0", {"GLOSSARY.md": markdown(glossary.concepts)[1]}))
    publication.build(world, when="three releases")
    del glossary.released[1]
    publication.reader = FAULTY_READERS["reads_one_more"]
    publication.build(world, when="2.0 lost, and one entry more")
    for release in ("1.0", "2.0", "3.0"):
        assert "gizmo" in publication.archive.names["s", release]


def test_a_page_keeps_the_name_of_its_first_term(tmp_path: Path) -> None:
    """A second name of a term with the same slug does not change the name of its page."""
    publication, glossary = Publication(tmp_path), Glossary("s", Random(0))
    for number, name in enumerate(("a b", "a-b", "a.b"), start=1):
        glossary.concepts = [Concept("markone", name), Concept("marktwo", "other")]
        glossary.write(f"{number}.0")
        site = publication.build(World(Random(0), [glossary]), when=name)
        assert site.addresses.pages["a-b"].name == "a b"


def _published(archive: Archive) -> object:
    """Returns the names in each release, and the addresses."""
    names = {at: known_names(archive, states) for at, states in archive.editions_of.items()}
    return names, archive.pages


def _entry_at(release: str, entry: Entry) -> tuple[str, str, str, str]:
    """Returns the source, a release, the document and the name of an entry."""
    return entry.place.source, release, entry.place.name, entry.name


def _changes(site: Site) -> list[tuple[Change, ...]]:
    return sorted((life.changes for life in site.lives), key=repr)


def _closed_changes(site: Site, published: Archive) -> list[tuple[str, ...]]:
    """Returns what changed in the closed releases, with the words."""
    closed = set()
    for (source, release), states in published.editions_of.items():
        if states[0].is_closed:
            closed.add((published.present_id(source), release))
    changes = [change for life in site.lives for change in life.changes]
    return sorted(
        (one.kind, one.source, one.release, _said(one.before), _said(one.after))
        for one in changes
        if (one.source, one.release) in closed
    )


def _said(entry: Entry | None) -> str:
    return f"{entry.name}: {entry.definition.text}" if entry else ""


def test_the_lines_of_a_page_do_not_double_with_each_merge(tmp_path: Path) -> None:
    """If two branches publish new names of a term again and again, its page has two lines after
    each merge."""
    archive, history = Archive(), [_release("1.0", "Kernel")]
    spellings = ["KERNEL", "kernel", "KErnel", "kERNEL", "KERnel", "kerNEL"]
    for ours, theirs in (("2.0", "3.0"), ("4.0", "5.0"), ("6.0", "7.0")):
        new = [_release(ours, spellings.pop()), _release(theirs, spellings.pop())]
        branches = []
        for release in new:
            branch = Publication(tmp_path, archive=archive)
            branch.build(_world(*history, release), when=f"{release[0]} on a branch")
            branches.append(branch.archive)
        history += new
        merged = Publication(tmp_path, archive=united(branches))
        merged.build(_world(*history), when=f"{ours} and {theirs} are merged")
        archive = merged.archive
        assert len(archive.by_address["term/kernel/"].lines) == 2


def _release(release: str, name: str) -> tuple[str, dict[str, str]]:
    """Returns a release with a term of this name, and another term."""
    return release, {"GLOSSARY.md": f"# Glossary\n\n## {name}\n\nThe core.\n\n## Leaf\n\nAn end.\n"}


def _world(*releases: tuple[str, dict[str, str]]) -> World:
    """Returns a world in which one glossary has these releases."""
    glossary = Glossary("s", Random(0))
    glossary.released += releases
    return World(Random(0), [glossary])
