"""The index of the words of names and definitions.

It stores counts, from which `search-index.js` computes the weights that a query needs, by
lunr's formula (BM25). So a query loads a small directory and few shards, each with neighboring
words. A shard has a line for each of its words: the word, the rows of terms that have it in a name,
and the rows of terms that have it in a definition. A row is written as the difference from the
previous row, with a count if the word occurs more than once: `8,3.2` is row 8, and row 11 twice.

lunr provides the stop words and the stemmer of English (`search_words`), and the ranking formula,
which the browser computes. lunr's own index of 10,000 terms would be one file of 4 MB. The first
sentence of a definition is indexed several times, because it says what the term means.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial

from lunr.stop_word_filter import WORDS as STOP_WORDS

from sitegen.site.search.data_files import hashed_name, in_parts, script
from sitegen.site.search.search_words import (
    SIGNS,
    index_word,
    is_english,
    last_letters,
    rules,
    words,
)
from sitegen.site.search.searchable_terms import Searchable

REPEATED = 5
"""The index counts the first sentence of a definition so many times more."""
SHARD = 32_000
"""The number of characters of a shard: 13 kB compressed. The line of a very common word may be
longer."""
WHOLE = 96_000
"""An index of at most this many characters is one file with its directory, which saves a
request."""


def index_files(terms: Sequence[Searchable], *, language: str) -> dict[str, bytes]:
    """Returns the script of each file of the index by its name, the directory first.

    English words are stemmed, and stop words are left out; words of some other languages are
    indexed without endings.
    """
    # A tenth of the build of a glossary of long texts.
    as_indexed = cache(partial(index_word, language=language))
    names = [" ".join((term.name, *term.other_names, *term.former_names)) for term in terms]
    lengths_of_names, in_names = _field(names, as_indexed)
    lengths_of_texts, in_texts = _field(map(indexed_text, terms), as_indexed)
    # JavaScript compares by UTF-16, Python by code point.
    all_words = sorted({*in_names, *in_texts}, key=lambda word: word.encode("utf-16-be"))
    lines = []
    for word in all_words:
        rows = _rows(in_names.get(word, ())), _rows(in_texts.get(word, ()))
        lines.append(f"{word} {rows[0]} {rows[1]}")
    parts = ["\n".join(part) for part in in_parts(lines, size=SHARD, whole=WHOLE)]
    shards = {hashed_name("words", part): part for part in parts}
    directory = {
        "endings": rules(language),
        "stemmed": is_english(language) or bool(rules(language)),
        "stops": sorted(STOP_WORDS) if is_english(language) else [],
        "lengths": (lengths_of_names, lengths_of_texts),
        "starts": [part.partition(" ")[0] for part in parts],
        "shards": list(shards),
    }
    name = hashed_name("words", str(directory))
    scripts = {name: script(name, directory)}
    scripts |= {shard: script(shard, part) for shard, part in shards.items()}
    return scripts if len(shards) > 1 else {name: b"".join(scripts.values())}


def indexed_text(term: Searchable) -> str:
    """Returns a term's definitions, with its first sentence several times, which therefore weighs
    more: it says what the term means."""
    return " ".join((term.text, *[term.sentence] * REPEATED))


def _field(
    texts: Iterable[str], as_indexed: Callable[[str], str]
) -> tuple[Sequence[int], Mapping[str, Sequence[int]]]:
    """Returns the number of words of each row, and the rows of each word and run of signs, as often
    as it occurs."""
    lengths = []
    postings: dict[str, list[int]] = defaultdict(list)
    for row, text in enumerate(texts):
        found = map(as_indexed, (*words(text), *last_letters(text)))
        indexed = [word for word in found if word]
        lengths.append(len(indexed))
        for word in (*indexed, *SIGNS.findall(text)):
            postings[word].append(row)
    return lengths, postings


def _rows(rows: Sequence[int]) -> str:
    """Returns rows as text, each as the difference from the previous one."""
    last, steps = 0, []
    for row, count in Counter(rows).items():
        steps.append(f"{row - last}" if count == 1 else f"{row - last}.{count}")
        last = row
    return ",".join(steps)
