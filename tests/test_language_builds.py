"""Builds of sites with translations: addresses, changes, and glossaries of several sources."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from built_languages import SITE, built, project_to_build
from repositories import Repository
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
    repository,
    term,
)

from sitegen.commands.main import sitegen
from sitegen.permanence.archive_lines import ArchiveError, parse
from sitegen.pipeline.site_build import read_inputs
from sitegen.sources.git.repositories import Clones


def test_one_language_has_not_a_byte_more(tmp_path: Path) -> None:
    """A site without translations has no page, style or link for languages."""
    folder = tmp_path / "project"
    both(folder)
    site = built(folder, SITE + SETTINGS.partition("[[translation]]")[0])
    assert not [
        path
        for path, text in site.items()
        if "languages" in path or "translations" in path or "hreflang" in text
    ]


def test_a_withdrawn_translation_keeps_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page of its published words is not that of an original without a translation."""
    folder = tmp_path / "project"
    settings = (SITE + SETTINGS).replace('by = "day"', 'head = "HEAD"')
    made = repository(folder, settings)
    texts = {"cache": term("Cache", CACHE), "node": term("Node", NODE)}
    made.commit({f"{EN}/{name}.md": text for name, text in texts.items()}, day=DAYS[0])
    made.commit({f"{FR}/node.md": term("Nœud", NODE_FR)}, day=DAYS[1])
    made.git("tag", "v1.0")
    made.commit({f"{FR}/cache.md": term("Le cache", CACHE_FR)}, day=DAYS[2])
    monkeypatch.chdir(folder)
    sitegen(["build", "--quiet"], standalone_mode=False)
    commit(folder, {}, DAYS[3])
    without_head = settings.replace('head = "HEAD"\n', "")
    (folder / "site.toml").write_text(without_head, encoding="utf-8")
    sitegen(["build", "--quiet"], standalone_mode=False)
    page = (folder / "site/fr/term/cache/index.html").read_text(encoding="utf-8")
    assert CACHE_FR in page and CACHE not in page


def test_addresses_of_translations_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are in the archive; a renamed translation keeps its slug, and the pages of a language
    that is gone stay."""
    folder = project_to_build(tmp_path, monkeypatch)

    def build(*options: str) -> set[str]:
        sitegen(["build", "--quiet", *options], standalone_mode=False)
        archive = (folder / "archive.jsonl").read_text(encoding="utf-8")
        return {*parse(archive, "archive.jsonl").by_address}

    addresses = build()
    assert {"fr/term/cache/", "fr/term/node/"} <= addresses
    of_releases = {*(folder / "site/fr").glob("release/*/*")}
    assert len(of_releases) > 1
    commit(
        folder,
        {
            f"{FR}/cache.md": term("La mémoire", CACHE_FR),
            f"{EN}/node.md": term("Node", NODE + " Yes."),
        },
        DAYS[2],
    )
    assert build() >= addresses
    assert "<dfn>La mémoire</dfn>" in (folder / "site/fr/term/cache/index.html").read_text(
        encoding="utf-8"
    )
    commit(folder, {}, DAYS[3])
    build("--locked")
    settings = (folder / "site.toml").read_text(encoding="utf-8")
    (folder / "site.toml").write_text(settings.partition("[[translation]]")[0], encoding="utf-8")
    assert build() >= addresses
    assert (folder / "site/fr/term/cache/index.html").exists()
    assert all(path.exists() for path in of_releases if path.name == "index.html")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '"fr"',
            '"fr_x"',
            "site.toml:11: 'fr_x' is no language; use a tag such as 'fr' or 'pt-BR'",
        ),
        (
            'of = "words"',
            'of = "word"',
            "site.toml:11: no source 'word' to translate; did you mean 'words'?",
        ),
        (
            'paths = ["docs/fr"]',
            'git = "nowhere"',
            "nowhere: no git repository here; name the folder of one, or make one with `git init`",
        ),
    ],
)
def test_a_published_language_that_cannot_be_read_is_left_out(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    old: str,
    new: str,
    message: str,
) -> None:
    """The site is built without it, with one problem; with --locked, whose site is published, it is
    not built."""
    folder = project_to_build(tmp_path, monkeypatch)
    sitegen(["build", "--quiet"], standalone_mode=False)
    commit(folder, {}, DAYS[2])
    archive = (folder / "archive.jsonl").read_text(encoding="utf-8")
    (folder / "site.toml").write_text((SITE + SETTINGS).replace(old, new), encoding="utf-8")
    capsys.readouterr()
    sitegen(["build", "--quiet"], standalone_mode=False)
    assert capsys.readouterr().err.splitlines() == [message]
    assert (folder / "site/term/cache/index.html").exists() and not (folder / "site/fr").exists()
    assert (folder / "archive.jsonl").read_text(encoding="utf-8") == archive
    with pytest.raises(ArchiveError, match="need files that were not read") as caught:
        sitegen(["build", "--quiet", "--locked"], standalone_mode=False)
    assert str(caught.value).splitlines()[0] == message
    (folder / "site.toml").write_text(SITE + SETTINGS, encoding="utf-8")
    sitegen(["build", "--quiet", "--locked"], standalone_mode=False)
    assert (folder / "site/fr/term/cache/index.html").exists()


def test_a_slug_of_a_translation_is_looked_for_in_its_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A [[slug]] table about a translation is no mistake because the originals lack the name."""
    folder = project_to_build(tmp_path, monkeypatch)
    table = '[[slug]]\nsource = "words-fr"\nname = "Le cash"\nslug = "cash"\n'
    (folder / "site.toml").write_text(f"{SITE}{SETTINGS}\n{table}", encoding="utf-8")
    capsys.readouterr()
    sitegen(["build", "--quiet"], standalone_mode=False)
    [message] = capsys.readouterr().err.splitlines()
    assert "'Le cash' is not the name of a term" in message
    assert message.endswith("did you mean 'Le cache'?")


