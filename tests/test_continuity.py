"""A release that does not continue what was published is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest
from commands import Command
from histories import Glossary, Special, World
from published import Publication
from readers import Entries, read_with

from sitegen.model import Designation
from sitegen.permanence.archive import READING, Archive, ArchivedEdition
from sitegen.permanence.continuity import ContinuityError
from sitegen.sources.parsed_sources import parsed

Terms = Mapping[str, str]

FRUITS = {name: f"The {name} is a fruit." for name in ("apple", "pear", "plum", "fig", "date")}
TOOLS = {
    name: f"Use your {name} for wood." for name in ("axe", "saw", "adze", "plane", "rasp", "date")
}


UNREAD: Terms = {}
"""In the place of the terms of a file that cannot be read."""


def publish(
    folder: Path, *releases: Mapping[str, Terms], tables: Iterable[str] = ()
) -> Publication:
    """Publishes releases, of which each is built with the earlier ones, with these tables of
    site.toml."""
    glossary, publication = Glossary("s", Random(0)), Publication(folder, refuses=True)
    world = World(Random(0), [glossary], [*tables])
    for number, files in enumerate(releases, start=1):
        contents = {
            name: _document(terms) if terms else Special.LINK for name, terms in files.items()
        }
        glossary.released.append((f"{number}.0", contents))
        publication.build(world, when=f"release {number}")
    return publication


def _document(terms: Terms) -> str:
    items = "".join(f"## {name}\n\n{text}\n\n" for name, text in terms.items())
    return f"# Glossary\n\n{items}"


def test_another_glossary_is_refused(tmp_path: Path) -> None:
    """A release without half of the terms of the release before it is not published."""
    with pytest.raises(ContinuityError, match=r"^s: 0 of the 5 terms of 1\.0 are in 2\.0 with"):
        publish(tmp_path, {"fruits.md": FRUITS}, {"tools.md": TOOLS})
    with pytest.raises(ContinuityError):
        publish(tmp_path, {"GLOSSARY.md": FRUITS}, {"GLOSSARY.md": TOOLS})


def test_a_first_build_continues_nothing(tmp_path: Path) -> None:
    """Releases that are published together for the first time may have nothing in common."""
    glossary, publication = Glossary("s", Random(0)), Publication(tmp_path, refuses=True)
    for release, terms in (("1.0", FRUITS), ("2.0", TOOLS)):
        glossary.released.append((release, {"a.md": _document(terms)}))
    site = publication.build(World(Random(0), [glossary]), when="the first build")
    assert len(site.sources[0].releases) == 2


def test_half_of_the_terms_are_enough(tmp_path: Path) -> None:
    """A release with just half of the terms of the release before it continues that one."""
    few = {name: TOOLS[name] for name in ("axe", "saw", "adze")}
    publish(tmp_path, {"a.md": TOOLS}, {"a.md": few})
    del few["axe"]
    with pytest.raises(ContinuityError, match=r"2 of the 6 terms of 1\.0 are in 2\.0"):
        publish(tmp_path, {"a.md": TOOLS}, {"a.md": few})


def test_a_release_is_compared_with_the_one_before_it_not_with_a_withdrawn_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """A new 1.5 that continues 1.0 is published, whatever a withdrawn 2.0 had."""
    monkeypatch.chdir(tmp_path)
    Path("fruits.md").write_text(_document(FRUITS))
    Path("all.md").write_text(_document({**FRUITS, **TOOLS}))
    Path("few.md").write_text(_document({name: FRUITS[name] for name in ("apple", "pear", "plum")}))
    for name, file in (("2.0", "all.md"), ("1.5", "few.md")):
        files = f'files = {{ "1.0" = "fruits.md", "{name}" = "{file}" }}'
        Path("site.toml").write_text(f'[[source]]\nid = "s"\n{files}\n')
        assert command("build").err == ""
    assert Path("site/release/1.5/index.html").exists()


def test_declared_renames_go_on(tmp_path: Path) -> None:
    """Terms whose new names site.toml says go on under these, with the same words."""
    renamed = {f"{name} tree": text for name, text in FRUITS.items()}
    tables = [f'[[rename]]\nsource = "s"\nfrom = "{name}"\nto = "{name} tree"\n' for name in FRUITS]
    publish(tmp_path, {"a.md": FRUITS}, {"a.md": renamed}, tables=tables)
    with pytest.raises(ContinuityError, match="0 of the 5 terms"):
        publish(tmp_path, {"a.md": FRUITS}, {"a.md": renamed})


def test_other_words_of_a_release_without_a_name_are_refused(tmp_path: Path) -> None:
    """A glossary without releases is compared with its published words. The message speaks of no
    release, and the table that it shows is accepted."""
    glossary, publication = Glossary("s", Random(0)), Publication(tmp_path, refuses=True)
    world = World(Random(0), [glossary])
    glossary.released = [("", {"a.md": _document(FRUITS)})]
    publication.build(world, when="fruits")
    glossary.released = [("", {"a.md": _document(TOOLS)})]
    with pytest.raises(
        ContinuityError, match=r"^s: 0 of the 5 published terms are in the g"
    ) as error:
        publication.build(world, when="tools")
    _, _, table = str(error.value).partition("\n")
    world.result.append(f"{table}\n")
    publication.build(world, when="tools, accepted")


def test_other_words_of_an_open_release_are_refused(tmp_path: Path) -> None:
    """An open release is compared with its own published words."""
    publication = publish(tmp_path, {"a.md": FRUITS})
    glossary = Glossary("s", Random(0))
    glossary.released = [("1.0", {"a.md": _document(TOOLS)})]
    with pytest.raises(ContinuityError, match=r"^s: 0 of the 5 published terms are in 1\.0 with"):
        publication.build(World(Random(0), [glossary]), when="tools")


def test_files_that_another_version_read_otherwise_are_not_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If this version of sitegen reads other names in the files that another one published, they
    are the same files. If a setting is the reason, they are refused."""

    def with_numbers(entries: Entries) -> Entries:
        numbered = []
        for entry in entries:
            names = (Designation(text=f"1. {entry.name}"),)
            numbered.append(entry._replace(text=replace(entry.text, designations=names)))
        return tuple(numbered)

    glossary, publication = Glossary("s", Random(0)), Publication(tmp_path, refuses=True)
    world = World(Random(0), [glossary])
    glossary.released = [(release, {"a.md": _document(FRUITS)}) for release in ("1.0", "2.0")]
    publication.reader = partial(read_with, fault=with_numbers)
    with monkeypatch.context() as patch:
        patch.setattr("sitegen.permanence.composed_sources.READING", READING - 1)
        publication.build(world, when="read with numbers")
    archive = publication.archive
    publication.reader = parsed
    publication.build(world, when="read without numbers")

    editions = {
        sum: replace(line, reading=READING) if isinstance(line, ArchivedEdition) else line
        for sum, line in archive.lines.items()
    }
    publication.archive = Archive(editions)
    with pytest.raises(ContinuityError, match="0 of the"):
        publication.build(world, when="read otherwise by the same version")


