"""Writes a review as Markdown, for a comment or the summary of a job, and as plain data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from textwrap import shorten
from typing import Any

from sitegen.model import Entry, Problem, counted
from sitegen.model.terms import CHANGES, ChangeKind
from sitegen.pipeline.suggestions import Suggestion
from sitegen.text.differing_words import difference
from sitegen.text.markdown_escaping import code, fenced, literal
from sitegen.text.words import same_words
from sitegen.tools.review import DeletedSource, Review
from sitegen.tools.state_comparison import StateComparison, TermChange

HEADINGS = {
    kind: traits.heading
    for kind, traits in CHANGES.items()
    if traits.heading and not traits.is_minor
}
SUMMED: Mapping[ChangeKind, str] = {"names-changed": "with other names"}
"""The words of the summary for a kind, where they are not its name."""

MAX_ITEMS = 50
"""The number of terms under one heading. GitHub limits a comment to 65,536 characters."""
MAX_NAMES = 10
MAX_TEXT = 600
"""The number of characters of a definition that are shown."""
CONTEXT = 12
"""The number of words shown before and after a difference."""


def markdown(review: Review) -> str:
    """Returns the whole report."""
    refusal = "a build would be refused; " if review.refusal else ""
    parts = [f"## Glossary: {refusal}{_summary(review)}", *_published(review)]
    parts += map(_deletion, review.deleted)
    reported: set[tuple[object, ...]] = set()
    for comparison in review.comparisons:
        parts += _comparison(comparison, reported)
        reported.update(_reading_key(comparison, item) for item in comparison.terms)
    if review.left_behind:
        behind = [f"{_literal(name)}: {', '.join(tags)}" for name, tags in review.left_behind]
        parts += ["### Translations left behind", *_listed(behind, MAX_ITEMS)]
    if review.elsewhere:
        parts.append(f"Kept elsewhere, and not compared: {_joined(review.elsewhere)}.")
    return "\n\n".join(parts) + "\n"


def _summary(review: Review) -> str:
    """Returns which sources are gone or cannot be read, else the number of terms by kind of
    change."""
    if review.deleted:
        fates = [f"{_literal(one.title)} is {_fate(one)}" for one in review.deleted[:MAX_NAMES]]
        return "; ".join(fates)
    if hidden := [one.source for one in review.comparisons if one.hides_terms]:
        return f"{_joined(dict.fromkeys(hidden))} cannot be read"
    kinds = _numbers_of_terms(review)
    found = [kind for kind in HEADINGS if kinds[kind]]
    if not found:
        return "no term changes"
    if {one.source for one in review.comparisons} <= set(review.new):
        return f"new, with {counted(kinds['added'], 'term')}"
    first, *others = found
    parts = [f"{counted(kinds[first], 'term')} {SUMMED.get(first, first)}"]
    parts += [f"{kinds[kind]} {SUMMED.get(kind, kind)}" for kind in others]
    return ", ".join(parts)


def _numbers_of_terms(review: Review) -> Counter[ChangeKind]:
    """Returns the number of terms by kind of change. A term that was edited in several releases
    counts once."""
    changed: set[tuple[str, str, ChangeKind]] = set()
    for comparison in review.comparisons:
        changed.update((comparison.source, one.name, one.kinds[0]) for one in comparison.terms)
    return Counter(kind for *_, kind in changed)


def _reading_key(comparison: StateComparison, item: TermChange) -> tuple[object, ...]:
    """Returns a key that is equal for changes that read the same."""
    key: list[object] = [comparison.source, item.kinds]
    for entry in (item.before, item.after):
        key.append(entry and (entry.name, entry.definition))
    return tuple(key)


def _comparison(
    comparison: StateComparison, reported: Collection[tuple[object, ...]]
) -> Iterator[str]:
    yield f"### {_literal(_place(comparison))}"
    if comparison.unread:
        yield "#### Not read"
        yield "The terms of these files are not compared."
        yield from _listed(map(_problem, comparison.unread))
    elif not comparison.terms:
        yield "No term changes."
    repeated: list[TermChange] = []
    first: list[TermChange] = []
    for item in comparison.terms:
        if _reading_key(comparison, item) in reported:
            repeated.append(item)
        else:
            first.append(item)
    for kind in HEADINGS:
        items = [item for item in first if item.kinds[0] == kind]
        if items:
            yield f"#### {HEADINGS[kind]}"
            yield from map(_term_section, items[:MAX_ITEMS])
            yield from _more(len(items) - MAX_ITEMS)
    for kind in CHANGES:
        names = [item.name for item in first if CHANGES[kind].is_minor and item.kinds[0] == kind]
        if names:
            yield f"Only {CHANGES[kind].heading}: {_joined(names)}."
    if repeated:
        yield f"As above: {_joined(item.name for item in repeated)}."
    if comparison.guesses:
        yield "#### Perhaps renamed"
        yield from map(_guess, comparison.guesses[:MAX_ITEMS])


def _place(comparison: StateComparison) -> str:
    """Returns the source and the release, and the one that it is compared with."""
    place = comparison.source
    if comparison.release:
        state = "new" if comparison.is_new else "edited"
        place += f" {comparison.release}, which is {state}"
    if comparison.is_new and comparison.previous:
        place += f", compared with {comparison.previous}"
    return place


def _deletion(deleted: DeletedSource) -> str:
    places = []
    for old, new in deleted.paths.items():
        places.append(f"{code(old)} is {code(new)} now" if new else code(old))
    parts = [f"### {_literal(deleted.title)} is {_fate(deleted)}", *_listed(places, MAX_ITEMS)]
    if deleted.setting:
        parts += ["To read it there, write in site.toml:", fenced(deleted.setting, "toml")]
    return "\n\n".join(parts)


def _fate(deleted: DeletedSource) -> str:
    return "moved" if any(deleted.paths.values()) else "deleted"


def _problem(problem: Problem) -> str:
    place = f"{problem.path}:{problem.line}" if problem.line else problem.path
    wanted = f"; {problem.wanted}" if problem.wanted else ""
    return f"{code(place)}: {_literal(problem.found + wanted)}"


def _listed(items: Iterable[str], limit: int = MAX_NAMES) -> Iterator[str]:
    """Yields a list of the first items, and the number of the others."""
    lines = [f"- {item}" for item in items]
    yield "\n".join(lines[:limit])
    yield from _more(len(lines) - limit)


def _more(number: int) -> Iterator[str]:
    if number > 0:
        yield f"… and {number} more."


def _joined(names: Iterable[str]) -> str:
    shown = [_literal(name) for name in names]
    if len(shown) > MAX_NAMES:
        shown[MAX_NAMES:] = [f"{len(shown) - MAX_NAMES} more"]
    return ", ".join(shown)


def _literal(text: str) -> str:
    return literal(" ".join(text.split()))


# One term.


def _term_section(item: TermChange) -> str:
    entry = item.after or item.before
    assert entry is not None, "something has changed"
    facts = [f"**{_literal(item.name)}**"]
    if item.before and item.before.name != item.name:
        facts.append(f"formerly {_literal(item.before.name)}")
    others = [kind for kind in item.kinds[1:] if kind in HEADINGS and kind != "renamed"]
    facts += [HEADINGS[kind].lower() for kind in others]
    facts.append(code(f"{entry.place.path}:{entry.line}"))
    words = _wording(item.before, item.after) or "*no definition*"
    quoted = "\n".join(f"> {line}".rstrip() for line in words.split("\n"))
    effects = "  \n".join(_effects(item))
    return "\n\n".join(filter(None, (" · ".join(facts), quoted, effects)))


def _wording(before: Entry | None, after: Entry | None) -> str:
    """Returns the words with the differences marked. Blocks are separated by blank lines."""
    if before is None or after is None or same_words(before.definition, after.definition):
        entry = after or before
        return _literal(_shortened(entry)) if entry else ""
    diff = difference(before.definition, after.definition)
    if diff.rewritten:
        old, new = _marked("deleted", _shortened(before)), _marked("inserted", _shortened(after))
        return f"{old}\n\n{new}"
    segments = [_marked(segment.kind, segment.text) for segment in diff.segments]
    return " ".join(filter(None, segments))


def _shortened(entry: Entry) -> str:
    return shorten(entry.definition.text, MAX_TEXT, placeholder=" …")


def _marked(kind: str, text: str) -> str:
    """Returns the text of a segment of a difference."""
    words = text.split()
    if kind == "same":
        if len(words) > 2 * CONTEXT + 1:
            words = [*words[:CONTEXT], "…", *words[-CONTEXT:]]
        return _literal(" ".join(words))
    tag = "del" if kind == "deleted" else "ins"
    return f"<{tag}>{_literal(text)}</{tag}>" if words else ""


def _effects(item: TermChange) -> Iterator[str]:
    if item.used_by:
        yield f"Referred to by {_joined(item.used_by)}."
    if item.addresses:
        addresses = ", ".join(map(code, item.addresses[:MAX_NAMES]))
        ending = "s" if len(item.addresses) == 1 else ""
        effect = f"show{ending} {_shown_effect(item)}"
        if item.kinds[0] == "removed":
            effect = f"keep{ending} the last definition, and say{ending} that it was removed"
        yield f"{addresses} {effect}."


def _shown_effect(item: TermChange) -> str:
    before, after = item.before, item.after
    if not before or not after or not same_words(before.definition, after.definition):
        return "the new wording"
    return "the new name" if item.kinds[0] == "renamed" else "the change"


def _guess(guess: Suggestion) -> str:
    before, after = _literal(guess.before.name), _literal(guess.after.name)
    return "\n\n".join(
        [
            f"**{before}** may now be **{after}**: {guess.reason}. If so, paste into site.toml:",
            fenced(guess.same, "toml"),
            "If they are two terms:",
            fenced(guess.distinct, "toml"),
        ]
    )


# Addresses.


def _published(review: Review) -> Iterator[str]:
    """Yields what the change means for what was published."""
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
    if review.added:
        yield "### Leave the archive out of this change"
        yield (
            f"{counted(review.added, 'line')} of it would not be written by a build of this "
            f"change. Publishing writes it."
        )


# Plain data.

Json = dict[str, Any]


def data(review: Review) -> Json:
    """Returns a review as plain data: the fields of its values."""
    plain: Json = _plain(review)
    plain["left_behind"] = dict(review.left_behind)
    return plain


def _plain(value: Any) -> Any:
    if isinstance(value, Entry):
        return {
            "name": value.name,
            "text": value.definition.text,
            "path": value.place.path,
            "line": value.line,
        }
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return [*map(_plain, value)] if isinstance(value, tuple) else value
