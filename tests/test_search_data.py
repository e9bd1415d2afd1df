"""What is searched: the list of names, and the index of words."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from dataclasses import replace
from itertools import chain
from pathlib import Path
from subprocess import PIPE

import pytest
from glossaries import source, with_entries
from hypothesis import given
from hypothesis import strategies as st
from lunr.stop_word_filter import WORDS as STOP_WORDS
from searches import corpus, find, index, names_list, reported, scripts, searchable, values
from sites import glossary, site_of, site_of_glossaries

from sitegen.config.tables import Rename
from sitegen.site.messages import catalog, plain
from sitegen.site.search import files
from sitegen.site.search.search_words import rules, words
from sitegen.site.search.searched_terms import Searchable, searchables

# What is searched.


def test_terms_are_searchable_by_every_name_and_keep_their_status() -> None:
    """A term is found by present, other and former names, and a removed term stays searchable."""
    site = site_of_glossaries(
        {
            "1.0": {
                "volume": "Where data lives.",
                "state image": "A volume at one moment. Kept apart.",
            },
            "1.1": {"snapshot; state image; capture": "A volume at one moment. Kept apart."},
        }
    )
    volume, snapshot = sorted(searchables(site), key=lambda term: term.name != "volume")
    assert (volume.status, volume.text) == ("removed", "Where data lives.")
    assert (snapshot.name, snapshot.status) == ("snapshot", "current")
    assert set(snapshot.other_names) | set(snapshot.former_names) == {"state image", "capture"}
    assert snapshot.sentence == "A volume at one moment. Kept apart."


def test_a_synonym_is_another_name_of_the_term_it_stands_for() -> None:
    """Entries that point to a term are no results of their own: the term is found by their
    names."""
    site = site_of_glossaries(
        {
            "1.0": {
                "volume": "Where data lives.",
                "disk": "Same as volume.",
                "plate": "See disk.",
                "pot": "See plate.",
            },
            "1.1": {"volume": "Where data lives.", "disk": "Same as volume.", "plate": "See disk."},
        }
    )
    (volume,) = searchables(site)
    assert (volume.name, volume.sentence) == ("volume", "Where data lives.")
    assert (volume.other_names, volume.former_names) == (("disk", "plate"), {"pot": "1.1"})


def test_a_merged_term_is_found_by_the_term_that_it_became_part_of() -> None:
    """A merged term has no result of its own; its name is no former name of the other term."""
    releases = {"1.0": {"tape": "Stores data.", "reel": "Turns."}, "1.1": {"tape": "Stores data."}}
    site = glossary(releases, renames=(Rename(source="example", old="reel", new="tape"),))
    (tape,) = searchables(site)
    assert (tape.name, tape.former_names, tape.merged_names) == ("tape", {}, {"reel": "1.1"})


def test_the_search_counts_ended_terms_as_the_list_that_it_leads_to() -> None:
    """A–Z has deprecated synonyms and merged terms too, which have no row in the search."""
    words = {"tape": "Stores.", "loop": "See tape.", "reel": "Turns.", "drum": "Round."}
    read = source("example", {"1.0": words, "2.0": words})
    first, second = read.releases
    tape, loop, *_ = second.entries
    marked = loop._replace(text=replace(loop.text, deprecated=True))
    releases = (first, with_entries(second, "example", (tape, marked)))
    rename = Rename(source="example", old="reel", new="tape")
    written = files(site_of(replace(read, releases=releases), renames=(rename,)))
    assert values(written[0].content)["names"]["sections"][:2] == [
        ["Deprecated", "a-z/index.html?only=deprecated", "Deprecated · 1 term", []],
        ["Removed", "a-z/index.html#removed", "Removed or merged · 2 terms", [0]],
    ]


def test_pointers_that_lead_nowhere_are_found() -> None:
    """Entries that point to each other in a circle have results of their own."""
    site = site_of_glossaries({"1.0": {"disk": "See plate.", "plate": "See disk."}})
    assert [term.name for term in searchables(site)] == ["disk", "plate"]


def test_what_other_sources_say_now_is_searched_too() -> None:
    """A term is found by the current words of all its sources, each wording once, and by no former
    ones."""
    site = site_of_glossaries(
        {"1.0": {"volume": "A box."}, "1.1": {"volume": "Where data lives."}},
        {"1.0": {"volume": "A disk."}},
        {"1.0": {"volume": "Where data lives."}},
    )
    [volume] = searchables(site)
    assert (volume.text, list(volume.other_texts)) == ("Where data lives.", ["A disk."])


def test_the_files_of_a_search_are_scripts_that_set_a_property_of_their_name() -> None:
    """A site has a list of names, and an index with the definitions, both scripts that a page from
    disk can run."""
    written = files(site_of_glossaries({"1.0": {"volume": "Where data lives."}}))
    (names, listed), (words, indexed) = ((file.path, values(file.content)) for file in written)
    assert names == "search/names.js"
    questions, joining = listed["names"].pop("questions"), listed["names"].pop("joining")
    assert r"define\s+(.+?)" in questions
    assert joining == "and|or|vs|vs.|versus|in"
    assert listed == {
        "names": {
            "file": words.removeprefix("search/").removesuffix(".js"),
            "suggestions": [],
            "sections": [["1.0", "release/1.0/index.html", "Terms in 1.0"]],
            "endings": [list(rule) for rule in rules("en")],
            "names": "=volume",
            "slugs": {},
            "settings": {},
            "sentences": "Where data lives.",
        }
    }
    assert indexed["words"]["lines"].split("\n") == ["data  0.6", "liv  0.6", "volum 0 "]
    assert indexed["words"]["texts"] == ["Where data lives."]


def test_the_same_terms_give_the_same_files_wherever_they_are_written() -> None:
    """The files do not depend on the iteration order of sets."""
    script = """if True:
        from sitegen.site.search import search_files
        from sitegen.site.search.searched_terms import Searchable
        term = Searchable(slug="a", name="kernel", other_names=("one", "two"), text="Words in a set.")
        print(search_files((term,), language="en"))
    """
    reported = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=PIPE,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(reported) == 1


@pytest.mark.parametrize(
    "name", ["__proto__", "constructor", "</script>", "a\u2028b", "“x”", "\ud800", "=x", "~+-"]
)
def test_any_name_can_stand_in_the_list(name: str) -> None:
    """A hostile name is read unchanged; half a surrogate becomes a question mark."""
    assert (
        reported((searchable("a"), searchable(name)))["terms"][1]["name"]
        == name.encode("utf-8", "replace").decode()
    )


def test_the_list_has_only_slugs_that_are_not_the_words_of_the_name() -> None:
    """The browser makes the slug of a name in ASCII from its words; others are in the list."""
    slug_of_name = {
        "Data-Loader": "data-loader",
        "torch.utils_data": "torch-utils-data",
        "user's (own) KEY": "users-own-key",
        "C++": "c-plus-plus",
        "kernel": "kernel-2",
        "naïve copy": "naive-copy",
        "容器": "containers",
    }
    terms = [Searchable(name=name, slug=slug) for name, slug in slug_of_name.items()]
    assert names_list(*terms)["slugs"] == {
        "3": "c-plus-plus",
        "4": "kernel-2",
        "5": "naive-copy",
        "6": "containers",
    }
    read = reported(tuple(terms))["terms"]
    assert {term["name"]: term["slug"] for term in read} == slug_of_name


def test_the_list_is_read_as_it_was_meant() -> None:
    """Slugs, statuses and sentences belong to the right terms."""
    terms = (
        searchable("C++", sentence="A language."),
        searchable("R & D", status="deprecated", other_names=("lab",), sentence="Two\nlines."),
        searchable("Leaf-Operation (old)", status="removed", sentence="A."),
        searchable("naïve"),
    )
    assert reported(terms)["terms"] == [
        {"name": "C++", "slug": "c-plus-plus", "status": "current", "sentence": "A language."},
        {"name": "R & D", "slug": "r-and-d", "status": "deprecated", "sentence": "Two lines."},
        {
            "name": "Leaf-Operation (old)",
            "slug": "leaf-operation-old",
            "status": "removed",
            "sentence": "A.",
        },
        {"name": "naïve", "slug": "naive", "status": "current", "sentence": ""},
    ]


def test_300_real_terms_stay_within_the_budget_of_the_list(shared: Path) -> None:
    """The list of names of a real glossary has at most 15 kB (gzip) for 300 terms."""
    terms = corpus(shared, "pyramid") + corpus(shared, "sphinx") + corpus(shared, "django")
    assert len(gzip.compress(scripts(*terms)["names"])) <= 15_000 / 300 * len(terms)


# The index of words.


def test_words_are_folded_alike_wherever_they_come_from() -> None:
    """Words are compared without case, diacritics, ligatures, punctuation and apostrophes."""
    assert words("Naïve naive NAÏVE") == ["naive"] * 3
    assert words("Straße, STRASSE; ﬁle — don’t don't") == [
        "strasse",
        "strasse",
        "file",
        "dont",
        "dont",
    ]
    assert words("ﾃﾝｿﾙ") == words("テンソル") == ["テン", "ンソ", "ソル"]
    assert words("torch.compile C++ __proto__ σοφός") == ["torch", "compile", "c", "proto", "σοφος"]
    assert words("¿ … \ud800 ]]>") == []


@given(st.text(st.sampled_from("aZß'’.-Σσ\u0301´\u3000\u0085\u1680\u200b ﬁ7ÄΟ")) | st.text())
def test_words_know_no_neighbors(text: str) -> None:
    """A word is folded in the same way alone and within a text."""
    assert words(text) == [word for written in text.split() for word in words(written)]


def test_english_words_have_no_endings_and_stop_words_are_left_out() -> None:
    """An English index has words without their endings."""
    _, lines = index(searchable("x", text="The snapshots of it are copied"))
    assert [line.partition(" ")[0] for line in lines] == ["cop", "snapshot", "x"]


def test_words_of_languages_without_rules_stand_as_they_are() -> None:
    """English rules do not apply to other languages."""
    _, lines = index(searchable("Tillstånd", text="De avbilderna"), language="sv-SE")
    assert [line.partition(" ")[0] for line in lines] == ["avbilderna", "de", "tillstand"]


PLURALS = {
    "en-GB": "queries query, classes class, processes process, scaling scale, fusion fusing, "
    "reduction reductions, quantisation quantized, adaptor adapters, committed commit, "
    "portability portable, probabilities probability, matrices matrix, indices index",
    "de-AT": "Häuser Haus, Dateien Datei, Knotens Knoten, Zustände Zustand, Schlüsseln "
    "Schlüssel, Tabellen Tabelle,"
    " Verzeichnisse Verzeichnis, Servern Server, Schemas Schema, Prozesses Prozess",
    "fr": "journaux journal, réseaux réseau, jeux jeu, nœuds nœud, arbres arbre, données donnée, "
    "processus processus,"
    " clés clé, fonctions fonction, chevaux cheval",
    "es": "árboles árbol, nodos nodo, luces luz, funciones función, imágenes imagen, enlaces "
    "enlace, meses mes,"
    " países país, tokens token, redes red",
    "pt-BR": "conexões conexão, papéis papel, túneis túnel, imagens imagem, mãos mão, servidores "
    "servidor, nós nó,"
    " árvores árvore, animais animal, vezes vez",
    "ru": "функциями функция, файлов файл, узлы узел, деревья дерево, сетей сеть, ключей ключ, "
    "записи запись, словами"
    " слово, данных данные, серверов сервер",
    "ar": "المكتبات مكتبة, مبرمجون مبرمج, الملفات ملف, شبكات شبكة, خوارزميات خوارزمية, واجهات "
    "الواجهة,"
    " بالنظام نظام, للبيانات بيانات, لغات لغة, قيمتها قيمته",
    "ko": "문서를 문서, 데이터가 데이터, 서버에서 서버, 스레드들은 스레드, 고양이가 고양이, 경로를 경로, 알고리즘으로"
    " 알고리즘, 구조와 구조, 페이지의 페이지, 주소까지 주소",
}


@pytest.mark.parametrize("language", PLURALS)
def test_plurals_and_cases_find_the_word(language: str) -> None:
    """Ten plurals or cases of each language have the same stem in the index and in the browser,
    either way round."""
    pairs = [pair.split() for pair in PLURALS[language].split(",")]
    answers = reported((searchable("x"),), *chain.from_iterable(pairs), language=language)["found"]
    stems = [answer["stems"] for answer in answers]
    assert [one for one, two in zip(stems[::2], stems[1::2], strict=True) if one != two] == []
    terms = [searchable(plural, text=singular) for plural, singular in pairs]
    _, lines = index(*terms, language=language)
    assert {line.partition(" ")[0] for line in lines} == set(chain.from_iterable(stems))


def test_every_chinese_and_japanese_character_begins_a_word() -> None:
    """Words are found by pairs of characters, and any single character of theirs begins one of the
    index."""
    for text in ("分布式系统", "用語集", "データベース", "術語，表格", "機械学習とは"):
        _, lines = index(searchable("x", text=text), language="zh")
        indexed = [line.partition(" ")[0] for line in lines]
        assert [
            letter
            for letter in text
            if letter != "，" and not any(one.startswith(letter) for one in indexed)
        ] == []


def test_rows_are_told_by_their_distance_and_words_counted() -> None:
    """A word's line has the rows of names, then of definitions, as differences, with counts above
    one."""
    terms = (
        searchable("disk", text="disk disk"),
        searchable("tape"),
        searchable("tape", former_names={"disk": ""}),
        searchable("x", text="disk"),
    )
    directory, lines = index(*terms)
    assert lines == ["disk 0,2 0.2,3", "tap 1,1 ", "x 3 "]
    assert directory["lengths"] == [[1, 1, 2, 1], [2, 0, 0, 1]]


def test_signs_of_code_are_indexed() -> None:
    """A run of two or more signs is found like a word, in names and definitions, and counts as none
    of its words."""
    directory, lines = index(
        searchable("a // b", text="Use a -> b or __init__, not a - b."), searchable("c")
    )
    assert [line for line in lines if not line[0].isalnum()] == ["->  0", "// 0 ", "__  0.2"]
    assert directory["lengths"] == [[1, 1], [4, 0]]
    assert find((), "a // b->c -d", "__init__")[0]["signs"] == ["//", "->"]


def test_names_in_one_word_are_indexed_by_their_parts() -> None:
    """A name that is written as one word is found by its parts."""
    _, lines = index(searchable("Lane"), searchable("PageLoader"))
    assert lines == ["lan 0 ", "load 1 ", "pag 1 ", "pageload 1 "]


def test_no_terms_make_an_empty_index() -> None:
    """A glossary without terms has an empty list and an empty index."""
    assert reported((), "x") == {
        "found": [{"words": ["x"], "stems": ["x"], "plain": "x", "signs": [], "results": []}],
        "terms": [],
        "apart": [],
    }
    assert index() == (
        {
            "stops": sorted(STOP_WORDS),
            "common": words(plain(catalog("en").say("search.common"))),
            "lengths": [[], []],
            "texts": [],
        },
        [""],
    )
