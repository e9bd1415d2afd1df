"""What the browser searches: a small list of names, and a lunr index of words.

The list answers by name at once; the index knows every word of the names and definitions and is fetched only when
names do not say enough. Both are scripts that set one property, because a page opened from disk may run a script
beside it and nothing else. The readers are `templates/assets/js/search-*.js`.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from lunr import __TARGET_JS_VERSION__ as LUNR_VERSION
from lunr.builder import Builder
from lunr.stemmer import stemmer
from lunr.stop_word_filter import WORDS as STOP_WORDS

from sitegen.model import Life, TermStatus
from sitegen.prose import first_sentence
from sitegen.site import Site
from sitegen.stem import stem

NAMES_PATH = "search/names.js"
WORDS_PATH = "search/words.js"
NAME_WEIGHT = 3
"""A word of a name says more about a term than a word of its definition."""
MAX_SENTENCES = 2_000
"""A larger glossary's list of names goes without first sentences: it has to arrive at once."""
EMPTY = {
    "version": LUNR_VERSION,
    "fields": ["names", "text"],
    "fieldVectors": [],
    "invertedIndex": [],
    "pipeline": [],
}
"""The index of no terms; lunr.py divides by their number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Searchable:
    """What a search needs to know of one term."""

    slug: str
    name: str
    status: TermStatus = "current"
    other_names: tuple[str, ...] = ()
    former_names: tuple[str, ...] = ()
    sentence: str = ""
    """What the term's row says: the first sentence of its definition."""
    text: str = ""
    """Its definitions in plain text, one for each source that words it differently."""


def files(site: Site) -> tuple[tuple[str, bytes], ...]:
    """Returns the path and content of each file a search reads."""
    terms = searchables(site)
    return (NAMES_PATH, names_list(terms)), (WORDS_PATH, index(terms, language=site.language))


def searchables(site: Site) -> tuple[Searchable, ...]:
    """Returns every term as a search sees it, in the site's order, which also ranks equal matches."""
    return tuple(_searchable(site, life) for life in site.lives)


def _searchable(site: Site, life: Life) -> Searchable:
    names = [designation.text for designation in life.names]
    shown = site.by_key.get(life.synonym_of or "", life)
    return Searchable(
        slug=site.slugs[life.key],
        name=life.name,
        status=life.status,
        other_names=_each_once(names[1:], without=names[:1]),
        former_names=_each_once((name for name, _ in life.former_names), without=names),
        sentence=first_sentence(shown.entry.definition.text),
        text="\n\n".join(_definitions(life)),
    )


def _each_once(names: Iterable[str], *, without: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name not in without))


def _definitions(life: Life) -> tuple[str, ...]:
    """The wording that speaks for the term, then what other sources say now."""
    current = (revision.latest for revision in life.revisions if revision.ended == "current")
    return tuple(dict.fromkeys(entry.definition.text for entry in (life.entry, *current)))


def names_list(terms: Sequence[Searchable]) -> bytes:
    """Returns the list of names: a row per term, `[name, slug, status, sentence, other names, former names]`.

    What is empty at a row's end is left out.
    """
    with_sentences = len(terms) <= MAX_SENTENCES
    return _script("names", [_row(term, with_sentence=with_sentences) for term in terms])


def _row(term: Searchable, *, with_sentence: bool) -> list[object]:
    sentence = term.sentence if with_sentence else ""
    row: list[object] = [term.name, term.slug, term.status, sentence, list(term.other_names), list(term.former_names)]
    while not row[-1]:
        row.pop()
    return row


def index(terms: Sequence[Searchable], *, language: str = "en") -> bytes:
    """Returns the index of words, as lunr serialises it; a document's ref is its row in the list of names.

    In English, words are stemmed and stop words left out; any other language's words stand as they are.
    """
    english = language.partition("-")[0].lower() == "en"
    built = _built(terms, english=english) if terms else EMPTY
    # lunr.js wants its words in the order of UTF-16; lunr.py sorts them by code point.
    postings = sorted(built["invertedIndex"], key=lambda posting: posting[0].encode("utf-16-be"))
    return _script("words", {**built, "invertedIndex": postings})


def _built(terms: Sequence[Searchable], *, english: bool) -> dict[str, Any]:
    builder = Builder()
    builder.ref("row")
    builder.field("names", boost=NAME_WEIGHT)
    builder.field("text")
    for row, term in enumerate(terms):
        names = " ".join((term.name, *term.other_names, *term.former_names))
        builder.add(
            {"row": row, "names": _indexed(names, english=english), "text": _indexed(term.text, english=english)}
        )
    if english:
        builder.search_pipeline.add(stemmer)  # tells the browser to stem what is typed
    return cast("dict[str, Any]", builder.build().serialize())


def _indexed(text: str, *, english: bool) -> list[str]:
    return [stem(word) for word in words(text) if word not in STOP_WORDS] if english else words(text)


def words(text: str) -> list[str]:
    """Returns the words of a text as they are compared: lower case, without diacritics, apostrophes or punctuation.

    `search-names.js` does the same to what a reader types.
    """
    return _fold(text).translate(_LETTERS).split()


def _fold(text: str) -> str:
    bare = "".join(letter for letter in unicodedata.normalize("NFKD", text) if not "\u0300" <= letter <= "\u036f")
    # By way of upper case, ß meets ss.
    return bare.upper().lower()


class _Letters(dict[int, str]):
    """Letters, marks and digits as they are, all else as a blank. Filled as characters are met."""

    def __missing__(self, code: int) -> str:
        self[code] = chr(code) if unicodedata.category(chr(code))[0] in "LMN" else " "
        return self[code]


_LETTERS = _Letters({ord("'"): "", ord("’"): ""})


def _script(name: str, value: object) -> bytes:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return f"(self.glossarySearch ||= {{}}).{name} = {text};\n".encode("utf-8", "replace")
