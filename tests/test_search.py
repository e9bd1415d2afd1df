"""Names, as the browser's scripts find them (run by node, where it is installed)."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest
from hostile_queries import HOSTILE
from rapidfuzz.distance import OSA
from searches import NAMES, check, corpus, find, node, reported, scripts, searchable

from sitegen.addresses import urls
from sitegen.site.messages import INTERFACE_LANGUAGES
from sitegen.site.search.search_words import words
from sitegen.site.templates import asset_files, read_templates

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


def test_letters_inside_of_words_find_a_name_after_those_that_begin_with_them() -> None:
    """Four letters inside of a word of a name find it, after names and words that begin with them,
    and before removed ones; fewer do not, nor letters of two words. Each word of a query may be
    inside of one."""
    terms = (
        searchable("autograd"),
        searchable("autograd graph"),
        searchable("cargo deck"),
        searchable("gradient"),
        searchable("no-grad mode"),
        searchable("regrading", status="removed"),
        searchable("마이크로서비스"),
    )
    check(
        terms,
        {
            "grad": ["gradient", "no-grad mode", "autograd", "autograd graph", "regrading"],
            "grad grap": ["autograd graph"],
            "gra": ["gradient", "no-grad mode", "autograd graph"],
            "rad": [],
            "godeck": [],
            "서비스": ["마이크로서비스"],
            "스": [],
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
    "bn": ("cat কী?", "cat কাকে বলে", "cat এর সংজ্ঞা"),
    "hi": ("cat क्या है?", "cat का अर्थ", "cat की परिभाषा"),
    "ko": ("cat이란 무엇인가요?", "cat란", "cat의 뜻", "cat 뜻"),
    "tr": ("cat nedir?", "cat ne demek", "cat tanımı"),
    "ur": ("cat کیا ہے؟", "cat کا مطلب", "cat کی تعریف"),
    "vi": ("cat là gì?", "định nghĩa cat", "ý nghĩa của cat"),
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


def test_what_a_sentence_calls_is_found_first() -> None:
    """Of a call within a sentence, the function is asked for: its name, then names of which the
    first word is the function's."""
    terms = (
        searchable("backward pass"),
        searchable("call"),
        searchable("fit"),
        searchable("fit transform"),
        searchable("fitbit"),
        searchable("//"),
    )
    check(
        terms,
        {
            "why must I call backward() twice": ["backward pass"],
            "is clf.fit(X, y) slow": ["fit", "fit transform"],
            "why fit twice": [],
            "what is +(x": [],
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


def test_two_capitals_abbreviate_two_words() -> None:
    """`PR` asks for the term with these initials; `pr` first for the names that it begins."""
    terms = (
        searchable("prerequisite"),
        searchable("pull request"),
        searchable("access control list"),
        searchable("accelerator"),
    )
    expected = {
        "PR": ["pull request", "prerequisite"],
        "pr": ["prerequisite", "pull request"],
        "acl": ["access control list"],
    }
    check(terms, expected)


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


def test_scripts_stay_within_their_budget() -> None:
    """The scripts loaded at first have at most 6 kB (gzip); the reader of the index comes with the
    index."""
    sizes = {file.path: len(gzip.compress(file.content)) for file in asset_files(read_templates())}
    assert sizes[urls.SEARCH_SCRIPT] <= 6_000
    assert sizes[urls.SEARCH_INDEX] <= 2_400
