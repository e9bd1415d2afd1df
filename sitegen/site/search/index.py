"""Builds the index of words, which maps words to terms, as a directory and shards.

The index stores counts, from which `search-index.js` computes the weights that a query needs, by lunr's formula
(BM25). So a query loads a small directory and few shards, each with neighboring words.

A shard has a line for each of its words: the word, the rows of terms that have it in a name, and the rows of terms
that have it in a definition. A row is written as the difference from the previous row, with a count if the word
occurs more than once: `8,3.2` is row 8, and row 11 twice. Each file is named by a hash of its content, and the list
of names has the directory's name, so a browser never combines cached files of different builds.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import accumulate, groupby

from sitegen.site.search.search_words import SIGNS, index_word, is_english, last_letters, rules, words
from sitegen.text import compact_json

SHARD = 32_000
"""The number of characters of a shard: 13 kB compressed. The line of a very common word may be longer."""
WHOLE = 96_000
"""An index of at most this many characters is one file with its directory, which saves a request."""


def script(name: str, value: object) -> bytes:
    """Returns a script that assigns a value to a property of `glossarySearch`, for `search-*.js`."""
    key, data = compact_json.text(name), compact_json.text(value)
    return f"(self.glossarySearch ||= {{}})[{key}] = {data};\n".encode("utf-8", "replace")


def index_files(names: Iterable[str], texts: Iterable[str], *, language: str) -> dict[str, bytes]:
    """Returns the script of each file of the index by its name, the directory first.

    `names` has all names of a term for each row, `texts` its definitions. English words are stemmed, and stop words
    are left out; words of some other languages are indexed without endings.
    """
    as_indexed = cache(partial(index_word, language=language))  # a tenth of the build of a glossary of long texts
    lengths_of_names, in_names = _field(names, as_indexed)
    lengths_of_texts, in_texts = _field(texts, as_indexed)
    # JavaScript compares by UTF-16, Python by code point.
    all_words = sorted({*in_names, *in_texts}, key=lambda word: word.encode("utf-16-be"))
    parts = _parts([f"{word} {_rows(in_names.get(word, ()))} {_rows(in_texts.get(word, ()))}" for word in all_words])
    shards = {_file_name(part): part for part in parts}
    directory = {
        "endings": rules(language),
        "stemmed": is_english(language) or bool(rules(language)),
        "lengths": (lengths_of_names, lengths_of_texts),
        "starts": [part.partition(" ")[0] for part in parts],
        "shards": list(shards),
    }
    name = _file_name(str(directory))
    scripts = {name: script(name, value) for name, value in ((name, directory), *shards.items())}
    return scripts if len(shards) > 1 else {name: b"".join(scripts.values())}


def _field(texts: Iterable[str], as_indexed: Callable[[str], str]) -> tuple[tuple[int, ...], Mapping[str, list[int]]]:
    """Returns the number of words of each row, and the rows of each word and run of signs, as often as it occurs."""
    lengths = []
    postings: dict[str, list[int]] = defaultdict(list)
    for row, text in enumerate(texts):
        indexed = [word for word_in_text in (*words(text), *last_letters(text)) if (word := as_indexed(word_in_text))]
        lengths.append(len(indexed))
        for word in (*indexed, *SIGNS.findall(text)):
            postings[word].append(row)
    return tuple(lengths), postings


def _rows(rows: Sequence[int]) -> str:
    """Returns rows as text, each as the difference from the previous one."""
    if len(rows) < 2:  # true for most words
        return "".join(map(str, rows))
    last, steps = 0, []
    for row, count in Counter(rows).items():
        steps.append(f"{row - last}" if count == 1 else f"{row - last}.{count}")
        last = row
    return ",".join(steps)


def _parts(lines: Sequence[str]) -> list[str]:
    """Splits the lines, in order, into parts of about the size of a shard, or into one if that is enough."""
    ends = [*accumulate(map(len, lines))]
    size = WHOLE if ends and ends[-1] <= WHOLE else SHARD
    parts = groupby(zip(lines, ends, strict=True), key=lambda line: (line[1] - 1) // size)
    return ["\n".join(line for line, _ in part) for _, part in parts]


def _file_name(text: str) -> str:
    return f"words-{hashlib.sha256(text.encode()).hexdigest()[:10]}"
