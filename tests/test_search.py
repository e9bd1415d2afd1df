"""The search data and the scripts that read them (run by node, where it is installed)."""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from subprocess import PIPE
from typing import Any

import npm
import pytest
from glossaries import from_text
from hostile_queries import HOSTILE
from hypothesis import given
from hypothesis import strategies as st
from lunr.builder import Builder
from lunr.stop_word_filter import WORDS as STOP_WORDS
from rapidfuzz.distance import OSA
from sites import glossary, site_of_glossaries

from sitegen.addresses import urls
from sitegen.addresses.slugs import slug
from sitegen.config.tables import Rename
from sitegen.site import search as index_module
from sitegen.site.messages import INTERFACE_LANGUAGES, catalog, plain
from sitegen.site.search import files, search_files
from sitegen.site.search.search_words import ENGLISH, index_word, rules, words
from sitegen.site.search.searched_terms import Searchable, searchables
from sitegen.site.templates import asset_files, read_templates
from sitegen.text.summary import summary

HERE = Path(__file__).parent / "search"
SCRIPTS = Path(__file__).parent.parent / "templates" / "assets" / "js"
NAMES = tuple(SCRIPTS / f"search-{part}.js" for part in ("words", "names", "near"))


def searchable(name: str, **more: Any) -> Searchable:
    return Searchable(name=name, slug=slug(name) or "x", **more)


def scripts(*terms: Searchable, language: str = "en") -> dict[str, bytes]:
    """Returns the files of a search by name."""
    return {
        file.path.removeprefix("search/").removesuffix(".js"): file.content
        for file in search_files(terms, language=language)
    }


def values(script: bytes) -> dict[str, Any]:
    """Returns the properties that a script sets, by name."""
    lines = (line.partition("[")[2].partition("] = ") for line in script.decode().splitlines())
    return {json.loads(name): json.loads(value.rstrip(";\n")) for name, _, value in lines}


def names_list(*terms: Searchable) -> dict[str, Any]:
    found: dict[str, Any] = values(scripts(*terms)["names"])["names"]
    return found


def index(*terms: Searchable, language: str = "en") -> tuple[dict[str, Any], list[str]]:
    """Returns the index of the words of these terms, and its lines."""
    (script,) = [
        script for name, script in scripts(*terms, language=language).items() if name != "names"
    ]
    read: dict[str, Any] = values(script)["words"]
    return read, read.pop("lines").split("\n")


