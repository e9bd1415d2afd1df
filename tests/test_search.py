"""The list of names, the index of words, and what the browser's readers make of them (run by node, where it is)."""

from __future__ import annotations

import contextlib
import gzip
import json
import random
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from glossaries import Glossary, lives_of, source
from lunr.stop_word_filter import WORDS as STOP_WORDS

from sitegen.prose import first_sentence
from sitegen.search import MAX_SENTENCES, Searchable, files, index, names_list, searchables, words
from sitegen.site import Site
from sitegen.slugs import slug
from sitegen.stem import stem

HERE = Path(__file__).parent / "search"
SCRIPTS = Path(__file__).parent.parent / "templates" / "assets" / "js"
LUNR = "2.3.9"


def searchable(name: str, **more: Any) -> Searchable:
    return Searchable(name=name, slug=slug(name) or "x", **more)


def value(script: bytes) -> Any:
    """What a script of ours sets."""
    return json.loads(script.decode().partition(" = ")[2].rstrip(";\n"))


def site_of(*glossaries: Glossary) -> Site:
    sources = [source(f"source-{number}", glossary) for number, glossary in enumerate(glossaries)]
    lives = lives_of(*sources)
    return Site(
        title="Example",
        base_url="",
        language="en",
        sources=tuple(declared for declared, _ in sources),
        editions={declared.id: editions for declared, editions in sources},
        lives=tuple(lives.values()),
        slugs={life.key: slug(life.name) for life in lives.values()},
        references={},
    )


