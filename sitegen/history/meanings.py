"""Returns what a term means in one line, and what it meant before it was deprecated."""

from __future__ import annotations

from sitegen.model.terms import Life, Revision
from sitegen.text.summary import summary
from sitegen.text.words import folded_words, words_of


def summary_of(life: Life) -> str:
    """Returns what a term means in one line. A definition that begins by saying that the term is
    deprecated goes on with what to use instead; what the term means is in the wording before."""
    return summary(_telling_wording(life).latest.definition)


def wording_before_notice(life: Life) -> Revision | None:
    """Returns the wording that says what a term meant, if the present wording says only that the
    term is deprecated: one paragraph, with few of the words of the earlier meaning."""
    before = _telling_wording(life)
    notice = life.main_course.revisions[-1].latest.definition
    if before.latest.definition is notice or "\n\n" in notice.text.strip():
        return None
    meaning = {*folded_words(summary(before.latest.definition)).split()}
    kept = meaning.intersection(words_of(notice).keys)
    return before if 2 * len(kept) < len(meaning) else None


def _telling_wording(life: Life) -> Revision:
    """Returns the newest wording of a term that does not begin by saying that the term is
    deprecated; the present one if all do."""
    wordings = life.main_course.revisions
    for wording in reversed(wordings):
        if not wording.latest.definition.text.casefold().startswith("deprecated"):
            return wording
    return wordings[-1]
