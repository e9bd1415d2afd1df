"""Which entry translates which: pairs that are found, declared in site.toml, or possible."""

from __future__ import annotations

from pathlib import Path

import pytest
from translated import (
    CACHE,
    CACHE_2,
    CACHE_FR,
    DAYS,
    EN,
    FR,
    NODE,
    NODE_FR,
    SETTINGS,
    both,
    commit,
    languages,
    problems,
    repository,
    states,
    term,
)


def test_what_may_be_translated_is_not_missing(tmp_path: Path) -> None:
    """An original is not called missing if a text without an original may translate it."""
    folder = tmp_path / "project"
    both(folder)
    lone = {f"{EN}/peer.md": term("Peer", "Another."), f"{FR}/pair.md": term("Pair", "Un autre.")}
    commit(folder, lone, DAYS[2])
    found = states(folder)["Peer"]
    assert (found.state, found.candidates) == ("unpaired", ("Pair",))


def test_an_original_is_translated_in_its_own_file(tmp_path: Path) -> None:
    """An original is offered the texts of its file, and those of all files if the translation lacks
    its file."""
    folder = tmp_path / "project"
    repository(folder)
    files = {
        f"{EN}/tools.md": "Anvil Both Hammer",
        f"{FR}/tools.md": "Both Enclume",
        f"{EN}/boats.md": "Oar Each Keel",
        f"{FR}/boats.md": "Rame Each Quille",
        f"{EN}/ropes.md": "Knot Splice",
    }
    for path, names in files.items():
        terms = [f"## {name}\n\nWords in {path}: {name * 5}.\n\n" for name in names.split()]
        commit(folder, {path: "# Words\n\n" + "".join(terms)}, DAYS[0])
    candidates = {name: one.candidates for name, one in states(folder).items()}
    assert candidates["Hammer"] == ("Enclume",)
    assert candidates["Keel"] == ("Quille", "Rame")
    assert set(candidates["Knot"]) == {"Enclume", "Rame", "Quille"}


def test_the_likeliest_translation_has_the_same_number_where_none_is_known(tmp_path: Path) -> None:
    """In a file without pairs, the second original is offered the second text first."""
    folder = tmp_path / "project"
    repository(folder)
    for language, lone in ((EN, "A B C"), (FR, "X Y Z")):
        text = "".join(f"## {name}\n\nWords in {language}: {name}.\n\n" for name in lone.split())
        commit(folder, {f"{language}/words.md": f"# Words\n\n{text}"}, DAYS[0])
    candidates = {name: one.candidates for name, one in states(folder).items()}
    assert candidates == {"A": ("X", "Y", "Z"), "B": ("Y", "X", "Z"), "C": ("Z", "Y", "X")}


def test_what_few_texts_could_translate_is_missing(tmp_path: Path) -> None:
    """One text without an original does not put three originals in doubt: these are missing."""
    folder = tmp_path / "project"
    both(folder)
    files = {f"{EN}/{name}.md": term(name, f"A {name}.") for name in ("peer", "pool", "port")}
    commit(folder, {**files, f"{FR}/pair.md": term("Pair", "Un autre.")}, DAYS[2])
    found = states(folder)
    assert {found[name].state for name in ("peer", "pool", "port")} == {"missing"}
    commit(folder, {f"{EN}/port.md": None}, DAYS[3])
    assert {states(folder)[name].state for name in ("peer", "pool")} == {"unpaired"}


def test_a_person_settles_a_case_and_a_pair(tmp_path: Path) -> None:
    """[[current]] says which words were translated, [[same]] pairs two names; a wrong table is a
    problem."""
    folder = tmp_path / "project"
    both(folder)
    commit(
        folder,
        {
            f"{EN}/cache.md": term("Cache", CACHE_2),
            f"{FR}/tampon.md": term("Tampon", "Une mémoire."),
        },
        DAYS[2],
    )
    commit(folder, {f"{EN}/buffer.md": term("Buffer", "A memory for a moment.")}, DAYS[3])
    more = f"""
[[current]]
language = "fr"
term = "Cache"
release = "{DAYS[2]}"

[[current]]
language = "fr"
term = "Cache"
release = "2031-01-01"

[[same]]
language = "fr"
names = ["Buffer", "Tampon"]

[[same]]
language = "fr"
names = ["Cache", "Tampon"]
"""
    (folder / "site.toml").write_text(SETTINGS + more, encoding="utf-8")
    found = states(folder)
    assert (found["Cache"].state, found["Buffer"].state) == ("up-to-date", "unknown")
    line = SETTINGS.count("\n") + 7
    expected = [
        f"site.toml:{line}: [[current]] 'Cache' is not a translated term of '2031-01-01' in 'fr'; "
        "write the present name of an original, and a release that has it",
        f"site.toml:{line + 9}: [[same]] 'Cache' and 'Tampon' are not a pair in 'fr'; write the "
        "name of an original, then that of its translation, each in one table",
    ]
    assert problems(folder) == expected