def node(script: str, *arguments: str | Path, given: object) -> Any:
    if shutil.which("node") is None:
        pytest.skip("node is not installed, which runs the browser's scripts here")
    run = subprocess.run(
        ["node", HERE / script, *arguments], input=json.dumps(given), capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def find(terms: tuple[Searchable, ...], *queries: str) -> list[dict[str, Any]]:
    given = {"list": names_list(terms).decode(), "queries": queries}
    found: list[dict[str, Any]] = node("names.js", SCRIPTS / "search-names.js", given=given)
    return found


def check(terms: tuple[Searchable, ...], expected: Mapping[str, list[str]]) -> None:
    """Each query finds these names, in this order."""
    found = [[result["name"] for result in answer["results"]] for answer in find(terms, *expected)]
    assert dict(zip(expected, found, strict=True)) == dict(expected)


# What is searched.


def test_terms_are_searchable_by_every_name_and_keep_their_status() -> None:
    """A term is found by present, other and former names, and a removed term stays searchable."""
    site = site_of(
        {
            "1.0": {"volume": "Where data lives.", "state image": "A volume at one moment. Kept apart."},
            "1.1": {"snapshot; state image; capture": "A volume at one moment. Kept apart."},
        }
    )
    volume, snapshot = sorted(searchables(site), key=lambda term: term.name != "volume")
    assert (volume.status, volume.text) == ("removed", "Where data lives.")
    assert (snapshot.name, snapshot.status) == ("snapshot", "current")
    assert set(snapshot.other_names) | set(snapshot.former_names) == {"state image", "capture"}
    assert snapshot.sentence == "A volume at one moment."


def test_a_synonym_shows_the_sentence_of_the_term_it_stands_for() -> None:
    """A term that is the same as another says what the other says."""
    site = site_of({"1.0": {"volume": "Where data lives.", "disk": "Same as volume."}})
    assert {term.name: term.sentence for term in searchables(site)} == {
        "volume": "Where data lives.",
        "disk": "Where data lives.",
    }


def test_what_other_sources_say_now_is_searched_too() -> None:
    """A term is found by the words of every source that defines it, each wording once, and by no former ones."""
    site = site_of(
        {"1.0": {"volume": "A box."}, "1.1": {"volume": "Where data lives."}},
        {"1.0": {"volume": "A disk."}},
        {"1.0": {"volume": "Where data lives."}},
    )
    assert [term.text for term in searchables(site)] == ["Where data lives.\n\nA disk."]


def test_the_files_of_a_search_are_scripts_that_set_one_property_each() -> None:
    """A site has a list of names and an index of words, which a page from disk can run as scripts."""
    written = dict(files(site_of({"1.0": {"volume": "Where data lives."}})))
    assert list(written) == ["search/names.js", "search/words.js"]
    assert value(written["search/names.js"]) == [["volume", "volume", "current", "Where data lives."]]
    assert [posting[0] for posting in value(written["search/words.js"])["invertedIndex"]] == ["data", "live", "volum"]


def test_a_row_leaves_out_what_is_empty_at_its_end() -> None:
    """Other and former names take room only where there are any."""
    terms = (searchable("a"), searchable("b", former_names=("c",)))
    assert value(names_list(terms)) == [["a", "a", "current"], ["b", "b", "current", "", [], ["c"]]]


@pytest.mark.parametrize("name", ["__proto__", "constructor", "</script>", "a\u2028b", "“x”", "\ud800"])
def test_any_name_can_stand_in_the_list(name: str) -> None:
    """A hostile name is a string in the list; half a surrogate becomes a question mark."""
    assert value(names_list((searchable(name),)))[0][0] == name.encode("utf-8", "replace").decode()


def test_the_list_of_a_large_glossary_goes_without_sentences() -> None:
    """Beyond a number of terms the list holds names alone."""
    few = tuple(searchable(f"t{number}", sentence="Words.") for number in range(MAX_SENTENCES))
    assert value(names_list(few))[0][3] == "Words."
    assert len(value(names_list((*few, searchable("last"))))[0]) == 3


def test_300_real_terms_stay_within_the_budget_of_the_list(shared: Path) -> None:
    """The list of names of a real glossary takes at most 15 kB (gzip) for 300 terms."""
    terms = corpus(shared, "pyramid") + corpus(shared, "sphinx") + corpus(shared, "django")
    assert len(gzip.compress(names_list(terms))) <= 15_000 / 300 * len(terms)


# The index of words.


def test_words_are_folded_alike_wherever_they_come_from() -> None:
    """Case, diacritics, ligatures, punctuation and apostrophes do not tell words apart."""
    assert words("Naïve naive NAÏVE") == ["naive"] * 3
    assert words("Straße, STRASSE; ﬁle — don’t don't") == ["strasse", "strasse", "file", "dont", "dont"]
    assert words("torch.compile C++ __proto__ σοφός") == ["torch", "compile", "c", "proto", "σοφος"]
    assert words("¿ … \ud800 ]]>") == []


def test_english_words_are_stemmed_and_stop_words_left_out() -> None:
    """An English index knows stems, and tells the browser to stem what is typed."""
    built = value(index((searchable("x", text="The snapshots of it are copies"),)))
    assert [posting[0] for posting in built["invertedIndex"]] == ["copi", "snapshot", "x"]
    assert built["pipeline"] == ["stemmer"]


def test_words_of_other_languages_stand_as_they_are() -> None:
    """No English rule touches another language."""
    built = value(index((searchable("Zustände", text="Die Abbilder"),), language="de-AT"))
    assert [posting[0] for posting in built["invertedIndex"]] == ["abbilder", "die", "zustande"]
    assert built["pipeline"] == []


def test_words_stand_in_the_order_of_utf_16() -> None:
    """The index is sorted as JavaScript compares, or lunr.js would refuse it."""
    built = value(index((searchable("﨎 𐐷 z"),)))
    assert [posting[0] for posting in built["invertedIndex"]] == ["z", "𐐷", "﨎"]


def test_no_terms_make_an_empty_index() -> None:
    """A glossary without terms has a list and an index, both empty."""
    assert value(names_list(())) == []
    assert value(index(()))["invertedIndex"] == []


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
    searchable("snapshot", other_names=("capture",), former_names=("state image",)),
    searchable("snapshot chain"),
    searchable("__proto__"),
)


def test_exact_names_come_before_other_names_prefixes_and_words() -> None:
    """Exact first, then prefixes, then beginnings of later words; removed terms last, unless exact."""
    check(
        TERMS,
        {
            "snapshot": ["snapshot", "snapshot chain", "chain of snapshots"],
            "snap": ["snap", "snapshot", "snapshot chain", "chain of snapshots", "snapping"],
            "state image": ["snapshot"],
            "capt": ["snapshot"],
            "chain": ["chain of snapshots", "snapshot chain"],
            "chain snap": ["chain of snapshots", "snapshot chain"],
        },
    )


