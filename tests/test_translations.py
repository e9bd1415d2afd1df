"""How far translations are behind: pairs, states, bad input, and random histories against an oracle
of their own."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, time
from pathlib import Path
from random import Random

import pytest
from soaking import seeds
from translated import (
    CACHE,
    CACHE_2,
    CACHE_FR,
    CACHE_FR_2,
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

from sitegen.commands.main import sitegen
from sitegen.config.tables import SourceTable
from sitegen.model import SitegenError
from sitegen.pipeline.site_build import read_inputs
from sitegen.sources.discovery import find_glossaries
from sitegen.sources.git.repositories import Clones
from sitegen.sources.parsed_sources import parsed
from sitegen.sources.translated_sources import history_of, read_logs


def test_a_reworded_original_leaves_its_translation_behind(tmp_path: Path) -> None:
    """The state names the commit, and the words that the translation was made from."""
    folder = tmp_path / "project"
    both(folder)
    assert {one.state for one in states(folder).values()} == {"up-to-date"}
    id = commit(folder, {f"{EN}/cache.md": term("Cache", CACHE_2)}, DAYS[2])
    found = states(folder)
    assert (found["Cache"].state, found["Node"].state) == ("behind", "up-to-date")
    since, made_from, translated = (
        found["Cache"].since,
        found["Cache"].made_from,
        found["Cache"].translated,
    )
    assert since and made_from and translated
    assert (since.commit, made_from.text, translated.day) == (id, CACHE, DAYS[1])


def test_only_words_count(tmp_path: Path) -> None:
    """Links, markup, front matter and moves of either side change no state."""
    folder = tmp_path / "project"
    both(folder)
    linked = CACHE.replace("results", "[results](https://example.org)")
    commit(folder, {f"{EN}/cache.md": term("Cache", f"**{linked}**", tags="new")}, DAYS[2])
    assert states(folder)["Cache"].state == "up-to-date"
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE_2)}, DAYS[3])
    commit(
        folder,
        {f"{FR}/cache.md": term("Le cache", CACHE_FR.replace("cache", "*cache*"), tags="x")},
        DAYS[4],
    )
    assert states(folder)["Cache"].state == "behind"
    settings = SETTINGS.replace('"docs/fr"', '"docs/fr-FR", "docs/fr"')
    (folder / "site.toml").write_text(settings, encoding="utf-8")
    moved = {f"{FR}/{name}.md": None for name in ("cache", "node")}
    texts = {"cache": term("Le cache", CACHE_FR), "node": term("Nœud", NODE_FR)}
    commit(
        folder,
        {**moved, **{f"docs/fr-FR/{name}.md": text for name, text in texts.items()}},
        DAYS[5],
    )
    assert (states(folder)["Cache"].state, states(folder)["Node"].state) == ("behind", "up-to-date")


def test_a_new_translation_is_up_to_date_and_a_small_change_is_none(tmp_path: Path) -> None:
    """A translation that was changed by little against its original stays behind."""
    folder = tmp_path / "project"
    both(folder)
    commit(
        folder,
        {
            f"{EN}/cache.md": term("Cache", CACHE_2),
            f"{EN}/node.md": term("Node", f"{NODE} {CACHE}"),
        },
        DAYS[2],
    )
    accents = term("Le cache", CACHE_FR.replace("é", "e"))
    commit(
        folder,
        {f"{FR}/cache.md": accents, f"{FR}/node.md": term("Nœud", f"{NODE_FR} {CACHE_FR}")},
        DAYS[3],
    )
    found = states(folder)
    assert (found["Cache"].state, found["Node"].state) == ("behind", "up-to-date")
    commit(folder, {f"{FR}/cache.md": term("Le cache", CACHE_FR_2)}, DAYS[4])
    assert states(folder)["Cache"].state == "up-to-date"


def test_a_small_change_does_not_make_up_for_an_earlier_rewording(tmp_path: Path) -> None:
    """A translation that was changed by little is behind since the first rewording that it lacks,
    also if its original was reworded again."""
    folder = tmp_path / "project"
    both(folder)
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE_2)}, DAYS[2])
    accents = term("Le cache", CACHE_FR.replace("é", "e"))
    commit(folder, {f"{FR}/cache.md": accents}, DAYS[3])
    commit(folder, {f"{EN}/cache.md": term("Cache", f"{CACHE_2} It is small.")}, DAYS[4])
    found = states(folder)["Cache"]
    assert (found.state, found.rewordings) == ("behind", 2)
    assert found.made_from and found.made_from.text == CACHE
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE)}, DAYS[5])
    assert states(folder)["Cache"].state == "up-to-date"


def test_words_that_are_back_leave_nothing_behind(tmp_path: Path) -> None:
    """If the original has the words again that the translation was made from, it is up to date."""
    folder = tmp_path / "project"
    both(folder)
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE_2)}, DAYS[2])
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE)}, DAYS[3])
    assert states(folder)["Cache"].state == "up-to-date"


def test_terms_with_folders_of_their_own_may_move(tmp_path: Path) -> None:
    """A file `cache/index.md` is a term, and a move of both languages in one commit changes no
    state."""
    folder = tmp_path / "project"
    before = {
        f"{EN}/cache/index.md": term("Cache", CACHE),
        f"{EN}/node/index.md": term("Node", NODE),
        f"{FR}/cache/index.md": term("Le cache", CACHE_FR),
        f"{FR}/node/index.md": term("Nœud", NODE_FR),
    }
    repository(folder)
    commit(folder, {path: text for path, text in before.items() if path.startswith(EN)}, DAYS[0])
    commit(folder, {path: text for path, text in before.items() if path.startswith(FR)}, DAYS[1])
    reworded = before | {f"{EN}/cache/index.md": term("Cache", CACHE_2)}
    commit(folder, reworded, DAYS[2])
    expected = {"Cache": "behind", "Node": "up-to-date"}
    assert {name: one.state for name, one in states(folder).items()} == expected
    moved: dict[str, str | None] = {}
    for path, text in reworded.items():
        moved |= {path: None, path.replace("/index.md", ".md"): text}
    commit(folder, moved, DAYS[3])
    assert {name: one.state for name, one in states(folder).items()} == expected


def test_a_rename_with_other_words_leaves_a_translation_behind(tmp_path: Path) -> None:
    """A translation was made from the words that its original had under its former name."""
    folder = tmp_path / "project"
    both(folder)
    reworded = f"{CACHE} It is small."
    moved: dict[str, str | None] = {
        f"{EN}/cache.md": None,
        f"{EN}/store.md": term("Store", reworded),
        f"{FR}/cache.md": None,
        f"{FR}/store.md": term("Le cache", CACHE_FR),
    }
    commit(folder, moved, DAYS[2])
    found = states(folder)["Store"]
    assert found.state == "behind"
    assert found.made_from and found.made_from.text == CACHE


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


def test_untranslated_missing_and_orphaned(tmp_path: Path) -> None:
    """Words of the original are no translation, and an original that is gone leaves an orphan."""
    folder = tmp_path / "project"
    both(folder)
    commit(
        folder,
        {f"{FR}/cache.md": term("Le cache", CACHE), f"{EN}/peer.md": term("Peer", "Another node.")},
        DAYS[2],
    )
    commit(folder, {f"{EN}/node.md": None}, DAYS[3])
    found = {name: one.state for name, one in states(folder).items()}
    assert found == {"Cache": "untranslated", "Peer": "missing", "Node": "orphaned"}


def test_a_text_that_moved_to_its_language_is_no_orphan(tmp_path: Path) -> None:
    """Where the originals were in the language of the translation first, these have the same words,
    and are no originals of it."""
    folder = tmp_path / "project"
    both(folder)
    words = "Garde les travaux sur une longue bande."
    commit(folder, {f"{EN}/bande.md": term("Bande", words)}, DAYS[2])
    moved = {f"{EN}/bande.md": None, f"{FR}/bande.md": term("Bande", words)}
    commit(folder, {**moved, f"{EN}/tape.md": term("Tape", "Keeps jobs.")}, DAYS[3])
    found = {name: one.state for name, one in states(folder).items()}
    assert found == {"Cache": "up-to-date", "Node": "up-to-date", "Tape": "unpaired"}


def test_the_translation_of_a_renamed_original_stays_its_translation(tmp_path: Path) -> None:
    """A file that still has the former name of its original is the translation of the term under
    its present name, also after a second rename, unless another file has that name. An original
    that was renamed and then removed leaves an orphan."""
    folder = tmp_path / "project"
    both(folder)
    commit(folder, {f"{EN}/node.md": None, f"{EN}/nodes.md": term("Nodes", NODE)}, DAYS[2])
    assert states(folder)["Nodes"].state == "up-to-date"
    reworded = f"{NODE} It has a name."
    commit(folder, {f"{EN}/nodes.md": None, f"{EN}/peers.md": term("Peers", reworded)}, DAYS[3])
    assert states(folder)["Peers"].state == "behind"
    commit(folder, {f"{FR}/peers.md": term("Pairs", NODE_FR)}, DAYS[4])
    found = states(folder)
    assert (found["Peers"].state, found["Node"].state) == ("up-to-date", "orphaned")
    commit(folder, {f"{FR}/peers.md": None, f"{EN}/peers.md": None}, DAYS[5])
    assert states(folder)["Node"].state == "orphaned"


def test_a_rename_that_a_merge_dropped_leaves_no_original(tmp_path: Path) -> None:
    """An original that only a dropped branch renamed, and that was removed later, is gone."""
    folder = tmp_path / "project"
    made = repository(folder)
    made.commit({f"{EN}/node.md": term("Node", NODE)}, day=DAYS[0])
    made.commit({f"{FR}/node.md": term("Nœud", NODE_FR)}, day=DAYS[1])
    made.git("switch", "--quiet", "--create", "side")
    made.commit({f"{EN}/node.md": None, f"{EN}/peer.md": term("Peer", NODE)}, day=DAYS[2])
    made.git("switch", "--quiet", "main")
    made.commit({f"{FR}/node.md": term("Nœud", f"{NODE_FR} Bien.")}, day=DAYS[3])
    made.git("merge", "--quiet", "--no-edit", "--strategy=ours", "side", day=DAYS[3])
    made.commit({f"{EN}/cache.md": term("Cache", CACHE), f"{EN}/node.md": None}, day=DAYS[4])
    assert states(folder)["Node"].state == "orphaned"


def test_one_commit_with_both_languages_says_nothing(tmp_path: Path) -> None:
    """The first commit, and a shallow clone, do not show which wording was translated; a later
    change does."""
    folder = tmp_path / "project"
    made = repository(folder)
    files = {f"{EN}/cache.md": term("Cache", CACHE), f"{FR}/cache.md": term("Le cache", CACHE_FR)}
    made.commit(
        {**files, f"{EN}/node.md": term("Node", NODE), f"{FR}/node.md": term("Nœud", NODE_FR)},
        day=DAYS[0],
    )
    made.commit({f"{EN}/node.md": term("Node", f"{NODE} It has a name.")}, day=DAYS[1])
    assert {name: one.state for name, one in states(folder).items()} == {
        "Cache": "unknown",
        "Node": "behind",
    }
    made.git("clone", "--quiet", "--depth=1", f"file://{folder}", str(tmp_path / "shallow"))
    (tmp_path / "shallow/site.toml").write_text(SETTINGS, encoding="utf-8")
    assert {one.state for one in states(tmp_path / "shallow").values()} == {"unknown"}


def test_the_order_is_that_of_commits_also_on_one_day_and_on_branches(tmp_path: Path) -> None:
    """Commits of one day are in their order, and those of a merged branch count from their own
    dates."""
    folder = tmp_path / "project"
    made = repository(folder)
    made.commit({f"{EN}/cache.md": term("Cache", CACHE)}, day=DAYS[0])
    made.commit({f"{FR}/cache.md": term("Le cache", CACHE_FR)}, day=DAYS[0])
    assert states(folder)["Cache"].state == "up-to-date"
    made.git("checkout", "--quiet", "-b", "french")
    made.commit({f"{FR}/cache.md": term("Le cache", CACHE_FR_2)}, day=DAYS[1])
    made.git("checkout", "--quiet", "main")
    made.commit({f"{EN}/cache.md": term("Cache", CACHE_2)}, day=DAYS[2])
    made.git("merge", "--quiet", "--no-edit", "french", day=DAYS[3])
    assert states(folder)["Cache"].state == "behind"


def test_words_that_a_merge_gave_are_a_change(tmp_path: Path) -> None:
    """A conflict may be resolved with words that neither branch had: the merge is the commit that
    changed them."""
    folder = tmp_path / "project"
    made = repository(folder)
    made.commit({f"{EN}/cache.md": term("Cache", CACHE)}, day=DAYS[0])
    made.commit({f"{FR}/cache.md": term("Le cache", CACHE_FR)}, day=DAYS[1])
    made.git("checkout", "--quiet", "-b", "french")
    made.commit({f"{FR}/cache.md": term("Le cache", "Un cache.")}, day=DAYS[2])
    made.git("checkout", "--quiet", "main")
    made.commit({f"{EN}/cache.md": term("Cache", CACHE_2)}, day=DAYS[3])
    made.git("merge", "--quiet", "--no-commit", "french")
    merge = made.commit({f"{FR}/cache.md": term("Le cache", CACHE_FR_2)}, day=DAYS[4])
    made.git("branch", "--delete", "french")
    found = states(folder)["Cache"]
    assert found.state == "up-to-date"
    assert found.translated and found.translated.commit == merge


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


def test_a_gettext_catalog_is_read_message_by_message(tmp_path: Path) -> None:
    """Terms are paired by their messages; a fuzzy message is an older translation, an empty one is
    none."""
    folder = tmp_path / "project"
    settings = SETTINGS.replace("docs/en", "docs/glossary.rst").replace(
        "docs/fr", "locale/fr/LC_MESSAGES/glossary.po"
    )
    made = repository(folder, settings)

    def rst(cache: str) -> str:
        terms = {"Cache": cache, "Node": NODE, "Peer": "One."}
        head = "Words\n=====\n\n.. glossary::\n\n"
        return head + "".join(f"   {name}\n      {text}\n\n" for name, text in terms.items())

    def po(cache: str, text: str, *, flag: str = "") -> str:
        pairs = [
            ("Cache", "Le cache"),
            (cache, text),
            ("Node", "Nœud"),
            (NODE, NODE_FR),
            ("Peer", ""),
            ("One.", ""),
        ]
        head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        return head + "".join(f'{flag}msgid "{id}"\nmsgstr "{string}"\n\n' for id, string in pairs)

    made.commit({"docs/glossary.rst": rst(CACHE)}, day=DAYS[0])
    made.commit({"locale/fr/LC_MESSAGES/glossary.po": po(CACHE, CACHE_FR)}, day=DAYS[1])
    assert {name: one.state for name, one in states(folder).items()} == {
        "Cache": "up-to-date",
        "Node": "up-to-date",
        "Peer": "missing",
    }
    made.commit({"docs/glossary.rst": rst(CACHE_2)}, day=DAYS[2])
    made.commit(
        {"locale/fr/LC_MESSAGES/glossary.po": po(CACHE_2, CACHE_FR, flag="#, fuzzy\n")}, day=DAYS[3]
    )
    found = states(folder)
    assert (found["Cache"].state, found["Node"].state) == ("behind", "up-to-date")
    entry = found["Cache"].entry
    assert entry and (entry.name, entry.place.path, entry.line) == (
        "Le cache",
        "locale/fr/LC_MESSAGES/glossary.po",
        5,
    )
    made.commit({"docs/glossary.rst": rst(CACHE)}, day=DAYS[4])
    made.commit(
        {"locale/fr/LC_MESSAGES/glossary.po": po(CACHE, CACHE_FR, flag="#, fuzzy\n")}, day=DAYS[5]
    )
    assert states(folder)["Cache"].state == "up-to-date"


@pytest.mark.parametrize("path", ["glossary.po", "", "**"])
def test_a_catalog_of_a_sorted_glossary_has_each_term(tmp_path: Path, path: str) -> None:
    """Sphinx shows a sorted glossary in another order than it is written. The catalog may be named
    by its folder."""
    folder = tmp_path / "project"
    catalog = "locale/fr/LC_MESSAGES/glossary.po"
    pattern = f"locale/fr/LC_MESSAGES/{path}"
    settings = SETTINGS.replace("docs/en", "docs/glossary.rst").replace("docs/fr", pattern)
    made = repository(folder, settings)
    entries = f"   Node\n      {NODE}\n\n   Cache\n      {CACHE}\n"
    made.commit({"docs/glossary.rst": f".. glossary::\n   :sorted:\n\n{entries}"}, day=DAYS[0])
    pairs = [("Node", "Nœud"), (NODE, NODE_FR), ("Cache", "Le cache"), (CACHE, CACHE_FR)]
    messages = "".join(f'msgid "{id}"\nmsgstr "{string}"\n\n' for id, string in pairs)
    made.commit({catalog: messages}, day=DAYS[1])
    found = states(folder)
    names = [one.entry.name for one in found.values() if one.entry]
    assert sorted(names) == ["Le cache", "Nœud"]


def test_a_catalog_is_read_with_the_wording_of_its_time(tmp_path: Path) -> None:
    """A newer state of the original with fewer messages of the catalog is not taken because its
    lines are long."""
    folder = tmp_path / "project"
    catalog = "locale/fr/LC_MESSAGES/glossary.po"
    made = repository(
        folder, SETTINGS.replace("docs/en", "docs/glossary.rst").replace("docs/fr", catalog)
    )

    def rst(*texts: str) -> str:
        terms = zip(("Cache", "Node", "Peer"), texts, strict=True)
        return "Words\n=====\n\n.. glossary::\n\n" + "".join(
            f"   {name}\n      {text}\n\n" for name, text in terms
        )

    def po(**texts: str) -> str:
        head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
        return head + "".join(
            f'msgid "{id}"\nmsgstr "{string}"\n\n' for id, string in texts.items()
        )

    peer, others = (
        "A peer is another node.",
        {NODE: NODE_FR, "A peer is another node.": "Un pair est un autre nœud."},
    )
    made.commit(
        {
            "docs/glossary.rst": rst(
                *(one.replace(" is ", "\n      is ") for one in (CACHE, NODE, peer))
            )
        },
        day=DAYS[0],
    )
    made.commit({catalog: po(**{CACHE: CACHE_FR}, **others)}, day=DAYS[1])
    made.commit({"docs/glossary.rst": rst(CACHE_2, NODE, peer)}, day=DAYS[2])
    made.commit({catalog: po(**{CACHE_2: CACHE_FR}, **others)}, day=DAYS[3])
    assert {name: one.state for name, one in states(folder).items()} == {
        "Cache": "behind",
        "Node": "up-to-date",
        "Peer": "up-to-date",
    }


def test_one_file_may_have_all_languages(tmp_path: Path) -> None:
    """Each language of a file of records is read of its own, and a term without it is missing."""
    folder = tmp_path / "project"
    made = repository(
        folder, SETTINGS.replace("docs/en", "glossary.yml").replace('paths = ["docs/fr"]\n', "")
    )

    def records(cache: str) -> str:
        french = f"  fr:\n    term: Le cache\n    def: {CACHE_FR}\n"
        english = f"- slug: cache\n  en:\n    term: Cache\n    def: {cache}\n"
        return f"{english}{french}- slug: node\n  en:\n    term: Node\n    def: {NODE}\n"

    made.commit({"glossary.yml": records(CACHE).replace("  fr:", "  xx:")}, day=DAYS[0])
    made.commit({"glossary.yml": records(CACHE)}, day=DAYS[1])
    assert {name: one.state for name, one in states(folder).items()} == {
        "Cache": "up-to-date",
        "Node": "missing",
    }
    made.commit({"glossary.yml": records(CACHE_2)}, day=DAYS[2])
    assert states(folder)["Cache"].state == "behind"
    made.commit({"glossary.yml": records(CACHE_2).replace(CACHE_FR, CACHE_FR_2)}, day=DAYS[3])
    inputs = read_inputs(folder, folder / "site", clones=Clones(folder=tmp_path / "cache"))
    (original,) = inputs.glossaries.sources
    (french,) = inputs.glossaries.translations
    days = ["2021-01-01", "2021-01-02", "2021-01-03", "2021-01-04"]
    assert [one.name for one in original.releases] == days, (
        "a change of any language is a state of all"
    )
    assert [one.name for one in french.source.releases] == days[1:], (
        "a language begins with its first terms"
    )


def test_a_table_has_one_language(tmp_path: Path) -> None:
    """A translation within a table is one problem, of the newest release, which names the file."""
    folder = tmp_path / "project"
    settings = SETTINGS.replace("docs/en", "glossary.csv").replace('paths = ["docs/fr"]\n', "")
    made = repository(folder, settings)
    table = f"term,definition,definition_fr\nCache,{CACHE},{CACHE_FR}\n"
    made.commit({"glossary.csv": table}, day=DAYS[0])
    made.commit({"glossary.csv": table.replace("Cache", "Store")}, day=DAYS[-1])
    inputs = read_inputs(folder, folder / "site", clones=Clones(folder=tmp_path / "cache"))
    (french,) = inputs.glossaries.translations
    (problem,) = parsed(french.source).problems
    assert problem.path.endswith("glossary.csv") and problem.found == "no section 'fr' here"


def test_a_record_is_compared_by_itself_and_without_its_related_terms(tmp_path: Path) -> None:
    """Neither a mistake in another record nor related terms, which all languages have in common,
    change a state."""
    folder = tmp_path / "project"
    made = repository(
        folder, SETTINGS.replace("docs/en", "glossary.yml").replace('paths = ["docs/fr"]\n', "")
    )
    node = f"- slug: node\n  en:\n    term: Node\n    def: {NODE}\n"
    both_nodes = f"{node}  fr:\n    term: Nœud\n    def: {NODE_FR}\n"
    french = f"  fr:\n    term: Le cache\n    def: {CACHE_FR}\n"

    def cache(text: str, more: str = "", *, related: str = "") -> str:
        return f"- slug: cache\n{related}  en:\n    term: Cache\n    def: {text}\n{more}"

    made.commit({"glossary.yml": cache(CACHE) + node}, day=DAYS[0])
    made.commit(
        {"glossary.yml": cache(CACHE, french) + both_nodes.replace("term: N", "term:N")},
        day=DAYS[1],
    )
    made.commit({"glossary.yml": cache(CACHE_2, french) + both_nodes}, day=DAYS[2])
    names = ", ".join(
        ["node", "peer", "memory", "result", "function", "machine", "cluster", "request"]
    )
    id = made.commit(
        {"glossary.yml": cache(CACHE_2, french, related=f"  ref: [{names}]\n") + both_nodes},
        day=DAYS[3],
    )
    found = states(folder)["Cache"]
    assert (found.state, found.since and found.since.day) == ("behind", DAYS[2])
    assert found.translated and found.translated.commit != id


def test_the_commits_of_a_large_file_of_records_are_compared(tmp_path: Path) -> None:
    """All versions together have little more text than one, as most have the same records."""
    made = repository(tmp_path / "project", SETTINGS.replace("docs/en", "glossary.yml"))
    words = {f"term {number}": CACHE for number in range(40)}

    def text() -> str:
        return "".join(
            f"- slug: {name}\n  en:\n    term: {name}\n    def: {text}\n"
            for name, text in words.items()
        )

    for number in range(12):
        words[f"term {number}"] = CACHE_2
        made.commit({"glossary.yml": text()}, day=DAYS[number])
    table = SourceTable(id="words", git=".", paths=("glossary.yml",))
    clones = Clones(folder=tmp_path / "cache")
    logs, _ = read_logs([table], root=made.path, clones=clones, max_bytes=2 * len(text()))
    history, _ = history_of(logs["words"], logs["words"])
    days = [track.changes[-1].day for track in history.tracks.values()]
    assert days == [*DAYS[:12], *[DAYS[0]] * 28]


@pytest.mark.parametrize("moment", ["400000000000 +0000", "nonsense"])
def test_a_commit_without_a_valid_date_has_the_day_of_the_one_before(
    tmp_path: Path, moment: str
) -> None:
    """A broken clock does not end a build."""
    made = repository(tmp_path / "project", SETTINGS)
    made.commit({f"{EN}/cache.md": term("Cache", CACHE)}, day=DAYS[0])
    before = made.git("rev-parse", "HEAD")
    made.commit({f"{EN}/cache.md": term("Cache", CACHE_2)}, day=DAYS[1])
    tree = made.git("rev-parse", "HEAD^{tree}")
    people = f"author A <a@b> {moment}\ncommitter A <a@b> {moment}\n"
    id = made.write("commit", f"tree {tree}\nparent {before}\n{people}\nx\n".encode())
    made.git("reset", "--quiet", "--hard", id)
    table = SourceTable(id="words", git=".", paths=(EN,))
    logs, _ = read_logs([table], root=made.path, clones=Clones(folder=tmp_path / "cache"))
    assert [one.commit.day for one in logs["words"].commits] == [DAYS[0], DAYS[0]]


@pytest.mark.parametrize("tags", [("EN", "FR"), ("en", "fr")])
def test_asciidoc_may_have_a_region_for_each_language(
    tmp_path: Path, tags: tuple[str, str]
) -> None:
    """A file has one term in all languages: `// tag::FR[]`. One without the region is missing, not
    English."""
    folder = tmp_path / "project"
    made = repository(
        folder, SETTINGS.replace("docs/en", "docs/terms").replace('paths = ["docs/fr"]\n', "")
    )

    def text(id: str, **languages: str) -> str:
        regions = (
            f"// tag::{tag}[]\n==== {id} {tag}\n\n{words}\n// end::{tag}[]\n"
            for tag, words in languages.items()
        )
        return f"[#{id}]\n\n{''.join(regions)}"

    english, french = tags
    terms = {
        "cache": CACHE,
        "node": NODE,
        "peer": "A peer is another node.",
        "host": "Another computer.",
    }
    files = {
        f"docs/terms/{name}.adoc": text(name, **{english: words}) for name, words in terms.items()
    }
    made.commit(files, day=DAYS[0])
    for name in ("cache", "node", "peer"):
        words = {english: terms[name], french: f"Le mot {name} dit autre chose."}
        made.commit({f"docs/terms/{name}.adoc": text(name, **words)}, day=DAYS[1])
    words = {english: CACHE_2, french: "Le mot cache dit autre chose."}
    made.commit({"docs/terms/cache.adoc": text("cache", **words)}, day=DAYS[2])
    found = {one.original.anchors[0]: one.state for one in states(folder).values() if one.original}
    assert found == {
        "cache": "behind",
        "node": "up-to-date",
        "peer": "up-to-date",
        "host": "missing",
    }
    found_by_init = find_glossaries(
        str(folder), root=tmp_path, clones=Clones(folder=tmp_path / "cache")
    )
    assert [one.language for one in found_by_init.glossaries[0].translations] == ["fr"]


def test_a_translation_may_be_in_another_repository(tmp_path: Path) -> None:
    """Commits of two repositories are in the order of their dates."""
    folder, other = tmp_path / "project", tmp_path / "french"
    made = repository(
        folder, SETTINGS.replace('language = "fr"', 'language = "fr"\ngit = "../french"')
    )
    french = repository(other)
    made.commit(
        {f"{EN}/cache.md": term("Cache", CACHE), f"{EN}/node.md": term("Node", NODE)}, day=DAYS[0]
    )
    french.commit(
        {f"{FR}/cache.md": term("Le cache", CACHE_FR), f"{FR}/node.md": term("Nœud", NODE_FR)},
        day=DAYS[1],
    )
    made.commit({f"{EN}/cache.md": term("Cache", CACHE_2)}, day=DAYS[2])
    assert {name: one.state for name, one in states(folder).items()} == {
        "Cache": "behind",
        "Node": "up-to-date",
    }


def test_a_folder_may_have_the_files_of_all_languages(tmp_path: Path) -> None:
    """`cache.fr.md` beside `cache.md` is its translation, and no term of the original, in any
    commit."""
    folder = tmp_path / "project"
    made = repository(folder, SETTINGS.replace("docs/fr", "docs/en/**/*.fr.md"))
    texts = {
        "cache": term("Cache", CACHE),
        "a/node": term("Node", NODE),
        "a/peer": term("Peer", "Another node."),
    }
    made.commit({f"{EN}/{name}.md": text for name, text in texts.items()}, day=DAYS[0])
    french = {"cache": term("Le cache", CACHE_FR), "a/node": term("Nœud", NODE_FR)}
    made.commit({f"{EN}/{name}.fr.md": text for name, text in french.items()}, day=DAYS[1])
    made.commit(
        {f"{EN}/cache.de.md": term("Der Cache", "Ein Cache merkt sich Ergebnisse.")}, day=DAYS[2]
    )
    made.commit({f"{EN}/cache.md": term("Cache", CACHE_2)}, day=DAYS[3])
    found = {name: one.state for name, one in states(folder).items()}
    assert found == {"Cache": "behind", "Node": "up-to-date", "Peer": "missing"}
    (source,) = read_inputs(
        folder, folder / "site", clones=Clones(folder=tmp_path / "cache")
    ).glossaries.sources
    assert [release.name for release in source.releases] == [str(DAYS[0]), str(DAYS[3])]
    assert not any(
        ".fr." in document.path or ".de." in document.path for document in source.documents
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"fr"', '"jp"', "'jp' is no language; did you mean 'ja'?"),
        ('"fr"', '"pt_br"', "'pt_br' is no language; did you mean 'pt-BR'?"),
        ('of = "words"', 'of = "word"', "no source 'word' to translate; did you mean 'words'?"),
        (
            'language = "fr"',
            'language = "en"',
            "'en' is the language of the site itself; say `language` in [site]",
        ),
    ],
)
def test_a_wrong_translation_is_one_problem(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    """The site is built without it."""
    folder = tmp_path / "project"
    both(folder)
    (folder / "site.toml").write_text(SETTINGS.replace(old, new), encoding="utf-8")
    inputs = read_inputs(folder, folder / "site", clones=Clones(folder=tmp_path / "cache"))
    (problem,) = inputs.glossaries.problems
    assert str(problem) == f"site.toml:9: {message}"
    assert inputs.glossaries.sources[0].documents and not inputs.glossaries.translations


def test_the_command_says_why_there_is_no_translation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A translation in a repository that cannot be read does not make the site one in one
    language."""
    folder = tmp_path / "project"
    both(folder)
    settings = SETTINGS.replace('language = "fr"', 'language = "fr"\ngit = "../nowhere"')
    (folder / "site.toml").write_text(settings, encoding="utf-8")
    monkeypatch.chdir(folder)
    with pytest.raises(SitegenError, match=r"^\.\./nowhere: no git repository here"):
        sitegen(["translations"], standalone_mode=False)