def test_translated_words_are_withheld(tmp_path: Path) -> None:
    """The words from which a [[current]] table says that a translation was made have no withheld
    text."""
    folder = tmp_path / "project"
    both(folder)
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE_2)}, DAYS[2])
    tables = f"""
[[current]]
language = "fr"
term = "Cache"
release = "{DAYS[0]}"

[[withheld]]
text = "used again"
reason = "asked"
"""
    (folder / "site.toml").write_text(SETTINGS + tables, encoding="utf-8")
    found = states(folder)["Cache"]
    assert found.state == "behind"
    assert found.made_from and found.made_from.text == CACHE.replace("used again", "[…1]")


def test_a_table_is_about_the_terms_of_one_source(tmp_path: Path) -> None:
    """A table about a term that one source of a language has is no problem for another one; one
    about a term without a translation is."""
    folder = tmp_path / "project"
    other = SETTINGS.replace('"words"', '"others"').replace("docs/", "others/")
    more = f"""
[[same]]
language = "fr"
names = ["Buffer", "Tampon"]

[[current]]
language = "fr"
term = "Cache"
release = "{DAYS[0]}"

[[current]]
language = "fr"
term = "Node"
release = "{DAYS[0]}"
"""
    made = repository(folder, SETTINGS + other + more)
    originals = {f"{EN}/cache.md": term("Cache", CACHE), f"{EN}/node.md": term("Node", NODE)}
    originals["others/en/buffer.md"] = term("Buffer", "A memory for a moment.")
    made.commit(originals, day=DAYS[0])
    french = {f"{FR}/cache.md": term("Le cache", CACHE_FR)}
    made.commit({**french, "others/fr/tampon.md": term("Tampon", "Une mémoire.")}, day=DAYS[1])
    (problem,) = problems(folder)
    assert "[[current]] 'Node' is not a translated term" in problem


@pytest.mark.parametrize(
    ("original", "translated"),
    [
        ("## Cache {#cache-id}\n\nOne.\n", "## Tampon {#cache-id}\n\nUn.\n"),
        ("## Cache\n\nOne.\n", "## Mémoire (cache)\n\nUne.\n"),
        ("## Cache\n\nOne.\n", "## 缓存（Cache）\n\n一。\n"),
        ("## Cache\n\nOne.\n", "## CACHE\n\nUn.\n"),
    ],
)
def test_terms_of_one_file_are_paired(tmp_path: Path, original: str, translated: str) -> None:
    """Terms are paired by an id, by the same name, or by the original's name in the translation."""
    folder = tmp_path / "project"
    settings = SETTINGS.replace("docs/en", "docs/glossary.md").replace(
        "docs/fr", "docs/glossary.fr.md"
    )
    made = repository(folder, settings)
    made.commit({"docs/glossary.md": f"# Glossary\n\n{original}\n## Node\n\nTwo.\n"}, day=DAYS[0])
    made.commit(
        {"docs/glossary.fr.md": f"# Glossaire\n\n{translated}\n## Nœud\n\nDeux.\n"}, day=DAYS[1]
    )
    found = languages(folder)["fr"]
    assert [one.original.name for one in found.translations if one.entry] == ["Cache"]
    assert [problem.details for problem in found.problems] == [
        '[[same]]\nlanguage = "fr"\nnames = ["Node", "Nœud"]\n'
    ]


def test_the_first_entry_of_a_name_in_a_file_counts(tmp_path: Path) -> None:
    """A later one has no state of its own, in any commit."""
    folder = tmp_path / "project"
    settings = SETTINGS.replace("docs/en", "docs/glossary.md").replace(
        "docs/fr", "docs/glossary.fr.md"
    )
    made = repository(folder, settings)
    twice = f"# Glossary\n\n## Cache\n\n{CACHE}\n\n## Node\n\n{NODE}\n"
    made.commit({"docs/glossary.md": f"{twice}\n## Cache\n\nMoney in a box.\n"}, day=DAYS[0])
    made.commit(
        {"docs/glossary.fr.md": f"# Glossaire\n\n## Cache\n\n{CACHE_FR}\n\n## Node\n\n{NODE_FR}\n"},
        day=DAYS[1],
    )
    assert states(folder)["Cache"].state == "up-to-date"
    made.commit({"docs/glossary.md": twice}, day=DAYS[2])
    assert states(folder)["Cache"].state == "up-to-date"


def test_a_mention_of_another_term_is_no_pair(tmp_path: Path) -> None:
    """A name in parentheses is that of the original only where the definition begins."""
    folder = tmp_path / "project"
    settings = SETTINGS.replace("docs/en", "docs/glossary.md").replace(
        "docs/fr", "docs/glossary.fr.md"
    )
    made = repository(folder, settings)
    made.commit(
        {"docs/glossary.md": "# Glossary\n\n## Gas\n\nOne.\n\n## Market\n\nTwo.\n"}, day=DAYS[0]
    )
    market = (
        "## Bourse\n\nUn lieu où les organisations achètent de quoi compenser ce qu'elles "
        "émettent (gas).\n"
    )
    made.commit(
        {"docs/glossary.fr.md": f"# Glossaire\n\n{market}\n## Pair\n\nUn (market) pair.\n"},
        day=DAYS[1],
    )
    found = languages(folder)["fr"].translations
    assert {one.original.name: one.entry.name for one in found if one.entry} == {"Market": "Pair"}
