"""Returns what a term means in one line, and what it meant before it was deprecated."""

from __future__ import annotations

from typing import NamedTuple

from markupsafe import Markup

from sitegen.model.terms import Life, Revision
from sitegen.site.messages import Catalog, plain
from sitegen.text.summary import summary
from sitegen.text.words import folded_words, words_of


class Meaning(NamedTuple):
    """What a term means, in one line."""

    sentence: str
    before: str = ""
    """The release that replaced these words with a note that the term is deprecated; empty if they
    are the present words."""


def meaning_of(life: Life) -> Meaning:
    """Returns what a term means, in one line. If the present definition begins with a note that
    the term is deprecated, the line comes from the last wording without such a note."""
    wordings = life.main_course.revisions
    wording = _wording_without_notice(life)
    sentence = summary(wording.latest.definition)
    if wording is wordings[-1] or not sentence:
        return Meaning(sentence)
    notice = wordings[wordings.index(wording) + 1]
    return Meaning(sentence, notice.first)


def said_meaning(life: Life, words: Catalog) -> Markup:
    """Returns what a term means, as HTML. Earlier words begin with the release that replaced them,
    as in "Before 2.0: A copy of a snapshot."
    """
    meaning = meaning_of(life)
    if not meaning.before:
        return words.text(meaning.sentence)
    release = words.version(meaning.before)
    return words.say("status.before", release=release, meaning=meaning.sentence)


def plain_meaning(life: Life, words: Catalog) -> str:
    """Returns the text of `said_meaning`."""
    meaning = meaning_of(life)
    return plain(said_meaning(life, words)) if meaning.before else meaning.sentence


def wording_before_notice(life: Life) -> Revision | None:
    """Returns the wording before a term was deprecated, if the present wording is only a notice
    of the deprecation; else None. A notice has one paragraph, and less than half of the words of
    the earlier summary."""
    earlier = _wording_without_notice(life)
    present_wording = life.main_course.revisions[-1]
    present = present_wording.latest.definition
    has_paragraphs = "\n\n" in present.text.strip()
    if earlier is present_wording or has_paragraphs:
        return None
    earlier_words = set(folded_words(summary(earlier.latest.definition)).split())
    kept_words = earlier_words.intersection(words_of(present).keys)
    still_says_meaning = 2 * len(kept_words) >= len(earlier_words)
    return None if still_says_meaning else earlier


def _wording_without_notice(life: Life) -> Revision:
    """Returns the newest wording of a term that does not begin with the word "deprecated"; the
    present wording if all begin with it."""
    wordings = life.main_course.revisions
    for wording in reversed(wordings):
        if not wording.latest.definition.text.casefold().startswith("deprecated"):
            return wording
    return wordings[-1]