def test_names_are_compared_without_case_and_accents_but_with_their_signs() -> None:
    """`c++` is `C++` before it is `C`; of two names that folding makes equal, the one typed comes first."""
    check(
        TERMS,
        {
            "c++": ["C++", "C"],
            "C": ["C", "C++", "chain of snapshots", "constructor", "snapshot"],
            "head": ["head", "HEAD"],
            "HEAD": ["HEAD", "head"],
            "Naive  Copy": ["naïve copy"],
            "constructor": ["constructor"],
            "__proto__": ["__proto__"],
            "toString": [],
        },
    )


def test_a_result_says_which_name_matched() -> None:
    """A former name is told from another name and from the present one."""
    answers = find(TERMS, "state image", "capture", "snapshot")
    kinds = [(answer["results"][0]["kind"], answer["results"][0]["by"]) for answer in answers]
    assert kinds == [("formerly", "state image"), ("also", "capture"), ("", "snapshot")]


def test_near_misses_are_found_when_nothing_else_is() -> None:
    """One letter off in four to seven, two in eight or more, swaps counting once; shorter names need to be right."""
    check(
        TERMS,
        {
            "snapshoot": ["snapshot"],
            "sanpshot": ["snapshot"],
            "capptrue": ["snapshot"],
            "haed": ["HEAD", "head"],
            "hedd": ["HEAD", "head"],
            "xyad": [],
            "xed": [],
        },
    )
    assert find(TERMS, "snapshoot")[0]["results"][0]["near"] is True
    assert find(TERMS, "snapshot")[0]["results"][0]["near"] is False


HOSTILE = (
    *("", " ", "-", "a:b", "foo^x", "~", "^", "*", "+a -b", '"', "'", "\\", "[", "(?:", "${x}", "{count}", "%"),
    *("<script>alert(1)</script>", "שלום", "😀", "\ud83d", "x" * 10_000, "a b " * 2_500, "\u202e", "valueOf"),
)


def test_nothing_that_is_typed_throws() -> None:
    """Whatever a reader types is answered."""
    assert len(find(TERMS, *HOSTILE)) == len(HOSTILE)


def test_the_browser_and_the_index_find_the_same_words(shared: Path) -> None:
    """The words of a query are folded exactly as the words of the index."""
    texts = [term.text for term in corpus(shared, "sphinx")] + [text for text in HOSTILE if "\ud83d" not in text]
    texts += ["Straße ﬁne İstanbul Ελλάς σοφός naïve don’t x²", "दस्तावेज़ ཨོཾ 한국어 ĳ", "٣ Ⅷ ½"]
    assert [answer["words"] for answer in find((), *texts)] == [words(text) for text in texts]


# Words, held against stock lunr.js.


def corpus(shared: Path, name: str) -> tuple[Searchable, ...]:
    """Every term that a real glossary ever had, as an index of Sphinx's reading tells it."""
    releases = json.loads((shared / "corpora" / "oracle" / f"{name}.json").read_text())
    entries = {entry["terms"][0]: entry for release in releases.values() for entry in release["entries"]}
    return tuple(
        searchable(
            name,
            other_names=tuple(entry["terms"][1:]),
            sentence=first_sentence(entry["definition"]),
            text=entry["definition"],
        )
        for name, entry in sorted(entries.items())
    )


@pytest.fixture(scope="session")
def stock_lunr(pytestconfig: pytest.Config) -> Path:
    """A folder with lunr.js in it, fetched once from npm and kept in pytest's cache."""
    npm = shutil.which("npm")
    if shutil.which("node") is None or npm is None:
        pytest.skip("node or npm is not installed, which stock lunr.js needs")
    assert pytestconfig.cache is not None
    cache = pytestconfig.cache.mkdir(f"lunr-{LUNR}")
    installed = cache / "installed"
    if not installed.is_dir():
        staging = Path(tempfile.mkdtemp(dir=cache))
        quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", "--fetch-retries=0"]
        command = [npm, "install", f"lunr@{LUNR}", "--prefix", str(staging), *quiet]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode:
            pytest.skip(f"npm gives no lunr.js here: {run.stderr.strip()[:200]}")
        with contextlib.suppress(OSError):  # another worker was first
            staging.rename(installed)
    return installed


