"""The difference of two wordings: the newer one, with marks where words were added and removed.

The page of a term, the page of a release and comparisons of releases show the same differences, so
they are cached.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from markupsafe import Markup, escape

from sitegen.model import Entry, Prose
from sitegen.site.definitions import LinkAddresses, definition_html
from sitegen.site.messages import Catalog
from sitegen.site.pages.page import Writer
from sitegen.text import differing_words
from sitegen.text.differing_words import Difference, Segment
from sitegen.text.words import same_words

MAX_PAIRS = 20_000
"""Number of compared pairs that are cached."""

# The title of a note is not part of the definition's text.
_TOKEN = re.compile(r'<p class="note-title">.*?</p>|<math\b.*?</math>|<[^>]*>|[^<]+', re.S)
_REPLACED = re.compile('<(?:math data-tex|img alt)="([^"]*)"')
"""Matches elements that replace a part of the definition's text, which is in an attribute."""
_INLINE = "(?:a|abbr|b|cite|code|em|i|kbd|q|s|samp|small|span|strong|sub|sup|u|var)"
# The HTML before and after a run, with the tags of inline elements between it and the run.
_BEFORE = re.compile(
    rf"(?P<tags>(?:<{_INLINE}\b[^>]*>)*)(?P<space>\s*)<before>(?P<before>.*?)</before>", re.S
)
_AFTER = re.compile(rf"<after>(?P<after>.*?)</after>(?P<tags>(?:</{_INLINE}>)*)", re.S)
_CHARACTER = re.compile(r"&[^;\s]+;|\S")
# A block without changes, and a run of them that is worth closing. The title of a note stays open.
_UNCHANGED = re.compile(
    r'<(?!p class="note-title")'
    r"(?P<tag>p|h[1-6]|ul|ol|dl|pre|table|blockquote)\b"
    r"(?:(?!<(?:ins|del|(?P=tag))\b|</(?P=tag)>).)*</(?P=tag)>\s*",
    re.S,
)
_UNCHANGED_RUN = re.compile(f"(?:{_UNCHANGED.pattern}){{4,}}", re.S)

_SIGN = Markup('<span class="visually-hidden">{}</span>')


class WordingComparison(NamedTuple):
    """The words with marks, or both whole wordings if they have too few words in common."""

    summary: Markup
    """The number of added and removed words; empty if no words were."""
    marked: Markup
    """The newer definition, with marks around added words and with the removed words; empty if both
    wordings are shown whole."""
    attributes: Markup
    """The HTML attributes `lang` and `dir`, if they differ from the page's."""
    before: Markup = Markup()
    """The whole older wording; empty if there are marks."""
    after: Markup = Markup()
    """The whole newer wording; empty if there are marks."""
    labels: tuple[str, str] = ("", "")
    """The headings of the two wordings."""
    number: int = 0
    """The number of added and removed words, or characters."""


def comparison(
    before: Entry, after: Entry, *, of: str, writer: Writer, labels: tuple[str, str] | None = None
) -> WordingComparison | None:
    """Returns the difference of two entries for the page of the term `of`, or None if no words
    changed.

    `labels` are the headings of the two wordings, if not "before" and "after".
    """
    if same_words(before.definition, after.definition):
        return None
    compared = _compared(before.definition, after.definition, writer.words)
    if compared.marked:
        return compared
    # The wordings have too few words in common, so both are shown whole.
    return compared._replace(
        before=writer.definition(before, of=of),
        after=writer.definition(after, of=of),
        labels=labels or (writer.say("before"), writer.say("after")),
    )


# The pages of a term, of releases and of comparisons show the same pairs. With 500 terms and 60
# releases, a build without this cache takes a sixth longer.
@lru_cache(maxsize=MAX_PAIRS)
def _compared(before: Prose, after: Prose, interface: Catalog) -> WordingComparison:
    """Returns the part of a comparison that is equal on all pages. `marked` is empty for rewritten
    definitions, of which the page shows both wordings whole."""
    difference = differing_words.difference(before, after)
    marked_definition = Markup()
    if not difference.rewritten:
        # Highlighted code has an element for each word, which would split a mark into many.
        html = definition_html(after, LinkAddresses(), is_highlighted=False)
        whole = marked(html, _runs(difference.segments, interface))
        marked_definition = _folded(whole, interface)
    return WordingComparison(
        summary=_summary(difference, interface),
        marked=marked_definition,
        attributes=interface.attributes(after.text),
        number=difference.added + difference.removed,
    )