def test_the_only_term_may_be_reworded(tmp_path: Path) -> None:
    """In a glossary with fewer than five terms, a term goes on with other words in the same
    file, and not in another file."""
    old, new = {"kernel": "A function for one device."}, {"kernel": "Code of an operator."}
    assert publish(tmp_path, {"a.md": old}, {"a.md": new}).archive.editions_of.keys() == {
        ("s", "1.0"),
        ("s", "2.0"),
    }
    with pytest.raises(ContinuityError, match="0 of the 1 term of 1"):
        publish(tmp_path, {"a.md": old}, {"b.md": new})


def test_a_release_is_compared_with_one_that_was_read_in_full(tmp_path: Path) -> None:
    """A release whose predecessor could not be read in full is compared with an earlier one, and
    with none if too little was read."""
    one, two = {"a.md": FRUITS, "more/b.md": {"nut": "A hard seed."}}, {"a.md": FRUITS}
    unread = {**one, "a.md": UNREAD}
    publish(tmp_path, one, unread, two)
    publish(tmp_path, unread, two)
    with pytest.raises(ContinuityError, match=r"of 1\.0 are in 3\.0"):
        publish(tmp_path, one, unread, {"a.md": TOOLS})


def test_other_files_beside_the_glossary_are_refused(tmp_path: Path) -> None:
    """Files with many new terms are not published beside those of the release before it. A file
    that was moved may have many new terms."""
    with pytest.raises(ContinuityError, match=r"2\.0 has 5 new terms in other files"):
        publish(tmp_path, {"a.md": FRUITS}, {"a.md": FRUITS, "b.md": TOOLS})
    publish(tmp_path, {"a.md": FRUITS}, {"docs/a.md": {**TOOLS, **FRUITS}})


def test_earlier_releases_of_something_else_are_refused(tmp_path: Path) -> None:
    """Releases that are inserted before the first published one have to be continued by it, also if
    they have fewer terms."""
    glossary, publication = Glossary("s", Random(0)), Publication(tmp_path, refuses=True)
    world = World(Random(0), [glossary])
    glossary.released.append(("3.0", {"a.md": _document(FRUITS)}))
    publication.build(world, when="release 3")
    few = {name: FRUITS[name] for name in ("apple", "pear")}
    for number, terms in ((2, few), (1, TOOLS)):
        older = [(f"{number}.{patch}", {"a.md": _document(terms)}) for patch in (0, 1)]
        glossary.released[:0] = older
        if terms == few:
            publication.build(world, when="earlier releases")
    with pytest.raises(
        ContinuityError,
        match=r"0 of the 6 terms of 1\.1 are in 2\.0 with similar words \(.*a\.md\)",
    ):
        publication.build(world, when="releases of something else")
