"""The terms of a glossary.json as they were at a release: later terms, names, words and changes are
left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from sitegen.integrations.published_terms import (
    Definition,
    FormerName,
    PublishedChange,
    PublishedTerm,
    PublishedTerms,
    PublishedWording,
)
from sitegen.model.terms import COMPARED, DataStatus

STATUS_AFTER: Mapping[str, DataStatus] = {
    "deprecated": "deprecated",
    "removed": "removed",
    "merged": "merged",
}
"""The status of a term after a kind of change; `current` after the other kinds."""

AnyGlossary = TypeVar("AnyGlossary", bound=PublishedTerms)


def as_of(glossary: AnyGlossary, release: str) -> AnyGlossary:
    """Returns a glossary as it was at a release. A source that does not have the release is not
    cut. Raises `SitegenError` if no source has it."""
    release = glossary.index.named(release)
    terms = [_term_at(term, release) for term in glossary.terms]
    return replace(glossary, terms=tuple(filter(None, terms)))


def _term_at(term: PublishedTerm, release: str) -> PublishedTerm | None:
    """Returns a term as it was at a release; None if it was not defined until then."""
    is_past = term.glossary.index.is_past
    wordings, history = [], []
    for wording in term.wordings:
        if is_past(wording.source, wording.first, at=release):
            wordings.append(wording)
    for change in term.history:
        if is_past(change.source, change.release, at=release):
            history.append(change)
    if not wordings:
        return None
    # Wordings and changes belong to one term: the new one has copies.
    copies = tuple(map(replace, wordings))
    past = replace(term, wordings=copies, history=tuple(map(replace, history)))
    is_as_today = len(wordings) == len(term.wordings) and len(history) == len(term.history)
    if is_as_today:
        return past
    if in_force := term.at(release):
        status: DataStatus = "deprecated" if in_force.status == "deprecated" else "current"
        return _worded(past, in_force, status, release=release, last=release)
    last = wordings[-1]
    return _worded(past, last, _last_status(history, last.source), release=release, last=last.last)


def _worded(
    past: PublishedTerm, shown: PublishedWording, status: DataStatus, *, release: str, last: str
) -> PublishedTerm:
    """Returns a term with the names and the definition of a wording, which it had until `last`."""
    return replace(
        past,
        name=shown.name,
        status=status,
        names=shown.names,
        former_names=_former_names(past, shown, release),
        own_definition=Definition(
            text=shown.text, summary=shown.summary, source=shown.source, release=last
        ),
        merged_into=past.merged_into if status == "merged" else None,
        replaced_by=past.replaced_by if status in ("deprecated", "removed") else None,
    )


def _former_names(
    term: PublishedTerm, shown: PublishedWording, release: str
) -> tuple[FormerName, ...]:
    """Returns the names that were former ones already at a release, at which `shown` was the
    wording."""
    index = shown.term.glossary.index
    present = [name.text for name in shown.names]
    found = []
    for former in term.former_names:
        is_past = index.is_past(shown.source, former.until, at=release)
        if is_past and former.text not in present:
            found.append(former)
    return tuple(found)


def _last_status(history: Sequence[PublishedChange], source: str) -> DataStatus:
    """Returns the status of a term after its changes in a source that does not define it."""
    for change in reversed(history):
        if change.source == source and change.kind in COMPARED:
            return STATUS_AFTER.get(change.kind, "current")
    return "current"