def test_two_files_for_one_term_are_a_problem(tmp_path: Path) -> None:
    """The first file is read."""
    folder = tmp_path / "project"
    both(folder)
    commit(folder, {f"{FR}/cache.markdown": term("Cache 2", CACHE_FR_2)}, DAYS[2])
    (problem,) = languages(folder)["fr"].problems
    assert (
        problem.found == "docs/fr/cache.markdown and docs/fr/cache.md are one term in one language"
    )


def test_the_command_reports_by_term(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`sitegen translations` prints numbers and words, or an object for each pair."""
    folder = tmp_path / "project"
    both(folder)
    id = commit(folder, {f"{EN}/cache.md": term("Cache", CACHE_2)}, DAYS[2])
    monkeypatch.chdir(folder)
    assert sitegen(["translations"], standalone_mode=False) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "fr: 1 up-to-date, 1 behind"
    assert lines[1] == (
        f"  behind: docs/fr/cache.md:2: “Le cache” for “Cache”: the original was reworded once "
        f"since {id[:10]} of "
        f"{DAYS[2]}; its own words are of {commit_id(folder, 'docs/fr/cache.md')[:10]} of {DAYS[1]}"
    )
    assert lines[2] == "      - results so that they can be used again."
    options = ["--advisory", "--glossary", str(folder)]
    assert sitegen(["translations", "fr", *options], standalone_mode=False) == 0
    capsys.readouterr()
    sitegen(["translations", "--json"], standalone_mode=False)
    node, cache = json.loads(capsys.readouterr().out)
    assert (cache["term"], cache["slug"], cache["language"], cache["name"]) == (
        "Cache",
        "cache",
        "fr",
        "Le cache",
    )
    assert (cache["state"], cache["since"], node["state"], node["since"]) == (
        "behind",
        id,
        "up-to-date",
        None,
    )
    assert cache["original"] == {
        "path": "docs/en/cache.md",
        "line": 2,
        "changed": id,
        "date": str(DAYS[2]),
    }
    assert cache["translation"]["path"] == "docs/fr/cache.md"


def commit_id(folder: Path, path: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), "log", "-1", "--format=%H", "--", path],
        capture_output=True,
        check=True,
    )
    return done.stdout.decode().strip()


# Random histories.

TERMS = ("cache", "node", "peer")
ACTIONS = ("words", "words", "words", "front", "front", "delete", "move", "back")


class RandomHistory:
    """Two languages whose files are changed at random, and which translations are behind by their
    words alone."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.words: dict[tuple[str, str], int] = {}
        self.front: dict[tuple[str, str], int] = {}
        self.deleted: set[tuple[str, str]] = set()
        self.committed: dict[tuple[str, str], int] = {}
        """The last words in the files, deleted ones too."""
        self.first: dict[str, int] = {}
        """The first commit with a file of each language."""
        self.made_from: dict[str, tuple[int, int]] = {}
        """The words of the original, 0 without one, when the translation's own words were last
        changed; and when."""
        self.folders = {"en": "docs/en", "fr": "docs/fr"}
        self.number = 0

    def text(self, language: str, name: str) -> str:
        # Unlike words, so that no term seems to be renamed.
        random = Random(f"{language} {self.words[language, name]}")
        wording = " ".join(
            "".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(12)
        )
        tags = self.front.get((language, name), 0)
        return term(f"{name} {language}", f"*{wording}*" if tags % 2 else wording, tags=str(tags))

    def commits(self) -> Iterator[str]:
        """Yields the commits as input of `git fast-import`."""
        for step in range(self.random.randrange(4, 40)):
            day = int(datetime.combine(DAYS[step // 3], time(12), UTC).timestamp())
            yield f"commit refs/heads/main\ncommitter A <a@example.org> {day} +0000\ndata 1\nx\n"
            changed = {self.change() for _ in range(self.random.choice((1, 1, 1, 2, 4)))}
            if self.random.random() < 0.05 and self.folders["fr"] == "docs/fr":
                yield "D docs/fr\n"
                self.folders["fr"] = "docs/fr-FR"
                changed |= {one for one in self.words if one[0] == "fr"}
            for language, name in sorted(changed):
                path = f"{self.folders[language]}/{name}.md"
                if (language, name) in self.deleted:
                    yield f"D {path}\n"
                    continue
                data, words = self.text(language, name), self.words[language, name]
                yield f"M 100644 inline {path}\ndata {len(data.encode())}\n{data}\n"
                # Sorted: the original's words in this commit are known before the translation's.
                if language == "fr" and words != self.committed.get((language, name)):
                    self.made_from[name] = (self.committed.get(("en", name), 0), step)
                self.committed[language, name] = words
                self.first.setdefault(language, step)

    def change(self) -> tuple[str, str]:
        language, name = one = self.random.choice(("en", "fr")), self.random.choice(TERMS)
        action = self.random.choice(ACTIONS)
        is_new = one not in self.words
        if not is_new and action == "delete":
            self.deleted.add(one)
            return one
        self.deleted.discard(one)
        if is_new or action == "words":
            self.number += 1
            self.words[one] = self.number
        elif action == "back":
            self.words[one] = max(1, self.words[one] - 1)
        else:
            self.front[one] = self.front.get(one, 0) + 1
        return language, name

    def expected(self) -> dict[str, set[str]]:
        """Returns the states that are right for each pair."""
        states = {}
        for name, (words, step) in self.made_from.items():
            if ("fr", name) not in self.deleted and (
                "en",
                name,
            ) in self.words.keys() - self.deleted:
                is_known = words and step not in self.first.values()
                current = {"up-to-date"} if is_known else {"up-to-date", "unknown"}
                is_behind = words and words != self.words["en", name]
                states[f"{name} en"] = (
                    {"behind"} if is_behind else current if words else {"unknown"}
                )
        return states


@pytest.mark.soak
def test_random_histories_have_no_false_and_no_missed_behind(tmp_path: Path) -> None:
    """A pair is behind if and only if the words of its original were changed after the
    translation's own words."""
    count = {"behind": 0, "up-to-date": 0}
    for seed in seeds(test=10, soak=60):
        history = RandomHistory(seed)
        made = repository(
            tmp_path / f"project-{seed}", SETTINGS.replace('"docs/fr"', '"docs/fr-FR", "docs/fr"')
        )
        made.git("fast-import", "--quiet", given="".join(history.commits()).encode())
        expected = history.expected()
        found = states(made.path) if expected else {}
        for name, right in expected.items():
            state = found[name].state
            assert state in right, f"history {seed}: {name} is {state}, not {right}"
            count[state] = count.get(state, 0) + 1
    assert count["behind"] and count["up-to-date"], count
