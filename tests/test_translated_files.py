"""The files from which translations are read: catalogs, records, regions, folders, repositories."""

from __future__ import annotations

from pathlib import Path

import pytest
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
    repository,
    states,
    term,
)

from sitegen.config.tables import SourceTable
from sitegen.model import Skipped
from sitegen.pipeline.site_build import read_inputs
from sitegen.sources.discovery import find_glossaries
from sitegen.sources.git.repositories import Clones
from sitegen.sources.parsed_sources import parsed
from sitegen.sources.translated_sources import history_of, read_logs


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


def test_a_translation_begins_with_its_first_terms(tmp_path: Path) -> None:
    """The releases in which it has only a template for terms are older than it, not unread."""
    folder = tmp_path / "project"
    made = repository(folder)
    made.commit({f"{EN}/cache.md": term("Cache", CACHE)}, day=DAYS[0])
    made.commit({f"{FR}/_TEMPLATE.md": term("Nom du terme", "Ce que c'est.")}, day=DAYS[1])
    made.commit({f"{FR}/_TEMPLATE.md": term("Nom", "Ce que c'est.")}, day=DAYS[2])
    made.commit({f"{FR}/cache.md": term("Le cache", CACHE_FR)}, day=DAYS[3])
    inputs = read_inputs(folder, folder / "site", clones=Clones(folder=tmp_path / "cache"))
    (french,) = inputs.glossaries.translations
    assert [release.name for release in french.source.releases] == ["2021-01-04"]
    assert french.source.skipped == (Skipped(reason="before", names=("2021-01-02", "2021-01-03")),)


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


def test_older_commits_are_left_out_where_all_texts_are_large(tmp_path: Path) -> None:
    """The log ends before the commit with which the limit of all texts is passed."""
    made = repository(tmp_path / "project", SETTINGS)
    texts = [term("Cache", text) for text in ("One.", "Two.", "Three.")]
    for text, day in zip(texts, DAYS, strict=False):
        made.commit({f"{EN}/cache.md": text}, day=day)
    table = SourceTable(id="words", git=".", paths=(EN,))
    clones = Clones(folder=tmp_path / "cache")
    logs, _ = read_logs([table], root=made.path, clones=clones, max_bytes=len(texts[-1]))
    assert [one.commit.day for one in logs["words"].commits] == [DAYS[2]]


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
        ('"fr"', '""', "'' is no language; use a tag such as 'fr' or 'pt-BR'"),
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


def test_two_files_for_one_term_are_a_problem(tmp_path: Path) -> None:
    """The first file is read."""
    folder = tmp_path / "project"
    both(folder)
    commit(folder, {f"{FR}/cache.markdown": term("Cache 2", CACHE_FR_2)}, DAYS[2])
    (problem,) = languages(folder)["fr"].problems
    assert (
        problem.found == "docs/fr/cache.markdown and docs/fr/cache.md are one term in one language"
    )
