"""Converts names with definitions, as found by a format, to entries. It is the last step of reading
a document.

The text of an entry (names, definition, anchors) depends only on its arguments, so it is memoized
(`entry_text`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from html import unescape
from itertools import islice
from typing import NamedTuple, TypeVar

from sitegen.formats.common.senses import senses_as_list
from sitegen.model import (
    Designation,
    Document,
    Entry,
    EntryText,
    Problem,
    ProblemKind,
    Reading,
    TooMuchWorkError,
    Trouble,
    UnreadableError,
    first_of,
)
from sitegen.text import labels, prose
from sitegen.text.decoding import visible
from sitegen.text.memo import memo
from sitegen.text.names import did_you_mean
from sitegen.text.words import folded_words, without_tags

Part = TypeVar("Part")

Metadata = tuple[tuple[str, tuple[str, ...]], ...]
"""The keys of front matter that have no other use, with their values."""

AVOIDED_LINE = re.compile(
    r"(?P<before><p>|\n|<br ?/?>\n?|<li>)[ \t]*<(?P<tag>em|strong)>\s?"
    rf"(?:{labels.pattern(labels.AVOID)})\s?(?:[:：]\s?</(?P=tag)>|</(?P=tag)>\s?[:：])"
    r"(?P<names>(?:\([^()]{0,300}\)|,\s*\n|[^\n]){0,400}?)(?=</p>|\n|<br ?/?>|</li>)",
    re.I,
)
"""A line of a definition that lists names which must not be used for the term: `_Avoid_: a, b`."""
EMPHASIS = re.compile(r"<(?:em|strong)>", re.I)
"""A part of every such line. Few definitions have one, and it is found much faster."""
BREAK = re.compile(r"<br\s*/?>", re.I)
COLON = re.compile(r"(?<=[^\s:：])\s?[:：]$")
"""The colon between a name and its definition."""
EMPTY = r"<p>\s{0,9}(?:<br ?/?>\s{0,9}){0,9}</p>|<li></li>\n?|<ul>\s{0,9}</ul>"
"""What may be left around a line that is taken out."""
SECTIONS_IN_MESSAGE = 5
"""The maximum number of sections that a message names."""
CHARACTERS_OF_AN_ENTRY = 60
"""How many characters a document may have for each entry of its limit (`max_entries`): docutils
parses about 100,000 in a second."""
TAGS_OF_AN_ENTRY = 10
"""How many tags a document may have for each entry of its limit: start tags, end tags, comments."""
BETWEEN_AVOIDED = r"[,;、](?![^()]*\))(?:\s*or\s)?"
"""A separator that is not in brackets: `rig, or clamp (old, rare)` are two names."""
REMARK = r"\s*\([^()]*\)\s*$"
AROUND_NAME = " \t\"'“”‘’`*_"
NO_OTHER_NAME = re.compile(r"[-–—]+|n/?a", re.I)
"""Fills the place of other names where there are none."""
NONE_AVOIDED = re.compile(rf"{NO_OTHER_NAME.pattern}|none", re.I)
"""Fills the place of names to avoid where there are none."""
MAX_AVOIDED_WORDS = 5
"""The maximum number of words of a name to avoid. A longer text is advice, and stays in the
definition."""

HALF = "[\ud800-\udfff]"
"""Half of a surrogate pair, which markup can contain as a character reference."""


class Candidate(NamedTuple):
    """Names and the definition they share; either may be missing.

    There is one for every entry of every document, so it is a tuple.
    """

    names: tuple[str, ...]
    """Empty if the text is among terms but has no name."""
    html: str
    line: int
    anchors: tuple[str, ...] = ()
    section: str = ""
    deprecated: bool = False
    avoided: tuple[str, ...] = ()
    """Names that must not be used for the term."""


def pairs(
    parts: Iterable[Part], is_name: Callable[[Part], bool]
) -> Iterator[tuple[list[Part], list[Part]]]:
    """Yields the names that are one above the other, with the other parts below them: name, name,
    text, name, text are two pairs.

    Parts above the first name have no names, and the last names may have nothing below them.
    """
    names: list[Part] = []
    parts_below: list[Part] = []
    for part in parts:
        if not is_name(part):
            parts_below.append(part)
            continue
        if parts_below:
            yield names, parts_below
            names, parts_below = [], []
        names.append(part)
    if names or parts_below:
        yield names, parts_below


def limited(document: Document, parts: Iterable[Part], *, of: str = "entries") -> list[Part]:
    """Returns parts of a document as a list. Raises TooMuchWorkError if they are more than the
    entries that the document may have. `of` names the parts in the message: "lines".

    Formats call it before the costly work on each part.
    """
    # One more than the limit is enough to see that there are too many.
    first_parts = [*islice(parts, document.max_entries + 1)]
    if len(first_parts) > document.max_entries:
        raise too_many(document, of)
    return first_parts


def too_many(document: Document, of: str, each: float = 1, *, line: int = 0) -> TooMuchWorkError:
    """Returns the error for a document with too many parts: more than `each` for each entry that it
    may have."""
    wanted = "nothing of it is read; divide the document"
    found = f"more than {int(document.max_entries * each):,} {of}"
    return TooMuchWorkError(found, wanted, line=line)


def no_terms(wanted: str) -> UnreadableError:
    """Returns the error for a document in which no terms are found."""
    return UnreadableError("no terms found", wanted, kind=ProblemKind.NO_TERMS)


def check_length(
    document: Document, length: int, of: str, *, each: int = CHARACTERS_OF_AN_ENTRY
) -> None:
    """Raises TooMuchWorkError for a document that is too long for a slow parser: longer than `each`
    characters for each entry that it may have."""
    if length > document.max_entries * each:
        raise too_many(document, f"characters of {of}", each)


def check_tags(document: Document, *, marks: str = "<") -> None:
    """Raises TooMuchWorkError for a document with too many tags, before it is parsed. `marks` are
    the characters that a tag begins with."""
    tags = sum([document.text.count(mark) for mark in marks])
    if tags > document.max_entries * TAGS_OF_AN_ENTRY:
        raise too_many(document, "tags", TAGS_OF_AN_ENTRY)


def read(document: Document, candidates: Iterable[Candidate], *, wanted: str = "") -> Reading:
    """Returns the entries of candidates, and a problem for each candidate without a name or a
    definition.

    `wanted` says what would have been read. If it is given, and there are no candidates,
    UnreadableError is raised.
    """
    candidates = limited(document, candidates)
    if wanted and not candidates:
        raise no_terms(wanted)
    # One heading above all terms says nothing about any of them.
    has_sections = len({candidate.section for candidate in candidates}) > 1

    entries: list[Entry] = []
    problems: list[Problem] = []
    for candidate in candidates:
        section = candidate.section if has_sections else ""
        if candidate.names:
            parsed = entry(document, candidate, section=section)
            if parsed.definition.text:
                entries.append(parsed)
                continue
        problems.append(incomplete(document, candidate))
    return Reading(entries=tuple(entries), problems=tuple(problems))


def entry(
    document: Document, candidate: Candidate, *, section: str = "", metadata: Metadata = ()
) -> Entry:
    """Returns the entry of a candidate that has a name; its definition may be empty."""
    text = entry_text(
        candidate.names,
        candidate.anchors,
        candidate.html,
        avoided=candidate.avoided,
        deprecated=candidate.deprecated,
        metadata=metadata,
    )
    return Entry(with_section(text, section), document.place, candidate.line)


@memo
def with_section(text: EntryText, section: str) -> EntryText:
    """Returns an entry text with its section."""
    return replace(text, section=_visible(section))


def in_section(candidates: Sequence[Candidate], section: str) -> list[Candidate]:
    """Returns the candidates in a section. Raises UnreadableError if there are none."""
    wanted = folded_words(section)
    found = [candidate for candidate in candidates if folded_words(candidate.section) == wanted]
    if not found:
        raise no_section(section, [candidate.section for candidate in candidates])
    return found


def no_section(section: str, names: Iterable[str]) -> UnreadableError:
    """Returns the error for a document without the section that is to be read. `names` are the
    names of the sections that it has."""
    sections = distinct(names)
    found = f"no section '{section}' here"
    wanted = "no term has a section"
    if sections:
        first_sections = f"sections here: {first_of(sections, SECTIONS_IN_MESSAGE)}"
        wanted = did_you_mean(section, sections, otherwise=first_sections)
    return UnreadableError(found, wanted, kind=ProblemKind.NO_TERMS)


def incomplete(document: Document, candidate: Candidate) -> Problem:
    """Returns the problem of a candidate without a definition, or without a name."""
    if candidate.names:
        found, wanted = f"'{candidate.names[0]}' has no definition", "write one"
    else:
        found = "text without a name among the terms"
        wanted = "begin it with a name, as its neighbors do"
    problem = Trouble(ProblemKind.ENTRY, found, wanted).at(document.path, line=candidate.line)
    return replace(problem, terms=candidate.names[:1])


@memo
def entry_text(
    names: tuple[str, ...],
    anchors: tuple[str, ...],
    html: str,
    *,
    avoided: tuple[str, ...] = (),
    deprecated: bool = False,
    metadata: Metadata = (),
) -> EntryText:
    """Returns the entry text of names, anchors and the HTML of a definition. `avoided` are names to
    avoid that are not in the HTML."""
    html, avoided_in_text = without_avoided_names(html)
    # Another name with a status, "Rig (deprecated)", is avoided.
    preferred, *others = names
    used = [labels.without_status(preferred)]
    all_avoided = [*avoided, *avoided_in_text]
    for other in others:
        plain = labels.without_status(other)
        names_of_kind = used if plain == other else all_avoided
        names_of_kind.append(plain)
    return EntryText(
        designations=tuple(_designations(used, all_avoided)),
        definition=prose.from_html(senses_as_list(html)),
        anchors=distinct(map(_visible, anchors)),
        deprecated=deprecated or used[0] != preferred,
        metadata=metadata,
    )


def _designations(names: Iterable[str], avoided: Iterable[str]) -> Iterator[Designation]:
    """Yields the preferred name, the other names, and the names to avoid: "Jig:", "Template" and
    "-" are "Jig", which is preferred, and "Template"."""
    visible_names = [_visible(COLON.sub("", name)) for name in names]
    # A name may have only characters that are not visible.
    preferred, *others = distinct(visible_names) or ["\ufffd"]
    yield Designation(text=preferred)
    used = {folded_words(preferred)}
    for other in others:
        if not NO_OTHER_NAME.fullmatch(other):
            yield Designation(text=other, status="admitted")
            used.add(folded_words(other))
    for name in distinct(map(_visible, avoided)):
        # A name that is also used is not avoided.
        if folded_words(name) not in used and not NONE_AVOIDED.fullmatch(name):
            yield Designation(text=name, status="deprecated")


def _visible(text: str) -> str:
    """Returns a text without invisible characters, in which halves of surrogate pairs are replaced:
    they cannot be written to a file."""
    return visible(re.sub(HALF, "\ufffd", text))


def text_of_html(html: str) -> str:
    """Returns the text of HTML on one line: "table saw" of `<em>table</em> saw`."""
    return " ".join(unescape(without_tags(html)).split())


def distinct(texts: Iterable[str]) -> tuple[str, ...]:
    """Returns the texts that are not empty, each once."""
    return tuple(dict.fromkeys(filter(None, texts)))


def without_asterisks(text: str) -> str:
    """Returns a text without the asterisks around it: `* name*` is no valid markup, and they would
    be shown. A text of nothing but asterisks is unchanged."""
    if text.startswith("*") and text.endswith("*"):
        return text.strip("* ") or text
    return text


def without_avoided_names(html: str) -> tuple[str, tuple[str, ...]]:
    """Splits the names to avoid from a definition. Returns the other HTML, and the names.

    `<p>Holds.</p><p><em>Avoid</em>: rig, clamp (old)</p>` is `<p>Holds.</p>`, and the names "rig"
    and "clamp".
    """
    if not EMPHASIS.search(html):
        return html, ()
    avoided: list[str] = []

    def take_names(line: re.Match[str]) -> str:
        """Adds the names in a line to `avoided`, and returns what replaces the line: the mark
        before it, such as `<li>`. A line of advice, without names, is unchanged."""
        text = unescape(without_tags(line["names"])).strip().rstrip(".")
        names = []
        for part in re.split(BETWEEN_AVOIDED, text):
            name = re.sub(REMARK, "", part).strip(AROUND_NAME)
            if len(name.split()) > MAX_AVOIDED_WORDS:
                return line[0]
            if name:
                names.append(name)
        if not names:
            return line[0]
        avoided.extend(names)
        return line["before"]

    other_html = AVOIDED_LINE.sub(take_names, html)
    if avoided:
        other_html = re.sub(EMPTY, "", other_html)
    return other_html, distinct(avoided)
