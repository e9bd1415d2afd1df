"""Generates a glossary of any size with a history over several releases.

The same size gives the same text, always. A definition has 40 to 120 words, mentions other terms of
the glossary and quotes code. From one release to the next three terms in a hundred change: most of
them are reworded, a few go, and as many are new.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from random import Random
from textwrap import dedent

from language import Language

VOCABULARY = 30_000
LENGTHS = range(40, 121)
"""How many words a definition has."""
SENTENCES = range(8, 21)
"""How many of them a sentence has."""
REWORDED, RENEWED = 0.024, 0.003
"""Shares of the terms that a release rewords, and that it replaces by others."""
ONE_FILE = 10_000
"""Terms up to which a glossary is one file; a larger one has a file for each letter."""


@dataclass(frozen=True, kw_only=True)
class Term:
    name: str
    sentences: tuple[str, ...]
    """With other terms in braces, and code in backticks."""

    @property
    def slug(self) -> str:
        return self.name.replace(" ", "-")


Glossary = tuple[Term, ...]


@dataclass(frozen=True, kw_only=True)
class Release:
    name: str
    glossary: Glossary


@dataclass(frozen=True, kw_only=True)
class Format:
    """The syntax of a glossary."""

    suffix: str
    opening: str
    entry: Callable[[Term], str]
    closing: str = ""

    def files(self, glossary: Glossary) -> Iterator[tuple[str, str]]:
        """Yields each file's name and text."""
        if len(glossary) <= ONE_FILE * 1.5:
            yield f"glossary{self.suffix}", self._text(glossary)
            return
        for letter, terms in groupby(glossary, key=lambda term: term.name[0]):
            yield f"glossary-{letter}{self.suffix}", self._text(terms)

    def write(self, content: Path, releases: Sequence[Release]) -> None:
        """Writes releases into a folder for each."""
        for release in releases:
            folder = content / release.name
            folder.mkdir(parents=True, exist_ok=True)
            for name, text in self.files(release.glossary):
                (folder / name).write_text(text, encoding="utf-8")

    def _text(self, terms: Sequence[Term] | Iterator[Term]) -> str:
        return self.opening + "\n".join(map(self.entry, terms)) + self.closing


def releases(terms: int, *, count: int) -> tuple[Release, ...]:
    """Returns a glossary of so many terms at so many releases, oldest first."""
    return tuple(_releases(terms, count))


def edited(glossary: Glossary, place: int, word: str) -> Glossary:
    """Returns the glossary with one word of one definition replaced."""
    term = glossary[place]
    before, _, _ = term.sentences[0].rpartition(" ")
    changed = replace(term, sentences=(f"{before} {word}.", *term.sentences[1:]))
    return (*glossary[:place], changed, *glossary[place + 1 :])


def _releases(terms: int, count: int) -> Iterator[Release]:
    writer = _Writer(terms)
    glossary = tuple(writer.term(name) for name in sorted(writer.names))
    yield Release(name="1.0", glossary=glossary)
    for number in range(1, count):
        glossary = writer.next(glossary)
        yield Release(name=f"1.{number}", glossary=glossary)


class _Writer:
    def __init__(self, terms: int) -> None:
        self.random = Random(terms)  # noqa: S311  (nothing here is secret)
        self.language = Language(self.random, size=VOCABULARY)
        self.names: dict[str, None] = {}
        while len(self.names) < terms:
            self.names[self.language.name()] = None
        self.mentionable = list(self.names)

    def term(self, name: str) -> Term:
        return Term(name=name, sentences=tuple(self._sentences(self.random.choice(LENGTHS))))

    def next(self, glossary: Glossary) -> Glossary:
        """Returns the glossary at its next release: mostly the same."""
        stays = [term for term in glossary if self.random.random() > RENEWED]
        fresh = [self.term(self._fresh_name()) for _ in range(len(glossary) - len(stays))]
        reworded = (
            self._reworded(term) if self.random.random() < REWORDED else term for term in stays
        )
        return tuple(sorted((*reworded, *fresh), key=lambda term: term.name))

    def _fresh_name(self) -> str:
        while (name := self.language.name()) in self.names:
            pass
        self.names[name] = None
        return name

    def _reworded(self, term: Term) -> Term:
        place = self.random.randrange(len(term.sentences))
        sentence = self._sentence(self.random.choice(SENTENCES))
        return replace(
            term, sentences=(*term.sentences[:place], sentence, *term.sentences[place + 1 :])
        )

    def _sentences(self, words: int) -> Iterator[str]:
        while words > 0:
            length = min(words, self.random.choice(SENTENCES))
            yield self._sentence(length)
            words -= length

    def _sentence(self, length: int) -> str:
        words = self.language.text(length)
        if self.random.random() < 0.25:
            words += f" of {{{self.random.choice(self.mentionable)}}}"
        if self.random.random() < 0.15:
            words += f" as `{self.random.choice(self.language.words)}()`"
        return f"{words[0].upper()}{words[1:]}."


def plain(text: str) -> str:
    """Returns a definition as Markdown without links."""
    return _MENTION.sub(r"\1", text)


def _markdown(term: Term) -> str:
    text = _MENTION.sub(
        lambda found: f"[{found[1]}](#{found[1].replace(' ', '-')})", " ".join(term.sentences)
    )
    return f"## {term.name}\n\n{text}\n"


def _sphinx(term: Term) -> str:
    text = _MENTION.sub(r":term:`\1`", " ".join(term.sentences).replace("`", "``"))
    return f"   {term.name}\n      {text}\n"


def _list(term: Term) -> str:
    return dedent(_sphinx(term))


def _myst(term: Term) -> str:
    text = _MENTION.sub(r"{term}`\1`", " ".join(term.sentences))
    return f"{term.name}\n  {text}\n"


def _html(term: Term) -> str:
    text = html.escape(" ".join(term.sentences), quote=False)
    text = _MENTION.sub(
        lambda found: f'<a href="#term-{found[1].replace(" ", "-")}">{found[1]}</a>', text
    )
    text = _CODE.sub(r"<code>\1</code>", text)
    return f'<dt id="term-{term.slug}">{term.name}</dt>\n<dd><p>{text}</p></dd>\n'


def _text(term: Term) -> str:
    return f"{term.name}\n\n{plain(' '.join(term.sentences))}\n"


_MENTION = re.compile(r"\{([^}]+)\}")
_CODE = re.compile(r"`([^`]+)`")
_PAGE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Glossary</title></head>
<body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/guide/">Guide</a></li></ul></nav>
<main>
<h1>Glossary</h1>
<dl>
"""

FORMATS = {
    "html": Format(
        suffix=".html", opening=_PAGE, entry=_html, closing="</dl>\n</main>\n</body>\n</html>\n"
    ),
    "list": Format(suffix=".rst", opening="Glossary\n========\n\n", entry=_list),
    "markdown": Format(suffix=".md", opening="# Glossary\n\n", entry=_markdown),
    "myst": Format(
        suffix=".md", opening="# Glossary\n\n```{glossary}\n", entry=_myst, closing="```\n"
    ),
    "sphinx": Format(
        suffix=".rst", opening="Glossary\n========\n\n.. glossary::\n\n", entry=_sphinx
    ),
    "text": Format(suffix=".txt", opening="Glossary\n\n", entry=_text),
}
