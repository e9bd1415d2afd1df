"""Writes a review as Markdown, for a comment or the summary of a job."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import shorten

from sitegen.model import Entry, Problem, counted, first_of, grouped
from sitegen.model.terms import CHANGES, ChangeKind
from sitegen.pipeline.suggestions import Suggestion
from sitegen.sources.git.repositories import SHORT
from sitegen.text.differing_words import difference
from sitegen.text.markdown_escaping import code, fenced, literal
from sitegen.text.words import same_words
from sitegen.tools.review import Review
from sitegen.tools.state_comparison import StateComparison, TermChange

MAX_ITEMS = 50
"""The number of terms under one heading. GitHub limits a comment to 65,536 characters."""
MAX_NAMES = 10
MAX_TEXT = 600
"""The number of characters of a definition that are shown."""
DELETED = "no files any more"
WORDS_AROUND = 12
"""The number of words shown before and after a difference."""


def markdown(review: Review) -> str:
    """Returns the whole report."""
    parts = [f"## Glossary: {_summary(review)}"]
    if not (review.comparisons or review.deleted):
        base, head = [code(commit[:SHORT]) for commit in review.commits]
        parts.append(
            f"The commits {base} and {head} have the same glossary. Edits that are not committed "
            f"are not compared."
        )
    parts += _parts_about_published(review)
    for title, paths in review.deleted:
        parts.append(f"### {_literal(title)}: {DELETED}")
        parts += _listed(map(code, paths), MAX_ITEMS)
        parts.append(
            "The published pages stay. If the glossary is elsewhere now, name the place in "
            "site.toml. If its source has another id now, add `formerly` with the former one."
        )
    for comparison in review.comparisons:
        parts += _parts_about_comparison(comparison)
    if review.elsewhere:
        parts.append(f"Kept elsewhere, and not compared: {_joined(review.elsewhere)}.")
    return "\n\n".join(parts) + "\n"


def _summary(review: Review) -> str:
    """Returns the title of the report: what the change does to glossaries, or else to terms."""
    refusal = "a build would be refused; " if review.refusal else ""
    if review.deleted:
        return f"{refusal}{DELETED}: {_joined(title for title, _ in review.deleted)}"
    unreadable_titles = []
    for comparison in review.comparisons:
        if comparison.hides_terms:
            unreadable_titles.append(comparison.title)
    if unreadable_titles:
        each_title_once = dict.fromkeys(unreadable_titles)
        return f"{refusal}{_joined(each_title_once)} cannot be read"
    return refusal + _numbers_of_terms(review)


def _numbers_of_terms(review: Review) -> str:
    """Returns the number of terms by kind of change: `2 terms added, 3 removed`. A term that was
    edited in several releases counts once."""
    changed: set[tuple[ChangeKind, str, str]] = set()
    titles = set()
    for comparison in review.comparisons:
        titles.add(comparison.title)
        for term_change in comparison.terms:
            main_kind = term_change.kinds[0]
            changed.add((main_kind, comparison.title, term_change.name))
    numbers = Counter([kind for kind, _title, _name in changed])

    # All terms of a new source are added.
    all_are_new = titles.issubset(review.new)
    if numbers and all_are_new:
        return f"new, with {counted(numbers['added'], 'term')}"

    parts: list[str] = []
    for kind, traits in CHANGES.items():
        if traits.is_minor or not numbers[kind]:
            continue
        # The noun is only in the first part.
        number = str(numbers[kind]) if parts else counted(numbers[kind], "term")
        verb = "with other names" if kind == "names-changed" else kind
        parts.append(f"{number} {verb}")
    return ", ".join(parts) or "no term changes"


def _parts_about_comparison(comparison: StateComparison) -> Iterator[str]:
    """Yields the parts about two states of a source: unread files, the terms under a heading for
    each kind of change, and possible renames."""
    yield f"### {_literal(_heading_of(comparison))}"
    if comparison.unread:
        yield "#### Not read"
        yield "The terms of these files are not compared."
        yield from _listed(map(_problem, comparison.unread))
    elif not comparison.terms:
        yield "No term changes."

    # A term with several changes is listed under the kind that comes first.
    by_main_kind = grouped((term.kinds[0], term) for term in comparison.terms)
    for kind, traits in CHANGES.items():
        terms = by_main_kind.get(kind, ())
        if not terms:
            continue
        if traits.is_minor:
            yield f"Only {traits.heading}: {_joined(term.name for term in terms)}."
            continue
        yield f"#### {traits.heading}"
        for term in terms[:MAX_ITEMS]:
            yield _term_section(term)
        yield from _more(len(terms) - MAX_ITEMS)

    if comparison.guesses:
        yield "#### Perhaps renamed"
        for guess in comparison.guesses[:MAX_ITEMS]:
            yield from _parts_about_guess(guess)


def _heading_of(comparison: StateComparison) -> str:
    """Returns what is compared: `Handbook 2.0, which is new, compared with 1.0`."""
    heading = comparison.title
    if comparison.release:
        state = "new" if comparison.is_new else "edited"
        heading += f" {comparison.release}, which is {state}"
    if comparison.is_new and comparison.previous:
        heading += f", compared with {comparison.previous}"
    return heading


def _problem(problem: Problem) -> str:
    """Returns a problem with its place."""
    wanted = f"; {problem.wanted}" if problem.wanted else ""
    return f"{code(problem.place)}: {_literal(problem.found + wanted)}"


def _listed(items: Iterable[str], limit: int = MAX_NAMES) -> Iterator[str]:
    """Yields a list of the first items, and the number of the others."""
    lines = [f"- {item}" for item in items]
    yield "\n".join(lines[:limit])
    yield from _more(len(lines) - limit)


def _more(number: int) -> Iterator[str]:
    """Yields how many items are not listed, if there are any."""
    if number > 0:
        yield f"… and {number} more."


def _joined(names: Iterable[str]) -> str:
    """Returns the first names, and the number of the others."""
    return first_of([_literal(name) for name in names], MAX_NAMES)


def _literal(text: str) -> str:
    """Returns a text on one line, shown as it is."""
    return literal(" ".join(text.split()))


# One term.


def _term_section(item: TermChange) -> str:
    """Returns the part about a term: title, words, the terms that refer to it, and its published
    addresses."""
    parts = [_title(item)]
    words = _words_with_differences(item.before, item.after) or "*no definition*"
    quoted_lines = [f"> {line}".rstrip() for line in words.split("\n")]
    parts.append("\n".join(quoted_lines))

    effects = []
    if item.used_by:
        effects.append(f"Referred to by {_joined(item.used_by)}.")
    if item.addresses:
        effects.append(_effect_on_addresses(item))
    if effects:
        line_break = "  \n"
        parts.append(line_break.join(effects))
    return "\n\n".join(parts)


def _title(item: TermChange) -> str:
    """Returns the name of a term, what else has changed, and the place of its entry."""
    facts = [f"**{_literal(item.name)}**"]
    if item.before and item.before.name != item.name:
        facts.append(f"formerly {_literal(item.before.name)}")
    _kind_of_heading, *other_kinds = item.kinds
    for kind in other_kinds:
        if kind == "renamed":  # the former name tells it
            continue
        if not CHANGES[kind].is_minor:
            facts.append(CHANGES[kind].heading.lower())
    entry = item.after or item.before
    if entry:
        facts.append(code(f"{entry.place.path}:{entry.line}"))
    return " · ".join(facts)


def _words_with_differences(before: Entry | None, after: Entry | None) -> str:
    """Returns the definition of a term, with the differences marked. If one of the entries is
    missing, or both have the same words, nothing is marked."""
    if before is None or after is None or same_words(before.definition, after.definition):
        entry = after or before
        return _literal(_shortened(entry)) if entry else ""
    diff = difference(before.definition, after.definition)
    if diff.rewritten:  # the whole old words, a blank line, and the whole new words
        old_words = _marked("deleted", _shortened(before))
        new_words = _marked("inserted", _shortened(after))
        return f"{old_words}\n\n{new_words}"
    text = ""
    for segment in diff.segments:
        space = "" if segment.is_joined else " "
        text += space + _marked(segment.kind, segment.text)
    return text.strip()


def _shortened(entry: Entry) -> str:
    """Returns the definition of an entry, at most its first `MAX_TEXT` characters."""
    return shorten(entry.definition.text, MAX_TEXT, placeholder=" …")


def _marked(kind: str, text: str) -> str:
    """Returns the text of a segment of a difference: marked as deleted or inserted, or shortened in
    the middle if it is the same on both sides."""
    words = text.split()
    if kind == "same":
        shortened_length = 2 * WORDS_AROUND + 1  # with the "…"
        if len(words) > shortened_length:
            words = [*words[:WORDS_AROUND], "…", *words[-WORDS_AROUND:]]
        return _literal(" ".join(words))
    if not words:
        return ""
    element = "del" if kind == "deleted" else "ins"
    return f"<{element}>{_literal(text)}</{element}>"


def _effect_on_addresses(item: TermChange) -> str:
    """Returns a sentence about the published addresses of a term: what they will show."""
    addresses = ", ".join(map(code, item.addresses[:MAX_NAMES]))
    if item.kinds[0] == "removed":
        return f"The last definition stays at {addresses}, with a note that it was removed."
    return f"Shown at {addresses}."


def _parts_about_guess(guess: Suggestion) -> Sequence[str]:
    """Returns the parts about a possible rename: a question, and the table of site.toml for either
    answer."""
    before, after = _literal(guess.before.name), _literal(guess.after.name)
    return (
        f"**{before}** may now be **{after}**: {guess.reason}. If so, paste into site.toml:",
        fenced(guess.same, "toml"),
        "If they are two terms:",
        fenced(guess.distinct, "toml"),
    )


# Addresses.


def _parts_about_published(review: Review) -> Iterator[str]:
    """Yields the parts about the published words and addresses: what a build would refuse or
    report, and what is wrong with the archive."""
    if review.refusal:
        yield "### A build would be refused"
        yield fenced(review.refusal)
    if review.notes:
        yield "### A build would say"
        yield from _listed(map(_literal, review.notes))
    if review.differing:
        yield "### Published words stay"
        yield from _listed(map(_problem, review.differing))
    if review.forgotten:
        yield "### The archive has lost lines"
        yield "Restore them from git:"
        yield from _listed(map(code, review.forgotten))
    if review.unbuilt_lines:
        yield "### Leave the archive out of this change"
        yield (
            f"{counted(review.unbuilt_lines, 'line')} of it would not be written by a build of "
            f"this change. Publishing writes it."
        )
