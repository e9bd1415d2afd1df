"""Writes a review as Markdown, for a comment or the summary of a job, and as plain data."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict
from textwrap import shorten
from typing import Any

from sitegen.model import Entry
from sitegen.model.terms import ChangeKind
from sitegen.text.markdown_escaping import code, fenced, literal
from sitegen.text.words import Segment, difference, same_words
from sitegen.tools.review.comparison import RenameGuess, Review, StateComparison, TermChange

HEADINGS: dict[ChangeKind, str] = {
    "added": "Added",
    "reworded": "Reworded",
    "renamed": "Renamed",
    "deprecated": "Deprecated",
    "removed": "Removed",
    "merged": "Merged into another term",
    "split": "Split from another term",
    "names-changed": "Other names changed",
}
"""The heading for each kind of change. The kinds in `COUNTED` are only counted."""

SUMMED: dict[ChangeKind, str] = {"names-changed": "with other names"}
"""The words of the summary for a kind, where they are not its name."""

COUNTED: dict[ChangeKind, str] = {"moved": "moved", "reformatted": "formatted otherwise, with the same words"}

MAX_ITEMS = 50
"""The number of terms under one heading. GitHub limits a comment to 65,536 characters."""
MAX_NAMES = 10
MAX_TEXT = 600
"""The number of characters of a definition that are shown."""
AROUND = 12
"""The number of words shown before and after a difference."""


def markdown(review: Review) -> str:
    """Returns the whole report."""
    return "\n\n".join(_report(review)) + "\n"


def _report(review: Review) -> Iterator[str]:
    yield f"## Glossary: {_summary(review)}"
    reported: set[tuple[object, ...]] = set()
    for comparison in review.comparisons:
        yield from _comparison(comparison, reported)
        reported.update(_reading_key(comparison, item) for item in comparison.items)
    yield from _gone(review)
    yield from _promises(review)
    if review.elsewhere:
        yield f"Kept elsewhere, and not compared: {_listed(review.elsewhere)}."


def _summary(review: Review) -> str:
    """Returns the number of terms by kind of change. A term that was edited in several releases counts once."""
    found = {(one.title, item.name, item.kinds[0]) for one in review.comparisons for item in one.items}
    kinds = Counter(kind for _, _, kind in found)
    parts = [f"{kinds[kind]} {SUMMED.get(kind, kind)}" for kind in HEADINGS if kinds[kind]]
    if review.deleted:
        return f"{_listed(review.deleted)} is deleted"
    if not parts:
        return "no term changes"
    if {one.title for one in review.comparisons} <= set(review.new):
        return f"new, with {kinds['added']} term{'' if kinds['added'] == 1 else 's'}"
    number, what = parts[0].split(" ", 1)
    return ", ".join([f"{number} term{'' if number == '1' else 's'} {what}", *parts[1:]])


def _reading_key(comparison: StateComparison, item: TermChange) -> tuple[object, ...]:
    """Returns a key that is equal for changes that read the same."""
    sides = (entry and (entry.name, entry.definition) for entry in (item.before, item.after))
    return (comparison.title, item.kinds, *sides)


def _comparison(comparison: StateComparison, reported: Collection[tuple[object, ...]]) -> Iterator[str]:
    yield f"### {_place(comparison)}"
    for name in comparison.unread[:MAX_NAMES]:
        yield f"{code(name) if name else 'The glossary'} could not be read, so its terms are not compared."
    if not comparison.items:
        yield "No term changes."
    again = [item for item in comparison.items if _reading_key(comparison, item) in reported]
    for kind in HEADINGS:
        items = [item for item in comparison.items if item.kinds[0] == kind and item not in again]
        if items:
            yield f"#### {HEADINGS[kind]}"
            yield from ("\n\n".join(_item(item)) for item in items[:MAX_ITEMS])
            yield from _more(len(items) - MAX_ITEMS)
    for kind, words in COUNTED.items():
        if names := [item.name for item in comparison.items if item.kinds[0] == kind and item not in again]:
            yield f"Only {words}: {_listed(names)}."
    if again:
        yield f"As above: {_listed(item.name for item in again)}."
    if comparison.guesses:
        yield "#### Perhaps renamed"
        yield from ("\n\n".join(_guess(guess)) for guess in comparison.guesses[:MAX_ITEMS])


def _place(comparison: StateComparison) -> str:
    place = comparison.title
    if comparison.release:
        place += f" {comparison.release}, which is {'new' if comparison.is_new else 'edited'}"
    if comparison.is_new and comparison.previous:
        place += f", compared with {comparison.previous}"
    return _literal(place)


def _more(number: int) -> Iterator[str]:
    if number > 0:
        yield f"… and {number} more."


def _listed(names: Iterable[str]) -> str:
    names = tuple(names)
    more = [f"{len(names) - MAX_NAMES} more"] if len(names) > MAX_NAMES else []
    return ", ".join([*map(_literal, names[:MAX_NAMES]), *more])


def _literal(text: str) -> str:
    return literal(" ".join(text.split()))


# One term.


def _item(item: TermChange) -> Iterator[str]:
    entry = item.after or item.before
    assert entry is not None, "something has changed"
    also = [HEADINGS[kind].lower() for kind in item.kinds[1:] if kind in HEADINGS and kind != "renamed"]
    former = item.before.name if item.before and item.before.name != item.name else ""
    yield " · ".join(
        [
            f"**{_literal(item.name)}**",
            *([f"formerly {_literal(former)}"] if former else []),
            *also,
            code(f"{entry.citation.path}:{entry.citation.line}"),
        ]
    )
    yield _quoted(_wording(item.before, item.after))
    notes = [*_effects(item)]
    if notes:
        yield "  \n".join(notes)


def _wording(before: Entry | None, after: Entry | None) -> str:
    """Returns the words with the differences marked. Blocks are separated by blank lines."""
    if before is None or after is None or same_words(before.definition, after.definition):
        entry = after or before
        return _literal(shorten(entry.definition.text, MAX_TEXT, placeholder=" …")) if entry else ""
    found = difference(before.definition, after.definition)
    if found.rewritten:
        sides = (("deleted", before), ("inserted", after))
        return "\n\n".join(
            _marked(kind, shorten(one.definition.text, MAX_TEXT, placeholder=" …")) for kind, one in sides
        )
    return " ".join(filter(None, map(_segment, found.segments)))


def _segment(segment: Segment) -> str:
    if segment.kind != "same":
        return _marked(segment.kind, segment.text)
    words = segment.text.split()
    if len(words) > 2 * AROUND + 1:
        words = [*words[:AROUND], "…", *words[-AROUND:]]
    return _literal(" ".join(words))


def _marked(kind: str, text: str) -> str:
    tag = "del" if kind == "deleted" else "ins"
    return f"<{tag}>{_literal(text)}</{tag}>" if text.strip() else ""


def _quoted(text: str) -> str:
    return re.sub("^", "> ", text or "*no definition*", flags=re.MULTILINE).replace("> \n", ">\n")


def _effects(item: TermChange) -> Iterator[str]:
    if item.used_by:
        yield f"Referred to by {_listed(item.used_by)}."
    if item.addresses:
        effect = {"removed": "keeps the last definition, and says that it was removed"}.get(
            item.kinds[0], "shows the new wording"
        )
        shown = ", ".join(map(code, item.addresses[:MAX_NAMES]))
        verb = effect if len(item.addresses) == 1 else effect.replace("keeps", "keep").replace("shows", "show")
        yield f"{shown} {verb}."


def _guess(guess: RenameGuess) -> Iterator[str]:
    before, after = _literal(guess.before), _literal(guess.after)
    yield f"**{before}** may now be **{after}**: {guess.reason}. If so, paste into site.toml:"
    yield fenced(guess.same, "toml")
    yield "If they are two terms:"
    yield fenced(guess.distinct, "toml")


# Releases and addresses.


def _gone(review: Review) -> Iterator[str]:
    if review.withdrawn:
        named = [f"{title} {release}".strip() for title, release in review.withdrawn]
        yield f"### Withdrawn\n\n{_listed(named)}."


def _promises(review: Review) -> Iterator[str]:
    if not review.breaks:
        return
    yield "### Published addresses would break"
    if review.damage:
        yield f"The ledger cannot be read: {_literal(review.damage)}"
    if review.forgotten:
        yield f"The ledger has lost {len(review.forgotten)} of them; restore it from git:"
        yield "\n".join(f"- {code(address)}" for address in review.forgotten[:MAX_NAMES])
        yield from _more(len(review.forgotten) - MAX_NAMES)
    broken = [breach for remedy in review.remedies for breach in remedy.breaches]
    for breach in broken[:MAX_ITEMS]:
        yield f"{code(breach.address)} {_literal(breach.found)}."
    yield from _more(len(broken) - MAX_ITEMS)
    for remedy in review.remedies:
        yield fenced(str(remedy))


# Plain data.

Json = dict[str, Any]


def data(review: Review) -> Json:
    """Returns a review as plain data."""
    return {
        "comparisons": [_comparison_data(comparison) for comparison in review.comparisons],
        "new": review.new,
        "deleted": review.deleted,
        "withdrawn": [{"source": title, "release": release} for title, release in review.withdrawn],
        "elsewhere": review.elsewhere,
        "broken": [
            {"address": breach.address, "found": breach.found, "way_out": str(remedy)}
            for remedy in review.remedies
            for breach in remedy.breaches
        ],
        "forgotten": review.forgotten,
        "damage": review.damage,
    }


def _comparison_data(comparison: StateComparison) -> Json:
    return {
        "source": comparison.title,
        "release": comparison.release,
        "previous": comparison.previous,
        "is_new": comparison.is_new,
        "terms": [_term_data(item) for item in comparison.items],
        "guesses": [asdict(guess) for guess in comparison.guesses],
        "unread": comparison.unread,
    }


def _term_data(item: TermChange) -> Json:
    return {
        "name": item.name,
        "kinds": item.kinds,
        "before": _entry_data(item.before),
        "after": _entry_data(item.after),
        "used_by": item.used_by,
        "addresses": item.addresses,
    }


def _entry_data(entry: Entry | None) -> Json | None:
    if entry is None:
        return None
    place = entry.citation
    return {"name": entry.name, "text": entry.definition.text, "path": place.path, "line": place.line}