def test_a_tag_with_other_words_of_a_translation_is_a_change(tmp_path: Path) -> None:
    """The words of each release are inputs, not only those of the commits."""
    folder = tmp_path / "project"
    both(folder)
    made = Repository.at(folder)
    made.git("tag", "v1.0")
    commit(folder, {f"{FR}/cache.md": term("Le cache", CACHE_FR_2)}, DAYS[1])
    (folder / "site.toml").write_text(
        SETTINGS.replace('by = "day"', 'tags = ["v*"]'), encoding="utf-8"
    )

    def facts() -> Sequence[object]:
        return read_inputs(folder, folder / "site", clones=Clones(folder=tmp_path / "cache")).facts

    before = facts()
    assert before == facts()
    made.git("tag", "--force", "v1.0")
    assert before != facts()


def test_an_original_may_link_to_a_file(tmp_path: Path) -> None:
    """In the comparison of an original with its words when it was translated, a link to a file is
    shown as text: both are of commits, which are no releases."""
    folder = tmp_path / "project"
    both(folder)
    rewritten = term("Cache", "See [the guide](guide.pdf) and our examples first.")
    commit(folder, {f"{EN}/cache.md": rewritten}, DAYS[2])
    assert "See the guide and our examples first." in built(folder)["fr/term/cache/index.html"]


def test_a_second_build_renders_only_what_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pages of all languages are as in a clean build after the original of one was reworded."""
    folder = project_to_build(tmp_path, monkeypatch)
    sitegen(["build", "--quiet", "--no-ledger"], standalone_mode=False)
    commit(folder, {f"{EN}/cache.md": term("Cache", CACHE_2)}, DAYS[2])
    sitegen(["build", "--quiet", "--no-ledger"], standalone_mode=False)
    clean = built(folder)
    for path in (
        "fr/term/cache/index.html",
        "term/cache/index.html",
        "translations/index.html",
        "fr/term/node/index.html",
    ):
        assert (folder / "site" / path).read_text(encoding="utf-8") == clean[path], path


def of_two_sources() -> str:
    """Returns the settings of two sources, in `docs` and `more`, each with its translation."""
    first, first_translation = SETTINGS.split("\n[[translation]]")
    settings = SETTINGS.replace('"words"', '"more"').replace("docs/", "more/")
    second, second_translation = settings.split("\n[[translation]]")
    return "\n[[translation]]".join((first + second, first_translation, second_translation))


def test_two_translations_of_one_term_lead_to_it(tmp_path: Path) -> None:
    """A term of two sources may have two names in a language: each is a term there, and one has the
    same slug."""
    folder = tmp_path / "project"
    both(folder)
    stock, hidden = "A stock of food that is hidden.", "Une réserve de nourriture cachée."
    commit(
        folder,
        {"more/en/cache.md": term("Cache", stock), "more/fr/cache.md": term("Cachette", hidden)},
        DAYS[2],
    )
    site = built(folder, SITE + of_two_sources())
    french = json.loads(site["term/cache/index.json"])["translations"]
    assert [(one["name"], one["url"]) for one in french] == [
        ("Le cache", "fr/term/cache-2/"),
        ("Cachette", "fr/term/cache/"),
    ]
    assert '<a href="../../fr/term/cache/index.html" lang="fr"' in site["term/cache/index.html"]
    for address in ("cache", "cache-2"):
        assert (
            '<a href="../../../term/cache/index.html" lang="en"'
            in site[f"fr/term/{address}/index.html"]
        )


def test_the_translation_with_the_slug_of_the_original_is_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An original leads to the translation that was published first and has its slug, not to that
    of a later source."""
    folder = project_to_build(tmp_path, monkeypatch)
    sitegen(["build", "--quiet"], standalone_mode=False)
    more = {
        "archive.jsonl": Path("archive.jsonl").read_text(encoding="utf-8"),
        "more/en/cache.md": term("Cache", "A stock of food that is hidden."),
        "more/fr/cache.md": term("Cachette", "Une réserve de nourriture cachée."),
    }
    commit(folder, more, DAYS[2])
    (folder / "site.toml").write_text(SITE + of_two_sources(), encoding="utf-8")
    sitegen(["build", "--quiet"], standalone_mode=False)
    later = Path("site/fr/term/cache-2/index.html").read_text(encoding="utf-8")
    assert "<dfn>Cachette</dfn>" in later
    original = Path("site/term/cache/index.html").read_text(encoding="utf-8")
    assert '<a href="../../fr/term/cache/index.html" lang="fr"' in original


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({}, "Le cache"),
        ({f"{FR}/cache.md": None, "more/fr/cache.md": term("Cachette", "Réserve.")}, "Cachette"),
    ],
)
def test_a_term_that_one_of_two_sources_translates_is_not_missing(
    tmp_path: Path, files: dict[str, str | None], name: str
) -> None:
    """Its page says how far the translation is, and no page counts it as missing."""
    folder = tmp_path / "project"
    both(folder)
    originals = {
        "more/en/cache.md": term("Cache", "A stock of food that is hidden."),
        "more/en/ring.md": term("Ring", "A ring."),
        "more/fr/ring.md": term("Anneau", "Un anneau."),
    }
    commit(folder, originals | files, DAYS[2])
    site = built(folder, SITE + of_two_sources())
    page = site["fr/term/cache/index.html"]
    assert f"<dfn>{name}</dfn>" in page
    assert "pas encore traduit" not in page
    found = json.loads(site["term/cache/index.json"])["translations"]
    assert [one["name"] for one in found] == [name]
    assert "Missing" not in site["translations/index.html"]