def _folded(html: Markup, interface: Catalog) -> Markup:
    """Returns the HTML of a difference with long parts without changes closed. Without marks, as of
    white space in code, all of it stays open."""
    if "<ins>" not in html and "<del>" not in html:
        return html

    def folded(run: re.Match[str]) -> str:
        closed = [block[0] for block in _UNCHANGED.finditer(run[0])]
        # The last block, often a heading, shows where the next change is.
        open_after = closed.pop() if run.end() < len(html) else ""
        summary = interface.say("difference.unchanged", len(closed))
        # The definition may have another language and direction than the interface.
        line = f'<summary lang="{escape(interface.language)}" dir="auto">{summary}</summary>'
        return f"<details>{line}{''.join(closed)}</details>{open_after}"

    return Markup(_UNCHANGED_RUN.sub(folded, html))  # noqa: S704  (was markup)


def _summary(difference: Difference, interface: Catalog) -> Markup:
    """Returns the number of added and removed words, or characters; empty if there are none."""
    added, removed = difference.added, difference.removed
    if not added and not removed:
        return Markup()
    unit = difference.unit  # "words" or "characters"
    if not added:
        return interface.say(f"removed.{unit}", removed)
    number_added = interface.say(f"added.{unit}", added)
    if not removed:
        return number_added
    number_removed = interface.say(f"and-removed.{unit}", removed)
    return interface.say("words-both", added=number_added, removed=number_removed)


def _runs(segments: Sequence[Segment], interface: Catalog) -> list[MarkedRun]:
    """Returns the runs of the newer text, with the removed words beside them.

    Removed words come before the run that replaces them: if "a big cat" became "a red cat", "big"
    is before the run "red ". Words that nothing replaces come after the previous run; if they began
    a line, before the next run.
    """
    # Hidden words tell a screen reader where a mark begins and ends.
    added_sign = _SIGN.format(interface.say("marked.added"))
    removed_sign = _SIGN.format(interface.say("marked.removed"))
    end_sign = _SIGN.format(interface.say("marked.end"))

    runs: list[MarkedRun] = []
    removed_before = ""  # the removed words that come before the next run
    for segment, next_segment in zip_longest(segments, segments[1:]):
        if segment.kind != "deleted":
            run = MarkedRun(segment.text, before=removed_before)
            if segment.kind == "inserted":
                before = f"{removed_before}{added_sign}"
                run = MarkedRun(segment.text, "<ins>", "</ins>", before=before, after=end_sign)
            runs.append(run)
            removed_before = ""
            continue

        text = _with_code(segment.text.rstrip(), segment.code)
        element = f"<del>{removed_sign}{text}{end_sign}</del>"
        is_first = not runs
        is_replaced = next_segment is not None and next_segment.kind == "inserted"
        began_line = next_segment is not None and not is_first and runs[-1].text.endswith("\n")
        if is_first or is_replaced or began_line:
            is_before_last = next_segment is segments[-1]
            space = _space_after(segment, next_segment, is_before_last=is_before_last)
            removed_before = element + space
        else:
            space = "" if segment.is_joined else " "
            runs[-1] = runs[-1]._replace(after=f"{runs[-1].after}{space}{element}")
    return runs


def _space_after(removed: Segment, next_segment: Segment | None, *, is_before_last: bool) -> str:
    """Returns the white space between removed words and the next segment."""
    if next_segment and next_segment.is_joined:  # it has no space before it
        return ""
    space = removed.text[len(removed.text.rstrip()) :]
    if "\n" in space:
        return "\n"
    # No space follows the last word of a definition. If "a cat" became "a dog", the removed "cat"
    # still needs one: "dog" comes after it now.
    return " " if space or is_before_last else ""


