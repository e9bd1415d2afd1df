"""Writes the data for the search in the browser, in two files: a list of names, and an index of
words with the definitions.

The list is enough for queries by name. The other file is loaded only if names are not enough; its
definitions show where the words of a query are. The scripts that use the data are
`templates/assets/js/search-*.js`.

The list of names, which the browser loads first, has a line for each term, and the name of the
other file.

The index stores counts, from which `search-index.js` computes the weights that a query needs, by
lunr's formula (BM25). It has a line for each word: the word, the rows of terms that have it in a
name, and the rows of terms that have it in a definition. A row is written as the difference from
the previous row, with a count if the word occurs more than once: `8,3.2` is row 8, and row 11
twice.

Each file is a script that sets one property, because a page that is opened from disk can run
scripts but not read other files. The name of the second has a hash of its content, so a browser
never combines cached files of different builds.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise

from lunr.stop_word_filter import WORDS as STOP_WORDS

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.model.terms import STATUSES
from sitegen.site.messages import catalog, isolated, plain
from sitegen.site.pages.page import SEPARATOR, Writer
from sitegen.site.search.search_words import (
    SIGNS,
    index_word,
    last_letters,
    question_pattern,
    rules,
    words,
)
from sitegen.site.search.searched_terms import Searchable, searchables
from sitegen.site.site import Site
from sitegen.text import compact_json
from sitegen.text.names import main_language

MAX_SUGGESTIONS = 6
"""The number of terms that are shown before anything is typed."""
REPEATED = 5
"""The index counts the first sentence of a definition so many times more: it says what the term
means."""
SearchSection = tuple[str, str, str, Sequence[int]] | tuple[str, str, str]
"""A page that the search finds by its name: of a section, of the deprecated or removed terms, of a
release, or one that the site's editors wrote. It is what is typed to find the page, the path of the
page and the text of a link there. A page of terms also has their rows, each as the difference from
the previous one: 8, 3 and 1 are the rows 8, 11 and 12."""
WeightedText = tuple[str, int]
"""A text, and how often each of its words counts."""
Postings = Mapping[str, Sequence[tuple[int, int]]]
"""Each word to the rows that have it, with how often it occurs there."""
INNER_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
"""Between the parts of a name such as "DataLoader"."""


def files(site: Site) -> list[File]:
    """Returns the files that a search of this site reads."""
    terms = searchables(site)
    return search_files(
        terms,
        language=site.language,
        suggestions=_suggestions(terms, site),
        sections=[
            *_sections(terms, site),
            *_ended(terms, site),
            *_releases(site),
            *_extra_pages(site),
        ],
    )


def _suggestions(terms: Sequence[Searchable], site: Site) -> Sequence[int]:
    """Returns the rows of the terms that other definitions mention most often, the most mentioned
    first. They are shown before anything is typed."""
    mentions: Counter[str] = Counter()
    for keys in site.linked_terms.values():
        mentions.update([site.slugs[key] for key in keys])
    mentioned = []
    for row, term in enumerate(terms):
        if term.status == "current" and mentions[term.slug]:
            mentioned.append(row)
    mentioned.sort(key=lambda row: -mentions[terms[row].slug])
    return mentioned[:MAX_SUGGESTIONS]


def _sections(terms: Sequence[Searchable], site: Site) -> Iterator[SearchSection]:
    """Yields the sections of a site."""
    row_of_slug = {term.slug: row for row, term in enumerate(terms)}
    for heading, lives in site.sections.values():
        # A synonym is found in the row of the term that it stands for.
        slugs = [site.slugs[site.defining_term(life.key).key] for life in lives]
        rows = {row_of_slug[slug] for slug in slugs if slug in row_of_slug}
        label = isolated(site.words.say("search.section", len(lives), name=heading))
        yield heading, _path(urls.section(heading)), label, _steps(rows)


def _ended(terms: Sequence[Searchable], site: Site) -> Iterator[SearchSection]:
    """Yields the deprecated terms, and those that are removed or merged, with their place in A–Z.
    Synonyms and merged terms are counted there, but have no row of their own."""
    say = site.words.say
    deprecated = [life for life in site.defined if life.status == "deprecated"]
    removed = [life for life in site.lives if not life.is_defined]
    for status, title, place, lives in (
        ("deprecated", "kind.deprecated", "?only=deprecated", deprecated),
        ("removed", "a-z.removed", "#removed", removed),
    ):
        if lives:
            rows = [row for row, term in enumerate(terms) if term.status == status]
            label = f"{plain(say(title))}{SEPARATOR}{plain(say('terms', len(lives)))}"
            yield plain(say(f"kind.{status}")), _path(urls.A_TO_Z + place), label, _steps(rows)


def _releases(site: Site) -> Iterator[SearchSection]:
    """Yields the releases of a site. A reader of an older one types its number first."""
    writer = Writer(site, urls.SEARCH)
    for name in site.by_release:
        yield name, _path(urls.release(name)), plain(writer.release_title(name))


def _extra_pages(site: Site) -> Iterator[SearchSection]:
    """Yields the pages that the site's editors wrote, without rows: only a release has no list of
    them. The link to a page begins with the title of their index, if they have one."""
    start = ""
    for page in site.extra_pages:  # an index is the first one
        yield page.title, _path(page.address), start + page.title, ()
        if page.address == urls.extra_page(""):
            start = f"{page.title}{SEPARATOR}"


def _path(address: str) -> str:
    """Returns the path of an address from the root of the site."""
    return urls.link(address, root="")


def _steps(rows: Collection[int]) -> Sequence[int]:
    """Returns rows in order, each as the difference from the previous one."""
    return [row - previous for previous, row in pairwise((0, *sorted(rows)))]


def search_files(
    terms: Sequence[Searchable],
    *,
    language: str,
    suggestions: Sequence[int] = (),
    sections: Sequence[SearchSection] = (),
) -> list[File]:
    """Returns the files that a search among these terms reads. `suggestions` are rows of terms."""
    words_and_texts = {**index(terms, language=language), "texts": [*map(_shown_text, terms)]}
    words_script = script("words", words_and_texts)
    words_file = f"words-{hashlib.sha256(words_script).hexdigest()[:10]}"
    say = catalog(language).say
    slugs = {}
    hints = {}
    for row, term in enumerate(terms):
        # Most slugs are the words of the name, so the browser can make them.
        if not term.name.isascii() or term.slug != "-".join(words(term.name)):
            slugs[row] = term.slug
        if term.hint:
            hints[row] = term.hint
    names = {
        "file": words_file,
        "suggestions": suggestions,
        "sections": sections,
        "questions": question_pattern(plain(say("search.questions"))),
        "joining": plain(say("search.joining")),
        "endings": rules(language),
        "names": "\n".join(map(_line_of_names, terms)),
        "slugs": slugs,
        "settings": hints,
        "sentences": "\n".join([_on_one_line(term.sentence) for term in terms]),
    }
    return [
        File(path="search/names.js", content=script("names", names)),
        File(path=f"search/{words_file}.js", content=words_script),
    ]


def _line_of_names(term: Searchable) -> str:
    r"""Returns the names of a term, each after the sign of its kind, separated by tabs: "=Loader",
    "+reader" for another name, "-Feeder\v0.4" for one that ended in 0.4, and ">Pump\v0.5" for that
    of a term that was merged into it in 0.5."""
    names = [STATUSES[term.status].sign + _on_one_line(term.name)]
    names += ["+" + _on_one_line(name) for name in term.other_names]
    names += ["-" + _ended_name(*ended) for ended in term.former_names.items()]
    names += [">" + _ended_name(*ended) for ended in term.merged_names.items()]
    return "\t".join(names)


def _ended_name(name: str, release: str) -> str:
    """Returns a name with the release in which it ended."""
    return f"{_on_one_line(name)}\v{_on_one_line(release)}"


def _on_one_line(text: str) -> str:
    """Returns a text without line ends and tabs."""
    return re.sub(r"[\x00-\x1f]+", " ", text)


def _shown_text(term: Searchable) -> str:
    """Returns the definitions of a term in the form that `search-passages.js` reads. The definition
    of another source follows the title of that source."""
    # `\v` begins another definition, and `\f` ends the title.
    others = [f"{title}: \f{text}" for text, title in term.other_texts.items()]
    return "\v".join([term.text, *others])


# The index of words.


def index(terms: Sequence[Searchable], *, language: str) -> dict[str, object]:
    """Returns the index of the words of these terms.

    Words are indexed without endings, in languages that have rules for them; the stop words of
    English are left out.
    """
    # Without this cache, the build of a glossary of long texts takes a tenth longer.
    as_indexed = cache(partial(index_word, language=language))
    # One row for each term, of texts with how often their words count.
    names = []
    texts = []
    for term in terms:
        names.append([(indexed_names(term), 1)])
        other_definitions = term.other_texts.keys()
        all_definitions = " ".join([term.text, *other_definitions])
        texts.append([(all_definitions, 1), (term.sentence, REPEATED)])
    lengths_of_names, in_names = _postings(names, as_indexed)
    lengths_of_texts, in_texts = _postings(texts, as_indexed)
    lines = []
    for word in sorted({*in_names, *in_texts}):
        lines.append(f"{word} {_rows(in_names.get(word, ()))} {_rows(in_texts.get(word, ()))}")
    return {
        "stops": sorted(STOP_WORDS) if main_language(language) == "en" else [],
        # Words such as "use", which count in a query only if it has no rarer one.
        "common": words(plain(catalog(language).say("search.common"))),
        "lengths": (lengths_of_names, lengths_of_texts),
        "lines": "\n".join(lines),
    }


def indexed_names(term: Searchable) -> str:
    """Returns all names of a term, with the parts of those that are written as one word:
    "DataLoader Data Loader"."""
    others = (*term.other_names, *term.former_names, *term.merged_names)
    names = " ".join((term.name, *others))
    parts = []
    for word in names.split():
        separated = INNER_CAPITAL.sub(" ", word)
        if separated != word:
            parts.append(separated)
    return " ".join((names, *parts))


def _postings(
    texts: Iterable[Iterable[WeightedText]], as_indexed: Callable[[str], str]
) -> tuple[Sequence[int], Postings]:
    """Returns the number of words of each row, and the rows of each word and run of signs. The last
    letter of a run of Chinese or Japanese counts as a word of its own.

    For the texts `[[("C++ code", 1)], [("code", 5)]]`, the numbers are `[2, 5]`. "code" is in the
    rows `[(0, 1), (1, 5)]`: once in row 0, and five times in row 1.
    """
    lengths = []
    postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for row, texts_of_row in enumerate(texts):
        length = 0
        counts: Counter[str] = Counter()
        for text, times in texts_of_row:
            found = map(as_indexed, (*words(text), *last_letters(text)))
            indexed = [word for word in found if word]
            length += times * len(indexed)
            for word in (*indexed, *SIGNS.findall(text)):
                counts[word] += times
        lengths.append(length)
        for word, count in counts.items():
            postings[word].append((row, count))
    return lengths, postings


def _rows(rows: Iterable[tuple[int, int]]) -> str:
    """Returns rows and counts as text, each row as the difference from the previous one.

    >>> _rows([(8, 1), (11, 2)])
    '8,3.2'
    """
    steps = []
    previous = 0
    for row, count in rows:
        step = f"{row - previous}"
        if count > 1:
            step += f".{count}"
        steps.append(step)
        previous = row
    return ",".join(steps)


# The files.


def script(name: str, value: object) -> bytes:
    """Returns a script that assigns a value to a property of `glossarySearch`, for
    `search-*.js`."""
    key, data = compact_json.text(name), compact_json.text(value)
    return f"(self.glossarySearch ||= {{}})[{key}] = {data};\n".encode("utf-8", "replace")