def node(script: str, *arguments: str | Path, given: object) -> Any:
    if shutil.which("node") is None:
        pytest.skip("node is not installed, which runs the browser's scripts here")
    run = subprocess.run(
        ["node", HERE / script, *arguments],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def reported(
    terms: tuple[Searchable, ...], *queries: str, language: str = "en"
) -> dict[str, list[dict[str, Any]]]:
    """Runs queries in the browser's scripts and returns their results."""
    given = {"list": scripts(*terms, language=language)["names"].decode(), "queries": queries}
    answer: dict[str, list[dict[str, Any]]] = node("names.js", *NAMES, given=given)
    return answer


def find(terms: tuple[Searchable, ...], *queries: str) -> list[dict[str, Any]]:
    return reported(terms, *queries)["found"]


def check(terms: tuple[Searchable, ...], expected: Mapping[str, list[str]]) -> None:
    """Asserts that each query finds these names, in this order."""
    found = [[result["name"] for result in answer["results"]] for answer in find(terms, *expected)]
    assert dict(zip(expected, found, strict=True)) == dict(expected)


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
            "sections": [],
            "endings": [list(rule) for rule in rules("en")],
            "names": "=volume",
            "slugs": ["volume"],
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
    "portability portable",
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


# Names, as the browser finds them.

TERMS = (
    searchable("C"),
    searchable("C++"),
    searchable("chain of snapshots"),
    searchable("constructor"),
    searchable("HEAD"),
    searchable("head"),
    searchable("naïve copy"),
    searchable("snap", status="removed"),
    searchable("snapping", status="removed"),
    searchable(
        "snapshot",
        other_names=("capture",),
        former_names={"state image": ""},
        merged_names={"picture": ""},
    ),
    searchable("snapshot chain"),
    searchable("__proto__"),
)


def test_exact_names_come_before_other_names_prefixes_and_words() -> None:
    """Exact names come first, then prefixes, then beginnings of later words; removed terms last,
    unless exact."""
    check(
        TERMS,
        {
            "snapshot": ["snapshot", "snapshot chain", "chain of snapshots"],
            "snap": ["snap", "snapshot", "snapshot chain", "chain of snapshots", "snapping"],
            "state image": ["snapshot"],
            "capt": ["snapshot"],
            "chain": ["chain of snapshots", "snapshot chain"],
            "chain snap": ["snapshot chain", "chain of snapshots"],
        },
    )


def test_names_are_compared_without_case_and_accents_but_with_their_signs() -> None:
    """`c++` finds `C++` before `C`; of two names equal after folding, the typed one is first."""
    check(
        TERMS,
        {
            "c++": ["C++", "C"],
            "C": ["C", "C++", "constructor", "chain of snapshots", "snapshot"],
            "head": ["head", "HEAD"],
            "HEAD": ["HEAD", "head"],
            "Naive  Copy": ["naïve copy"],
            "constructor": ["constructor"],
            "__proto__": ["__proto__"],
            "toString": [],
        },
    )


NAMES_IN_CODE = (
    searchable("*args"),
    searchable("//"),
    searchable("-1"),
    searchable("context manager"),
    searchable("file-like object"),
    searchable("fit"),
    searchable("fit_transform"),
    searchable("iterator"),
    searchable("n_jobs"),
    searchable("named tuple", former_names={"record": ""}),
    searchable("predict_proba"),
    searchable("query"),
    searchable("tuple"),
    searchable("自動微分"),
    searchable("微分"),
)


def test_punctuation_separators_and_plurals_do_not_hide_a_name() -> None:
    """A name that is joined, quoted, called or inflected finds its term first."""
    queries = {
        "predict proba": "predict_proba",
        "predict_proba()": "predict_proba",
        "clf.fit(X, y)": "fit",
        "context-manager": "context manager",
        '"context manager"': "context manager",
        "contextmanager": "context manager",
        "namedtuple": "named tuple",
        "njobs": "n_jobs",
        "filelike": "file-like object",
        "args": "*args",
        "*args": "*args",
        "//": "//",
        "-1": "-1",
        "iterators": "iterator",
        "Queries": "query",
        "named tuples": "named tuple",
        "records": "named tuple",
        "微分": "微分",
        "自動": "自動微分",
    }
    first = [answer["results"][0]["name"] for answer in find(NAMES_IN_CODE, *queries)]
    assert dict(zip(queries, first, strict=True)) == queries


def test_a_result_says_which_name_matched() -> None:
    """A result distinguishes former, other, merged and present names."""
    answers = find(TERMS, "state image", "capture", "picture", "snapshot")
    kinds = [(answer["results"][0]["kind"], answer["results"][0]["by"]) for answer in answers]
    assert kinds == [
        ("formerly", "state image"),
        ("also", "capture"),
        ("merged", "picture"),
        ("", "snapshot"),
    ]


QUESTIONS = {
    "en": (
        "What is a cat?",
        "what's cat",
        "define cat",
        "the meaning of cat",
        "what does cat mean?",
        "explain cat",
    ),
    "de": ("Was ist eine cat?", "Was bedeutet cat", "cat Bedeutung", "Definition von cat"),
    "fr": (
        "Qu’est-ce qu’un cat ?",
        "qu'est-ce que cat",
        "c'est quoi cat",
        "definition de cat",
        "Que signifie cat ?",
    ),
    "es": ("¿Qué es un cat?", "que es cat", "significado de cat", "definir cat"),
    "pt-BR": ("O que é um cat?", "o que e cat", "significado de cat", "definição de cat"),
    "ru": ("Что такое cat?", "что значит cat", "cat это", "определение cat"),
    "ar": ("ما هو cat؟", "ما معنى cat", "تعريف cat"),
    "ja": ("catとは", "catとは何ですか？", "catの意味"),
    "it": ("Che cos'è un cat?", "cos’è cat", "cosa significa cat", "definizione di cat"),
    "zh-Hans": ("什么是cat？", "cat是什么", "cat 是什么意思", "cat的定义"),
    "zh-Hant": ("什麼是cat？", "cat是什麼", "cat 是什麼意思", "cat的定義"),
}


@pytest.mark.parametrize("language", QUESTIONS)
def test_a_question_asks_for_its_subject(language: str) -> None:
    """The words around the subject of a question are dropped, in each language, with or without
    accents."""
    asked = QUESTIONS[language]
    answers = reported((searchable("cat"), searchable("dog")), *asked, "a cat", language=language)[
        "found"
    ]
    assert [answer["plain"].strip() for answer in answers] == ["cat"] * len(asked) + ["a cat"]


def test_every_language_knows_questions() -> None:
    """No language of the interface is without question phrases of its own."""
    assert set(QUESTIONS) == set(INTERFACE_LANGUAGES)


def test_a_name_that_sounds_like_a_question_is_a_name() -> None:
    """A question that is the name of a term, or its plural, is not taken apart."""
    terms = (
        searchable("what is new"),
        searchable("new"),
        searchable("definition of done"),
        searchable("done"),
    )
    check(
        terms,
        {
            "What is new?": ["what is new"],
            "definition of done": ["definition of done"],
            "define done": ["done", "definition of done"],
        },
    )


def test_each_of_two_joined_names_is_found() -> None:
    """A query that joins or compares names, or names one within another, finds these terms in its
    order."""
    terms = (
        searchable("branch"),
        searchable("head"),
        searchable("tip"),
        searchable("tip of a branch"),
    )
    check(
        terms,
        {
            "head vs tip": ["head", "tip"],
            "difference between tip and branch": ["tip", "branch"],
            "head in branch": ["head", "branch"],
        },
    )


def test_a_plural_is_exact() -> None:
    """The plural of a name counts as the name, before names that begin with it, also of a removed
    term."""
    terms = (
        searchable("branches of trees"),
        searchable("branch", status="removed"),
        searchable("branch head"),
    )
    check(terms, {"branches": ["branch", "branches of trees", "branch head"]})


def test_a_plural_in_two_words_begins_a_name_that_writes_them_as_one() -> None:
    """`bread crumbs` finds the names that `breadcrumb` begins, after those that `breadcrumbs`
    begins; a plural of one letter begins none."""
    terms = (
        searchable("breadcrumb trail"),
        searchable("breadcrumbs and trails"),
        searchable("axis"),
    )
    check(
        terms,
        {"bread crumbs": ["breadcrumbs and trails", "breadcrumb trail"], "as": []},
    )


def test_near_misses_are_found_when_nothing_else_is() -> None:
    """One error is allowed in four to seven letters, two in eight or more, with swaps counted
    once."""
    check(
        TERMS,
        {
            "snapshoot": ["snapshot", "snapshot chain", "chain of snapshots"],
            "sanpshot": ["snapshot", "snapshot chain", "chain of snapshots"],
            "capptrue": ["snapshot"],
            "haed": ["HEAD", "head"],
            "hedd": ["HEAD", "head"],
            "xyad": [],
            "xed": [],
        },
    )
    assert find(TERMS, "snapshoot")[0]["results"][0]["near"] is True
    assert find(TERMS, "snapshot")[0]["results"][0]["near"] is False


def test_a_derived_word_finds_the_name() -> None:
    """A word that differs from a name in English endings finds the name; one that only begins with
    it does not."""
    terms = (searchable("lint"), searchable("tag"))
    check(terms, {"linters": ["lint"], "taglike": []})


def test_letters_are_counted_as_everybody_counts_them() -> None:
    """The distance of two texts is their optimal string alignment, up to the limit."""
    chance = random.Random(1)
    pairs = [
        (
            "".join(chance.choices("abc", k=chance.randint(0, 9))),
            "".join(chance.choices("abc", k=chance.randint(0, 9))),
        )
        for _ in range(3_000)
    ]
    limits = [chance.randint(0, 5) for _ in pairs]
    given = {
        "list": scripts()["names"].decode(),
        "queries": [],
        "pairs": [(*pair, limit) for pair, limit in zip(pairs, limits, strict=True)],
    }
    expected = [
        found if (found := OSA.distance(*pair)) <= limit else None
        for pair, limit in zip(pairs, limits, strict=True)
    ]
    assert node("names.js", *NAMES, given=given)["apart"] == expected
    assert None in expected and 5 in expected


def test_nothing_that_is_typed_throws() -> None:
    """Every query is answered."""
    assert len(find(TERMS, *HOSTILE)) == len(HOSTILE)


def test_the_browser_and_the_index_find_the_same_words(shared: Path) -> None:
    """The words of a query are folded like the words of the index."""
    texts = [term.text for term in corpus(shared, "sphinx")] + [
        text for text in HOSTILE if "\ud83d" not in text
    ]
    texts += ["Straße ﬁne İstanbul Ελλάς σοφός naïve don’t x²", "दस्तावेज़ ཨོཾ 한국어 ĳ", "٣ Ⅷ ½ ﾃﾝｿﾙ"]
    assert [answer["words"] for answer in find((), *texts)] == [words(text) for text in texts]


# Words, held against stock lunr.js.


def corpus(shared: Path, name: str) -> tuple[Searchable, ...]:
    """Every term that a real glossary ever had, as Sphinx reads it."""
    releases = json.loads((shared / "corpora" / "oracle" / f"{name}.json").read_text())
    entries = {
        entry["terms"][0]: entry for release in releases.values() for entry in release["entries"]
    }
    return tuple(
        searchable(
            name,
            other_names=tuple(entry["terms"][1:]),
            sentence=summary(from_text(entry["definition"])),
            text=entry["definition"],
        )
        for name, entry in sorted(entries.items())
    )


@pytest.fixture(scope="session")
def stock_lunr() -> Path:
    """The folder of lunr.js."""
    return npm.installed("lunr")


def indexed(query: Sequence[str]) -> list[str]:
    """The forms of a query's words in an English index."""
    return [index_word(word, language="en") for word in query]


# Lunr counts them among the words of a query.
COMMON = {*words(plain(catalog("en").say("search.common")))}


def meant(query: Sequence[str]) -> list[str]:
    return [word for word in query if word not in STOP_WORDS]


def queries(vocabulary: list[str], number: int) -> list[list[str]]:
    """Queries of one to three words as people type them: some unfinished, some with stop words,
    some unknown."""
    chance = random.Random(number)
    result = []
    for _ in range(number):
        query = chance.choices(vocabulary, k=chance.randint(1, 3))
        if chance.random() < 0.3:
            query.insert(0, chance.choice(sorted(STOP_WORDS)))
        if chance.random() < 0.4:
            query[-1] = query[-1][: chance.randint(1, len(query[-1]))]
        result.append(query)
    return [
        *result,
        ["constructor"],
        ["proto"],
        ["qqq"],
        ["naive"],
        ["the"],
        ["state", "state", "stat"],
    ]


def lunr_index(terms: Sequence[Searchable]) -> dict[str, Any]:
    """What lunr.py makes of the same words, its numbers given to them in their order, which lunr
    leaves open."""
    builder = Builder()
    builder.ref("row")
    builder.k1(3)
    builder.field("names", boost=3)
    builder.field("text")

    def indexed(text: str) -> list[str]:
        return [found for word in words(text) if (found := index_word(word, language="en"))]

    def in_order(word: str) -> bytes:
        return word.encode("utf-16-be")

    names = [indexed(index_module.indexed_names(term)) for term in terms]
    repeated = index_module.REPEATED
    texts = [indexed(" ".join((term.text, *[term.sentence] * repeated))) for term in terms]
    for number, word in enumerate(sorted(set(chain(*names, *texts)), key=in_order)):
        builder.inverted_index[word] = {"names": {}, "text": {}, "_index": number}
    for row, (name, text) in enumerate(zip(names, texts, strict=True)):
        builder.add({"row": row, "names": name, "text": text})
    built: dict[str, Any] = builder.build().serialize()
    return {
        **built,
        "invertedIndex": sorted(built["invertedIndex"], key=lambda posting: in_order(posting[0])),
    }


def beside_stock(
    terms: Sequence[Searchable],
    lunr: Path,
    *,
    asked: list[list[str]],
    vocabulary: Sequence[str] = (),
) -> dict[str, Any]:
    """What our index and stock lunr.js answer."""
    reported: dict[str, Any] = node(
        "stock.js",
        *(SCRIPTS / "search-words.js", SCRIPTS / "search-index.js", lunr),
        given={
            "scripts": [script.decode() for script in scripts(*terms).values()],
            "serialized": lunr_index(terms),
            "queries": [{"typed": query, "indexed": indexed(meant(query))} for query in asked],
            "stops": sorted(STOP_WORDS),
            "vocabulary": vocabulary,
        },
    )
    return reported


def shares(scored: Sequence[tuple[int, float]]) -> dict[int, float]:
    """The scores of rows, each as a part of their sum: lunr divides them by the length of the
    query."""
    total = sum(score for _, score in scored)
    return {row: score / total for row, score in scored}


@pytest.mark.parametrize("name", ["pyramid", "sphinx"])
def test_words_are_ranked_as_stock_lunr_ranks_them(
    name: str, shared: Path, stock_lunr: Path
) -> None:
    """All results and their scores are those of lunr.js; equal ones are in the order of the
    terms."""
    terms = corpus(shared, name)
    vocabulary = sorted({word for term in terms for word in words(f"{term.name} {term.text}")})
    asked = [query for query in queries(vocabulary, 500) if COMMON.isdisjoint(query)]
    reported = beside_stock(terms, stock_lunr, asked=asked, vocabulary=vocabulary)
    for query, answer in zip(asked, reported["answers"], strict=True):
        assert answer["ours"] == sorted(answer["ours"], key=lambda found: (-found[1], found[0]))
        assert shares(answer["ours"]) == pytest.approx(shares(answer["stock"]), abs=2e-3), query
    assert sum(len(answer["stock"]) > 1 for answer in reported["answers"]) > 300


def test_words_of_any_script_are_ranked_as_stock_lunr_ranks_them(stock_lunr: Path) -> None:
    """Words beyond ASCII and names that objects inherit are words like any other to both."""
    terms = (
        searchable("naïve", text="constructor __proto__ toString"),
        searchable("﨎 𐐷", text="דוד naive naïvely"),
        searchable("constructor", text="hasOwnProperty naive"),
    )
    asked = [
        ["naive"],
        ["naiv"],
        ["constructor"],
        ["proto"],
        ["𐐷"],
        ["﨎"],
        ["דו"],
        ["tostring", "naive"],
    ]
    reported = beside_stock(terms, stock_lunr, asked=asked)
    for answer in reported["answers"]:
        assert answer["stock"]
        assert shares(answer["ours"]) == pytest.approx(shares(answer["stock"]), abs=2e-3)


def made_up_words() -> list[str]:
    """Words that meet every rule of English: short beginnings with one or two of its endings."""
    chance = random.Random(1980)
    endings = [*ENGLISH.split("|"), "s", "ss", "es", "ies", "dd", "ll"]
    return [
        "".join(
            [
                *chance.choices("aeiouysltbcdwxzé1", k=chance.randint(0, 6)),
                *chance.choices(endings, k=number % 3),
            ]
        )
        for number in range(20_000)
    ]


def test_the_browser_takes_the_endings_off_any_word_as_the_index_does(stock_lunr: Path) -> None:
    """The browser's script and the index have the same form of every word."""
    vocabulary = [word for word in meant(made_up_words()) if word]
    reported = beside_stock((searchable("x"),), stock_lunr, asked=[], vocabulary=vocabulary)
    assert reported["stems"] == indexed(vocabulary)


def test_scripts_stay_within_their_budget() -> None:
    """The scripts loaded at first have at most 6 kB (gzip); the reader of the index comes with the
    index."""
    sizes = {file.path: len(gzip.compress(file.content)) for file in asset_files(read_templates())}
    assert sizes[urls.SEARCH_SCRIPT] <= 6_000
    assert sizes[urls.SEARCH_INDEX] <= 2_400