def _with_code(text: str, code: Sequence[tuple[int, int]]) -> str:
    """Returns a text as HTML, with its code ranges in <code> elements.

    >>> _with_code("run x now", [(4, 5)])
    'run <code>x</code> now'
    """
    parts: list[str] = []
    position = 0
    for first, past in code:
        # Ranges may overlap, and reach beyond the text.
        start = max(first, position)
        end = min(past, len(text))
        if start < end:
            parts += [escape(text[position:start]), "<code>", escape(text[start:end]), "</code>"]
            position = end
    return "".join([*parts, escape(text[position:])])


class MarkedRun(NamedTuple):
    """A run of the text. It begins where the previous run ends."""

    text: str
    tag: str = ""
    """The start tag of the elements around its words; empty for none."""
    end_tag: str = ""
    before: str = ""
    """HTML before its first word."""
    after: str = ""
    """HTML after its last word."""


def marked(html: Markup, runs: Sequence[MarkedRun]) -> Markup:
    """Returns the HTML of a definition with each run of its text in the elements of the run. The
    runs together are the whole text, apart from white space. HTML that comes before or after a run
    is placed outside of inline elements.

    >>> added = MarkedRun("big", "<ins>", "</ins>", before="[", after="]")
    >>> print(marked(Markup("A <b>big</b> cat"), [MarkedRun("A "), added, MarkedRun(" cat")]))
    A [<b><ins>big</ins></b>] cat
    """
    # The number of the run of each character. Characters are counted without white space.
    run_of_character: list[int] = []
    for number, run in enumerate(runs):
        characters = "".join(run.text.split())
        run_of_character += [number] * len(characters)

    text = ""
    token_first = 0  # the number of the token's first character
    newest = -1  # the number of the last run that has begun
    # No-break spaces are white space too, so they are not counted.
    for token in _TOKEN.findall(html.replace("&nbsp;", "\xa0")):
        ends = _character_ends(token)
        token_past = token_first + len(ends)
        runs_in_token = run_of_character[token_first:token_past]
        # Each run in the token, with the end of its last character there.
        last_ends = dict(zip(runs_in_token, ends, strict=False))
        start = 0  # the token is written up to here
        for number, end in last_ends.items():
            run = runs[number]
            goes_on = number in run_of_character[token_past : token_past + 1]
            if goes_on:
                end = len(token)
            if goes_on and start == end:
                break  # a formula cannot be split: the run before this one has it whole
            before = run.before if number > newest else ""
            after = "" if goes_on else run.after
            text += _in_elements(token[start:end], run, before=before, after=after)
            start = end
            newest = number
        text += token[start:]
        token_first = token_past

    # Move `<before>` and `<after>` of a run out of the inline elements around it.
    text = _BEFORE.sub(r"\g<space>\g<before>\g<tags>", text)
    text = _AFTER.sub(r"\g<tags>\g<after>", text)
    return Markup(text)  # noqa: S704  (pieces of the HTML, and of runs)


def _character_ends(token: str) -> list[int]:
    """Returns where each character of a token ends, apart from white space. A tag has no
    characters.

    >>> _character_ends("a &lt;"), _character_ends("<b>")
    ([1, 6], [])
    """
    replaced = _REPLACED.match(token)
    if replaced:
        # A formula or an image cannot be split, so all of its characters end at its end.
        return [len(token)] * len(_CHARACTER.findall(replaced[1]))
    if token.startswith("<"):
        return []
    return [character.end() for character in _CHARACTER.finditer(token)]


def _in_elements(text: str, run: MarkedRun, *, before: str, after: str) -> str:
    """Returns a part of a run in the elements of the run. The HTML before and after it is in
    placeholders, `<before>` and `<after>`, so that it can be moved later."""
    words = text.lstrip()
    space = text[: len(text) - len(words)]
    if words:
        words = f"{run.tag}{words}{run.end_tag}"
    return f"{space}<before>{before}</before>{words}<after>{after}</after>"
