"""Finds names with their definitions inside one Markdown text: a paragraph, a list, a definition list, a table.

A paragraph or an item of a list begins with a lead: `**Name**: …`, `**Name** (aside) — …`, in a list also `name - …`.

Each text is read separately. `formats.common.outline` decides whether its names are terms of the document, or a list
inside one definition.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from markdown_it.token import Token

from sitegen.formats.common.columns import MAX_NAME, MAX_WORDS
from sitegen.formats.common.entries import Candidate, pairs
from sitegen.formats.common.headings import is_label
from sitegen.formats.common.listed_terms import ListedTerms, table_terms
from sitegen.formats.markdown.commonmark import BREAKS, groups, plain
from sitegen.formats.markdown.inline_html import anchors_in, leading_anchors
from sitegen.text.regex import regex

SPEC_UP = regex(r"\[\[def:\s*(?P<names>[^\[\]]+)\]\]:?")
"""The name of a definition in Spec-Up: `[[def: wallet, digital wallet]]`."""

Render = Callable[[Sequence[Token]], str]

MIN_SENTENCES = 3
"""The minimum number of items in a list of sentences, each of which has a bold name or a type as its subject."""
TYPE = regex(r"[A-Z]\w*[a-z]\w*")
"""The name of a type in code. (Names of options and values begin with a lower-case letter.)"""
AFTER_MARKED = regex(r"(\s*\([^()]{1,80}\))?(?:\s*(?:[:：](?!:)|[—–])|\s+(?:-{1,2}|=)(?=\s)|\.(?=\s))\s*")
"""The separator between a bold name and its definition. An aside in brackets belongs to the name."""
AFTER_UNMARKED = regex(r"\s+(?:[-–—]{1,2}|::)\s+|\s*：\s*|:\s+|\s*:$")
OTHER_NAME = regex(r"\s*\((?P<name>[^()\s]{1,12}|[A-Z][^()]{0,30})\)[ \t]*")
"""Another name in brackets, after a bold name that is alone on its line."""
ANCHOR = regex(r"<(?:a|span)(?: [^<>]*)?>|</(?:a|span)>", re.I)
ASIDE = regex(r"\s*\([^()]*\)$")
BRACKETS = regex(r"\([^()]*\)")
BLOCKS = ("<p>", "<ul", "<ol", "<pre", "<div", "<dl", "<table", "<blockquote")
RAW_BREAK = regex(r"<br\s*/?>", re.I)
LEADING = frozenset({"strong_open", "link_open", "html_inline"})
BETWEEN_NAMES = regex(
    r"(?P<aside>\s*\([^()]{1,30}\))?\s*(?:/|,?\s*\b(?:or|and|also called|also known as|aka)\b|,)\s*"
)


def candidates(group: Sequence[Token], render: Render) -> tuple[Candidate, ...]:
    """Returns the names with definitions in one part of a document."""
    match group[0].type:
        case "paragraph_open":
            return _paragraph(group[1], render)
        case "bullet_list_open" | "ordered_list_open":
            return _list(group, render)
        case "dl_open":
            return tuple(_definition_list(group, render))
        case "table_open":
            return _table(group, render).candidates
    return ()


def guesses(group: Sequence[Token], render: Render) -> tuple[Candidate, ...]:
    """Returns possible names with definitions: rows of a table without known titles, a list of sentences on names, or
    a list of one or two plain names.
    """
    match group[0].type:
        case "table_open":
            return _table(group, render).guesses
        case "bullet_list_open":
            items = _items(group)
            if len(items) < MIN_SENTENCES and all(lead and lead.rest for _, lead in items):
                return tuple(_list_item(part, lead, render) for part, lead in items)
            return tuple(_sentences([part for part, _ in items], render))
    return ()


def _paragraph(inline: Token, render: Render) -> tuple[Candidate, ...]:
    """Returns the name at the start, or one for every line that begins with a bold name."""
    terms = []
    for number, children in _lines(inline.children or []):
        lead = _marked_lead(children) or _linked_lead(children) or _lead_with_aside(children)
        if lead is None or (children[0].type == "link_open" and lead.rest and not _has_words_beside_links(lead.rest)):
            return ()  # links, such as those to the previous and the next page
        html = _paragraph_html(inline, lead.rest, render)
        terms.append(Candidate(names=lead.names, html=html, line=first_line(inline) + number, anchors=lead.anchors))
    return tuple(terms)


def _paragraph_html(inline: Token, children: Sequence[Token], render: Render) -> str:
    """Returns the first paragraph of a definition; empty if the definition begins in a later paragraph."""
    start = next((number for number, token in enumerate(children) if token.type not in BREAKS), len(children))
    html = render([inline.copy(children=list(children[start:]))]).strip()
    return f"<p>{html}</p>" if html else ""


def _list(group: Sequence[Token], render: Render) -> tuple[Candidate, ...]:
    items = _items(group)
    if group[0].type == "ordered_list_open":
        items = [(part, lead if lead and (lead.is_separate or lead.is_marked) else None) for part, lead in items]
    long = sum(lead is None and _has_long_name(part) for part, lead in items)
    if not _are_names([lead for _, lead in items], long=long):
        return ()
    if sum(lead is not None and lead.is_marked for _, lead in items) * 2 > len(items):
        items = [(part, lead or _bare_lead(part)) for part, lead in items]
    return tuple(_list_item(part, lead, render) for part, lead in items)


def _items(group: Sequence[Token]) -> list[tuple[list[Token], Lead | None]]:
    """Returns the items of a list, each with its lead."""
    return [(part, _item_lead(part)) for part in groups(group[1:-1])]


def _are_names(leads: Sequence[Lead | None], *, long: int) -> bool:
    """Returns whether the items of a list are names with definitions. `long` of them have a name that is too long.

    Most items have to begin with a bold name; or all items with a short name (at least three items), except one in
    four that is too long; or all items with a name that is alone on its line (at least two items).
    """
    with_lead = [lead for lead in leads if lead]
    if sum(lead.is_marked for lead in with_lead) * 2 > len(leads):
        return True
    enough = 3 if any(lead.is_separate for lead in with_lead) else 2
    return len(with_lead) + (long if 4 * long <= len(leads) else 0) == len(leads) and len(with_lead) >= enough


def _first_text(part: Sequence[Token]) -> list[Token]:
    """Returns the inline tokens of the paragraph that an item of a list begins with; none if it begins otherwise."""
    return (part[2].children or []) if part[1].type == "paragraph_open" else []


def _item_lead(part: Sequence[Token]) -> Lead | None:
    """Returns the lead of an item of a list."""
    text = _first_text(part)
    lead = _marked_lead(text) or _linked_lead(text) or _unmarked_lead(text)
    if lead or not (short := _short_lead(text)):
        return lead
    following = part[4].type
    is_contents = following.endswith("list_open") and any(token.type == "link_open" for token in text)
    return short if short.rest or (following != "list_item_close" and not is_contents) else None


def _has_long_name(part: Sequence[Token]) -> bool:
    """True if an item begins with words and a separator, but with more words than a name has."""
    text = _first_text(part)
    return bool(text) and text[0].type == "text" and AFTER_UNMARKED.search(text[0].content) is not None


def _bare_lead(part: Sequence[Token]) -> Lead | None:
    """Returns the bold name that an item begins with, without a separator, as its neighbors have it."""
    text = _first_text(part)
    anchors, start = leading_anchors(text)
    names, end = _marked_names(text, start) if text[start : start + 1] else ((), 0)
    is_bold = bool(names) and text[start].type == "strong_open" and len(text) > end
    return _checked_lead(names, tuple(text[end:]), anchors, is_marked=True) if is_bold else None


def _list_item(part: Sequence[Token], lead: Lead | None, render: Render) -> Candidate:
    line = first_line(part[0])
    if lead is None:
        return Candidate(names=(), html=render(part[1:-1]), line=line)
    html = _paragraph_html(part[2], lead.rest, render) + render(part[4:-1])
    return Candidate(names=lead.names, html=html, line=line, anchors=lead.anchors)


def _definition_list(group: Sequence[Token], render: Render) -> Iterator[Candidate]:
    """Yields one candidate for each run of names and the definitions that follow it."""
    for terms, definitions in pairs(groups(group[1:-1]), lambda part: part[0].type == "dt_open"):
        children = [term[1].children or [] for term in terms]
        names: list[str] = []
        for name in map(plain, children):
            defined = SPEC_UP.fullmatch(name)
            names += map(str.strip, defined["names"].split(",")) if defined else [name]
        bodies = (render(definition[1:-1]) for definition in definitions)
        yield Candidate(
            names=tuple(filter(None, names)),
            html="".join(html if html.lstrip().startswith(BLOCKS) else f"<p>{html}</p>" for html in bodies),
            line=first_line(terms[0][1]),
            anchors=tuple(anchor for tokens in children for anchor in leading_anchors(tokens)[0]),
        )


def _sentences(parts: Sequence[Sequence[Token]], render: Render) -> Iterator[Candidate]:
    """Yields the items of a list if each is a sentence whose subject is a bold name or a type."""
    if len(parts) < MIN_SENTENCES:
        return
    subjects: list[tuple[str, ...]] = []
    for part in parts:
        text = _without_link(_first_text(part))
        is_type = text and text[0].type == "code_inline" and TYPE.fullmatch(text[0].content)
        names = (text[0].content,) if is_type else _marked_names(text, leading_anchors(text)[1])[0]
        if not names or not all(map(_is_name, names)):
            return
        subjects.append(names)
    for part, names in zip(parts, subjects, strict=True):
        html = render(part[1:-1]).strip()
        html = html if html.startswith("<p>") else f"<p>{html}</p>"
        yield Candidate(names=names, html=html, line=first_line(part[0]))


def _table(group: Sequence[Token], render: Render) -> ListedTerms:
    rows = (row for section in groups(group[1:-1]) for row in groups(section[1:-1]))
    return table_terms(
        [(first_line(row[0]), [render([cell[1]]).strip() for cell in groups(row[1:-1])]) for row in rows]
    )


def first_line(token: Token) -> int:
    """Returns the line on which a token begins."""
    return token.map[0] + 1 if token.map else 0


@dataclass(frozen=True, slots=True)
class Lead:
    names: tuple[str, ...]
    rest: tuple[Token, ...]
    """The inline tokens of the definition."""
    anchors: tuple[str, ...] = ()
    is_separate: bool = True
    """A colon or a dash follows the names; otherwise they are alone on their line."""
    is_marked: bool = False
    """The names are bold or emphasized."""


def _marked_lead(children: Sequence[Token]) -> Lead | None:
    """Returns the lead of a text that begins with bold names (or emphasized ones, where a separator follows)."""
    children = _without_link(children)
    anchors, start = leading_anchors(children)
    names, end = _marked_names(children, start)
    if not names:
        return None
    while end < len(children) and children[end].type == "html_inline" and ANCHOR.fullmatch(children[end].content):
        end += 1
    anchors += anchors_in(children[start:end])
    aside, rest = _after_names(children[end:])
    if rest is not None:
        return _checked_lead((*names[:-1], names[-1] + aside), rest, anchors, is_marked=True)
    other = OTHER_NAME.fullmatch(children[end].content) if end < len(children) else None
    if other and (end + 1 == len(children) or _ends_line(children[end + 1])):
        names, end = (*names, other["name"]), end + 1
    rest = tuple(dropwhile(lambda token: token.type == "text" and token.content.isspace(), children[end:]))
    if names[-1].endswith((":", "：")):
        return _checked_lead(names, rest, anchors, is_marked=True)
    has_own_line = not rest or _ends_line(rest[0])
    limit = 2 * MAX_WORDS if anchors else MAX_WORDS
    if has_own_line and children[start].type == "strong_open" and _reads_as_heading(names[-1], limit):
        return _checked_lead(names, rest[1:], anchors, is_separate=False, is_marked=True)
    return None


def _without_link(children: Sequence[Token]) -> Sequence[Token]:
    """Returns the tokens of a text that begins with a linked bold name, without that link."""
    start = leading_anchors(children)[1]
    if [token.type for token in children[start : start + 2]] != ["link_open", "strong_open"]:
        return children
    end = _closing(children, start)
    if children[end - 1].type != "strong_close":
        return children
    inner = [token.copy(level=token.level - 1) for token in children[start + 1 : end]]
    return [*children[:start], *inner, *children[end + 1 :]]


def _has_words_beside_links(tokens: Sequence[Token]) -> bool:
    return any(token.level == 0 and re.search(r"\w", token.content) for token in tokens)


def _linked_lead(children: Sequence[Token]) -> Lead | None:
    """Returns the lead of a text that begins with a linked name and a separator: `[Name](…): …`."""
    anchors, start = leading_anchors(children)
    if start >= len(children) or children[start].type != "link_open":
        return None
    end = _closing(children, start)
    aside, rest = _after_names(children[end + 1 :])
    name = plain(children[start + 1 : end])
    return None if rest is None or len(name.split()) > MAX_WORDS else _checked_lead((name + aside,), rest, anchors)


def _short_lead(children: Sequence[Token]) -> Lead | None:
    """Returns the lead of an item whose first line is only a short name, plain or linked."""
    anchors, start = leading_anchors(children)
    end = next(
        (number for number, token in enumerate(children) if _ends_line(token) and not token.level), len(children)
    )
    first = [token for token in children[start:end] if token.type not in {"link_open", "link_close"}]
    is_plain = bool(first) and all(token.type in {"text", "code_inline", "html_inline"} for token in first)
    name = plain(first)
    is_hard = end == len(children) or children[end].type != "softbreak"
    if not (is_plain and is_hard and _reads_as_heading(name) and len(name) <= MAX_NAME):
        return None
    anchors += anchors_in(children[start:end])
    return _checked_lead((name,), tuple(children[end + 1 :]), tuple(dict.fromkeys(anchors)), is_separate=False)


def _checked_lead(
    names: Sequence[str],
    rest: tuple[Token, ...],
    anchors: tuple[str, ...],
    *,
    is_separate: bool = True,
    is_marked: bool = False,
) -> Lead | None:
    cleaned = tuple(name.rstrip(":： ") for name in names)
    longest = 2 * MAX_NAME if is_marked else MAX_NAME
    if not all(_is_name(name, longest) for name in cleaned):
        return None
    return Lead(cleaned, rest, anchors, is_separate, is_marked)


def _is_name(name: str, longest: int = MAX_NAME) -> bool:
    return 0 < len(name) <= longest and not is_label(name)


def _marked_names(children: Sequence[Token], start: int) -> tuple[tuple[str, ...], int]:
    """Returns the consecutive names from `start` on, and the index after them."""
    names: list[str] = []
    end = start
    while end < len(children) and children[end].type in {"strong_open", "em_open"}:
        closing = _closing(children, end)
        names.append(plain(children[end + 1 : closing]))
        following = children[closing + 1 : closing + 3]
        end = closing + 1
        if len(following) == 2 and following[1].type == "strong_open":
            separator = BETWEEN_NAMES.fullmatch(following[0].content)
            if separator:
                names[-1] += separator["aside"] or ""
                end += 1
    return tuple(names), end


def _closing(children: Sequence[Token], start: int) -> int:
    level, closing = children[start].level, children[start].type.replace("open", "close")
    following = range(start + 1, len(children))
    return next(number for number in following if (children[number].type, children[number].level) == (closing, level))


def _after_names(children: Sequence[Token]) -> tuple[str, tuple[Token, ...] | None]:
    """Returns an aside that belongs to the name, and the tokens after the separator; None without a separator."""
    separator = AFTER_MARKED.match(children[0].content) if children and children[0].type == "text" else None
    if separator is None:
        return "", None
    return separator[1] or "", _divided(children, 0, separator)[1]


def _divided(children: Sequence[Token], index: int, separator: re.Match[str]) -> tuple[str, tuple[Token, ...]]:
    """Returns the text before a separator in the token at `index`, and the tokens after the separator."""
    token = children[index]
    name = plain((*children[:index], token.copy(content=token.content[: separator.start()])))
    rest = token.copy(content=token.content[separator.end() :])
    return name, (rest, *children[index + 1 :]) if rest.content else tuple(children[index + 1 :])


def _ends_line(token: Token) -> bool:
    return token.type in BREAKS or (token.type == "html_inline" and RAW_BREAK.fullmatch(token.content) is not None)


def _reads_as_heading(name: str, limit: int = MAX_WORDS) -> bool:
    words = ASIDE.sub("", name).split()
    return len(words) <= limit and not name.endswith((".", "!", "?", ";", ","))


def _unmarked_lead(children: Sequence[Token]) -> Lead | None:
    """Returns the lead of a text that begins with a short name, neither bold nor a link, and a separator."""
    anchors, start = leading_anchors(children)
    for index, token in enumerate(children[start:]):
        if token.type == "link_open" or token.type in BREAKS:
            return None
        separator = AFTER_UNMARKED.search(token.content) if token.type == "text" and token.level == 0 else None
        if separator:
            name, rest = _divided(children[start:], index, separator)
            return _checked_lead((name,), rest, anchors) if len(name.split()) <= MAX_WORDS else None
    return None


def _lead_with_aside(children: Sequence[Token]) -> Lead | None:
    """Returns the lead of a text that begins with a bold name, an aside with markup, and a separator.

    The aside is in brackets, or is emphasized, code, raised or the mark of a footnote: `**Jig** (*noun*): …`.
    """
    anchors, start = leading_anchors(children)
    if start == len(children) or children[start].type != "strong_open":
        return None
    loose, tags = "", 0
    for index in range(_closing(children, start) + 1, len(children)):
        token = children[index]
        if token.type in BREAKS:
            return None
        if token.type == "html_inline":
            tags += -1 if token.content.startswith("</") else 1
        if token.type != "text" or token.level or tags:
            continue
        for separator in AFTER_UNMARKED.finditer(token.content):
            if not re.search(r"\w|\(", BRACKETS.sub("", loose + token.content[: separator.start()])):
                name, rest = _divided(children[start:], index - start, separator)
                return _checked_lead((name,), rest, anchors, is_marked=True)
        loose += token.content
    return None


def _lines(children: Sequence[Token]) -> list[tuple[int, list[Token]]]:
    """Returns a paragraph split before each line that begins with a bold name, with the numbers of these lines."""
    lines: list[list[Token]] = [[]]
    for token in children:
        lines[-1].append(token)
        if token.type in BREAKS and token.level == 0:
            lines.append([])
    parts: list[tuple[int, list[Token]]] = []
    for number, line in enumerate(filter(None, lines)):
        lead = _marked_lead(line) or _lead_with_aside(line) if line[0].type in LEADING else None
        if not parts or (lead and lead.is_separate):
            parts.append((number, line))
        else:
            parts[-1][1].extend(line)
    return parts
