"""Words, as the scripts of the browser find and rank them, held against stock lunr."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import npm
import pytest
from lunr.builder import Builder
from lunr.stop_word_filter import WORDS as STOP_WORDS
from searches import SCRIPTS, corpus, indexed, node, scripts, searchable

from sitegen.site import search as index_module
from sitegen.site.messages import catalog, plain
from sitegen.site.search.search_words import ENGLISH, index_word, words
from sitegen.site.search.searched_terms import Searchable


@pytest.fixture(scope="session")
def stock_lunr() -> Path:
    """The folder of lunr.js."""
    return npm.installed("lunr")


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
    endings = [*ENGLISH.split("|"), "s", "ss", "es", "ies", "dd", "ll", "ities"]
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
