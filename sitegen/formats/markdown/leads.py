"""Finds the lead of a Markdown text: the name at its start, which is bold, linked or plain, before
a separator or alone on its line; and the names in a line of a definition list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile
from typing import NamedTuple

from markdown_it.token import Token

from sitegen.formats.common.columns import MAX_GUESSED_NAME, MAX_WORDS
from sitegen.formats.common.entries import BREAK
from sitegen.formats.common.headings import is_label
from sitegen.formats.markdown.commonmark import BREAKS, elements, inside, plain
from sitegen.formats.markdown.inline_html import anchors_in, leading_anchors
from sitegen.text.names import heading_ids

AFTER_MARKED = (
    r"(?P<aside>\s*\([^()]{1,80}\))?"
    r"(?:\s*(?:[:：](?!:)|[—–])|\s+(?:-{1,2}|=)(?=[\s\u2e80-\uffff])|\.(?=\s))\s*"
)
"""The separator between a bold name and its definition: a colon, a dash, `=`, a full stop. An aside
in brackets, as in `**Jig** (noun): `, belongs to the name. Chinese needs no space after a dash."""
OPEN_ASIDE = re.compile(r"\s*\([^()]{0,80}")
"""The beginning of such an aside."""
AFTER_UNMARKED = re.compile(r"\s+(?:[-–—]{1,2}|::)\s+|\s*：\s*|:\s+|\s*:$")
"""The separator between a plain name and its definition: `Jig - holds`, `Jig: holds`, `Jig ::
holds`.
"""
OTHER_NAME = re.compile(r"\s*\((?P<name>[^()\s]{1,12}|[A-Z][^()]{0,80}(?<![.!?]))\)[ \t]*")
"""Another name in brackets, after a bold name that is alone on its line: `**Table saw** (TS)`."""
ANCHOR_TAG = re.compile(r"<(?:a|span)(?: [^<>]*)?>|</(?:a|span)>", re.I)
ASIDE = re.compile(r"\s*\([^()]*\)$")
BACKSLASH = re.compile(r"(?<=\S)\s*\\$")
"""A backslash after a name, which is no break at the end of a paragraph."""
ARTICLE = re.compile(r"(?:an?|the)\s")
STOP = re.compile(r"(?<!\b\w)(?<!\.)\.$|。$")
"""The full stop that ends a name as if it were a sentence, and not that of "U.S."."""
MARKS_OF_NAMES = frozenset({"strong_open", "em_open"})
BETWEEN_MARKED_NAMES = (
    r"(?P<aside>\s*\([^()]{1,30}\))?\s*(?:/|,?\s*\b(?:or|and|also called|also known as|aka)\b|,)\s*"
)
"""Matches the text between two names: `**Jig** (noun) or **Template**`."""
SPEC_UP = re.compile(r"\[\[def:\s*(?P<names>[^\[\]]+)\]\]:?")
"""The name of a definition in Spec-Up: `[[def: wallet, digital wallet]]`."""


@dataclass(frozen=True)
class Lead:
    """The names at the start of a text, and its rest: "Jig" and "Holds." of `**Jig**: Holds.`."""

    names: tuple[str, ...]
    rest: Sequence[Token]
    """The inline tokens of the definition."""
    anchors: tuple[str, ...] = ()
    has_separator: bool = True
    """A colon or a dash follows the names; otherwise they are alone on their line."""
    is_marked: bool = False
    """The names are bold or emphasized."""


class MarkedNames(NamedTuple):
    """The bold or emphasized names that a text begins with."""

    names: tuple[str, ...]
    anchors: tuple[str, ...]
    """The anchors before, in and right after the names."""
    is_bold: bool
    """True if the first name is bold."""
    following: Sequence[Token]
    """The tokens after the names and their anchors."""


def marked_lead(children: Sequence[Token]) -> Lead | None:
    """Returns the lead of a text that begins with bold or emphasized names: of
    `**Jig** (noun): Holds.` the name "Jig (noun)" and the rest "Holds.". Returns None for other
    texts."""
    marked = marked_names(_without_link(children))
    if marked is None:
        return None
    separated = _after_names(marked.following)
    if separated is None:
        return _lead_without_separator(marked)
    aside, rest = separated
    *others, last = marked.names
    return checked_lead((*others, last + aside), rest, marked.anchors, is_marked=True)


def _lead_without_separator(marked: MarkedNames) -> Lead | None:
    """Returns the lead of names that no separator follows: they end with a colon themselves,
    `**Jig:** Holds.`, or are bold, alone on their line, and read as a heading. Returns None for
    other names, such as those in a sentence."""
    names, anchors, is_bold, following = marked
    if following:
        name_in_brackets = OTHER_NAME.fullmatch(following[0].content)  # `**Jig** (Template)`
        if name_in_brackets:
            names = (*names, name_in_brackets["name"])
            following = following[1:]
    rest = [*dropwhile(lambda token: token.content.isspace(), following)]

    if names[-1].endswith((":", "：")):
        return checked_lead(names, rest, anchors, is_marked=True)

    is_alone = not rest or _ends_line(rest[0])
    last_bold_name = marked.names[-1]  # not the one in brackets
    if is_bold and is_alone and _reads_as_heading(last_bold_name, has_anchor=bool(anchors)):
        below_line = rest[1:]
        return checked_lead(names, below_line, anchors, has_separator=False, is_marked=True)
    return None


def subject_lead(children: Sequence[Token]) -> Lead | None:
    """Returns the lead of a text that begins with bold or emphasized names, without a separator.

    The definition of "Jig" is "holds" in `**Jig.** holds`, "A frame." in `**Jig** A frame.`, and
    the whole sentence in `**Jig** holds wood.`
    """
    marked = marked_names(_without_link(children))
    if marked is None:
        return None
    *others, last = marked.names
    last_without_stop = STOP.sub("", last)
    if marked.is_bold and marked.following:
        has_stop = last_without_stop != last
        if has_stop or _begins_sentence(marked.following[0]):
            names = (*others, last_without_stop)
            return checked_lead(names, marked.following, marked.anchors, is_marked=True)
    # The names are the subject of the sentence.
    return checked_lead(marked.names, children, marked.anchors)


def _begins_sentence(token: Token) -> bool:
    """Returns whether a text begins with a capital letter or an article."""
    text = token.content.lstrip()
    return token.type == "text" and (text[:1].isupper() or ARTICLE.match(text) is not None)


def _without_anchors(children: Sequence[Token]) -> list[Token]:
    """Returns a text without the tags of anchors at its start."""
    return [*dropwhile(_is_anchor, children)]


def _is_anchor(token: Token) -> bool:
    return token.type == "html_inline" and ANCHOR_TAG.fullmatch(token.content) is not None


def _without_link(children: Sequence[Token]) -> Sequence[Token]:
    """Returns a text without the link around the bold name at its start:
    `[**Jig**](jig.md): Holds.` becomes `**Jig**: Holds.` Other texts are returned unchanged."""
    _, text = leading_anchors(children)
    begins_with_linked_bold = [token.type for token in text[:2]] == ["link_open", "strong_open"]
    if not begins_with_linked_bold:
        return children
    link = next(elements(text))
    anchors = children[: len(children) - len(text)]
    # Outside the link, its tokens are nested one level less.
    inside_link = [token.copy(level=token.level - 1) for token in inside(link)]
    after_link = text[len(link) :]
    return [*anchors, *inside_link, *after_link]


def linked_lead(children: Sequence[Token]) -> Lead | None:
    """Returns the lead of a text that begins with a linked name and a separator: `[Name](…): …`.
    Returns None for other texts.

    The name counts as marked if the link leads to itself: `<a name="jig">[Jig](#jig)</a>: …`.
    """
    anchors, text = leading_anchors(children)
    if not text or text[0].type != "link_open":
        return None
    link = next(elements(text))
    name = plain(inside(link))
    separated = _after_names(_without_anchors(text[len(link) :]))
    is_sentence = len(name.split()) > MAX_WORDS
    if separated is None or is_sentence:
        return None
    aside, rest = separated
    target = str(text[0].attrs.get("href")).removeprefix("#")
    leads_to_itself = target in anchors
    return checked_lead((name + aside,), rest, anchors, is_marked=leads_to_itself)


def short_lead(children: Sequence[Token]) -> Lead | None:
    """Returns the lead of an item with a short name alone on its first line; None for other
    items."""
    # A line end inside markup does not end the line.
    line = [*takewhile(lambda token: token.level or not _ends_line(token), children)]
    rest = children[len(line) :]
    if rest and rest[0].type == "softbreak":
        return None  # the next line continues this one
    # In Markdown, a backslash at the end of a line breaks the line. It is not part of the name.
    name = BACKSLASH.sub("", plain(line))
    if not _reads_as_heading(name):
        return None
    below_line = rest[1:]
    return checked_lead((name,), below_line, anchors_in(line), has_separator=False)


def checked_lead(
    names: Sequence[str],
    rest: Sequence[Token],
    anchors: tuple[str, ...],
    *,
    has_separator: bool = True,
    is_marked: bool = False,
) -> Lead | None:
    """Returns the lead with these names, without colons at their ends. Returns None if one of them
    cannot be a name: it is empty, too long, or a label such as "Note"."""
    # An author who marks words means a name, so the name may be longer.
    max_length = 2 * MAX_GUESSED_NAME if is_marked else MAX_GUESSED_NAME
    names_without_colons = tuple([name.rstrip(":： ") for name in names])
    for name in names_without_colons:
        if not name or len(name) > max_length or is_label(name):
            return None
    return Lead(names_without_colons, rest, anchors, has_separator, is_marked)


def marked_names(children: Sequence[Token]) -> MarkedNames | None:
    """Returns the bold or emphasized names at the start of a text; None if there are none.

    `**Jig** or **Template**: Holds.` begins with two names.
    """
    anchors, text = leading_anchors(children)
    names: list[str] = []
    following = text
    while following and following[0].type in MARKS_OF_NAMES:
        element = next(elements(following))
        name = plain(inside(element))
        following = following[len(element) :]
        separator = _separator_before_marked(following)
        if separator:
            # In `**Jig** (noun), **Template**`, "(noun)" is part of the name before it.
            name += separator["aside"] or ""
            following = following[1:]
        names.append(name)
    if not names:
        return None

    following = _without_anchors(following)
    tokens_of_names = text[: len(text) - len(following)]
    anchors += anchors_in(tokens_of_names)
    is_bold = text[0].type == "strong_open"
    return MarkedNames(tuple(names), anchors, is_bold, following)


def _separator_before_marked(following: Sequence[Token]) -> re.Match[str] | None:
    """Returns the separator at the start of some tokens, if another name follows it."""
    if len(following) < 2 or following[1].type not in MARKS_OF_NAMES:
        return None
    return re.fullmatch(BETWEEN_MARKED_NAMES, following[0].content)


def _after_names(children: Sequence[Token]) -> tuple[str, Sequence[Token]] | None:
    """Reads an aside and a separator: of ` (*noun*): Holds.` it returns " (noun)", without markup,
    and the tokens of "Holds.". Returns None without a separator."""
    text_so_far = ""
    for index, token in enumerate(children):
        text_so_far += token.content
        is_outside_markup = token.type == "text" and token.level == 0
        if is_outside_markup:
            separator = re.match(AFTER_MARKED, text_so_far)
            if separator:
                return separator["aside"] or "", _tokens_after(children, index, separator)
        # Go on only while an aside is not closed.
        if token.type in BREAKS or not OPEN_ASIDE.fullmatch(text_so_far):
            break
    return None


def _tokens_after(
    children: Sequence[Token], index: int, separator: re.Match[str]
) -> Sequence[Token]:
    """Returns the tokens after a separator, which ends in the token at `index`."""
    rest_of_token = separator.string[separator.end() :]
    following = children[index + 1 :]
    if rest_of_token:
        return [children[index].copy(content=rest_of_token), *following]
    return following


def _ends_line(token: Token) -> bool:
    """Returns whether a token ends a line: a line end, `<br>`, or a lone backslash."""
    if token.type == "html_inline":
        return BREAK.fullmatch(token.content) is not None
    return token.type in BREAKS or token.content == "\\"


def _reads_as_heading(name: str, *, has_anchor: bool = False) -> bool:
    """Returns whether a name is short, and not a sentence."""
    words = ASIDE.sub("", name).split()
    # An author who sets an anchor means a name, so the name may be longer.
    max_words = 2 * MAX_WORDS if has_anchor else MAX_WORDS
    if len(words) > max_words:
        return False
    return not name.endswith((".", "!", "?", ";", ",", "。", "！", "？"))


def unmarked_lead(children: Sequence[Token]) -> Lead | None:
    """Returns the lead of a text that begins with a short plain name and a separator: `Jig: Holds.`
    Returns None for other texts.

    The name may have code in it, "The `jig` tool - holds", but no link.
    """
    anchors, text = leading_anchors(children)
    for index, token in enumerate(text):
        if token.type == "link_open" or token.type in BREAKS:
            return None
        is_outside_markup = token.type == "text" and token.level == 0
        if not is_outside_markup:
            continue
        separator = AFTER_UNMARKED.search(token.content)
        if separator is None:
            continue
        before_separator = token.copy(content=token.content[: separator.start()])
        name = plain((*text[:index], before_separator))
        words = ASIDE.sub("", name).split()
        if len(words) > MAX_WORDS:
            return None
        return checked_lead((name,), _tokens_after(text, index, separator), anchors)
    return None


class NameLine(NamedTuple):
    """The names in a line above a definition, and their anchors."""

    names: Sequence[str]
    anchors: Sequence[str]


def read_name_line(element: Sequence[Token]) -> NameLine:
    """Returns the names and anchors in a line above a definition."""
    _opening, inline, _closing = element
    text = inline.children or []
    anchors, _ = leading_anchors(text)
    line_text = plain(text)
    spec_up = SPEC_UP.fullmatch(line_text)
    if spec_up is None:
        return NameLine([line_text], anchors)

    names = [name.strip() for name in spec_up["names"].split(",")]
    first, *others = names
    for name in others:
        # The first of `[[def: table-saw, Table saw]]` is an id, which becomes an anchor.
        is_first_an_id = name != first and first in heading_ids(name)
        if is_first_an_id:
            others.remove(name)
            return NameLine([name, *others], [*anchors, first])
    return NameLine(names, anchors)