def queries(vocabulary: list[str], number: int) -> list[list[str]]:
    """Queries of one to three words as people type them: some unfinished, some with stop words, some unknown."""
    chance = random.Random(number)
    result = []
    for _ in range(number):
        query = chance.choices(vocabulary, k=chance.randint(1, 3))
        if chance.random() < 0.3:
            query.insert(0, chance.choice(sorted(STOP_WORDS)))
        if chance.random() < 0.4:
            query[-1] = query[-1][: chance.randint(1, len(query[-1]))]
        result.append(query)
    return [*result, ["constructor"], ["proto"], ["qqq"], ["naive"], ["the"], ["state", "state", "stat"]]


@pytest.mark.parametrize("name", ["pyramid", "sphinx"])
def test_words_are_ranked_as_stock_lunr_ranks_them(name: str, shared: Path, stock_lunr: Path) -> None:
    """The first ten results, order and scores are those of lunr.js, ties included."""
    terms = corpus(shared, name)
    vocabulary = sorted({word for term in terms for word in words(f"{term.name} {term.text}")})
    asked = queries(vocabulary, 500)
    given = {"index": index(terms).decode(), "queries": asked, "vocabulary": vocabulary}
    told = node("stock.js", SCRIPTS / "search-index.js", stock_lunr, given=given)
    for query, answer in zip(asked, told["answers"], strict=True):
        assert answer["ours"][:10] == answer["stock"][:10], query
    assert sum(len(answer["stock"]) > 1 for answer in told["answers"]) > 300
    assert [stems["ours"] for stems in told["stems"]] == [stems["stock"] for stems in told["stems"]]
    assert [stem(word) for word in vocabulary] == [stems["stock"] for stems in told["stems"]]


def test_words_of_any_script_are_ranked_as_stock_lunr_ranks_them(stock_lunr: Path) -> None:
    """Words beyond ASCII and names that objects inherit are words like any other to both."""
    terms = (
        searchable("naïve", text="constructor __proto__ toString"),
        searchable("﨎 𐐷", text="דוד naive naïvely"),
        searchable("constructor", text="hasOwnProperty naive"),
    )
    asked = [["naive"], ["naiv"], ["constructor"], ["proto"], ["𐐷"], ["﨎"], ["דו"], ["tostring", "naive"]]
    told = node(
        "stock.js",
        *(SCRIPTS / "search-index.js", stock_lunr),
        given={"index": index(terms).decode(), "queries": asked, "vocabulary": []},
    )
    assert all(answer["ours"] == answer["stock"] != [] for answer in told["answers"])


def made_up_words() -> list[str]:
    """Words that meet every rule of the stemmer: short beginnings with one or two of its endings."""
    chance = random.Random(1980)
    endings = (
        "sses ies s eed ed ing y ational enci anci izer bli alli entli eli ousli ization ation ator alism iveness"
        " fulness ousness aliti iviti biliti logi icate ative alize iciti ical ful ness al ance ence er ic able ible"
        " ant ement ment ent sion tion ion ou ism ate iti ous ive ize e ll l at bl iz".split()
    )
    return [
        "".join(
            [*chance.choices("aeiouysltbcdwxzé1", k=chance.randint(0, 6)), *chance.choices(endings, k=number % 3)]
        )
        for number in range(20_000)
    ]


def test_stems_are_those_of_stock_lunr_for_any_word(stock_lunr: Path) -> None:
    """Both stemmers, in Python and in the browser, agree with lunr.js to the letter."""
    vocabulary = made_up_words()
    given = {"index": index(()).decode(), "queries": [], "vocabulary": vocabulary}
    told = node("stock.js", SCRIPTS / "search-index.js", stock_lunr, given=given)["stems"]
    assert [stems["ours"] for stems in told] == [stems["stock"] for stems in told]
    assert [stem(word) for word in vocabulary] == [stems["stock"] for stems in told]


def test_scripts_stay_within_their_budget() -> None:
    """What a search loads at first intent is at most 4 kB (gzip); the reader of the index comes with the index."""
    sizes = {
        name: len(gzip.compress((SCRIPTS / f"search-{name}.js").read_bytes()))
        for name in ("names", "engine", "page", "index")
    }
    assert sizes["names"] + sizes["engine"] + sizes["page"] <= 4_000, sizes
    assert sizes["index"] <= 2_200, sizes
