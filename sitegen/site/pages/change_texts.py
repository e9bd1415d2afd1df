"""Changes in words: the sentences about one change, and the lists of changes that pages of releases
have, by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from sitegen.model import Entry, Source, grouped
from sitegen.model.terms import CHANGES, COMPARED, MARKS, MINOR, Change, ChangeKind
from sitegen.site.pages.marked_wordings import WordingComparison, comparison
from sitegen.site.pages.page import SEPARATOR, Writer, file_name
from sitegen.site.pages.status import absence
from sitegen.text import collation
from sitegen.text.names import fold
from sitegen.text.summary import summary

MAX_OPEN = 6
"""If a page has more differences, they are collapsed initially."""

MAX_DETAILED = 200
"""Maximum number of changes of a kind that are shown with details; further ones have links."""


def sentences(change: Change, writer: Writer, *, is_listed: bool = False) -> Iterator[Markup]:
    """Yields the sentences about a change; often there are none. In a list (`is_listed`), they
    follow the name that the term got, so that of a rename gives only the former name."""
    before = change.before
    course = writer.site.by_key[change.term].course(change.source)
    match change.kind:
        case "renamed":
            assert before
            key = "event.formerly" if is_listed else "event.renamed"
            sentence = writer.say(key, name=before.name, to=change.entry.name)
            yield Markup(" ").join([sentence, *_reason_of_rename(change, writer)])
        case "merged":
            assert change.other
            term, release = writer.term(change.other), writer.version(change.release)
            reason = change.identity.reason if change.identity else ""
            key = "event.merged.declared-why" if reason else "event.merged.name"
            yield writer.say(key, term=term, release=release, reason=reason)
        case "split":
            assert change.other
            yield writer.say("event.split", term=writer.term(change.other))
        case "names-changed":
            assert before and change.after
            yield from _names_changed(before, change.after, writer)
        case "moved":
            assert before and change.after
            yield from _moved(before, change.after, writer)
        case "removed":
            restoration = course.restoration(change.release)
            if restoration:
                yield writer.say("event.back", release=writer.version(restoration.release))
        case "restored":
            absent = writer.words.span(*absence(change, course))
            yield writer.say("event.absent", releases=absent)

    if change.same_as:
        yield _same_as(change, change.same_as, writer)


def _same_as(change: Change, earlier: str, writer: Writer) -> Markup:
    """Returns a sentence with the releases that already had the words after a change: those of the
    wording in the release `earlier`."""
    revision = writer.site.by_key[change.term].course(change.source).revision_at(earlier)
    assert revision, "the earlier release has a wording of the term"
    releases = writer.words.span(revision.first, revision.last)
    address = writer.site.event_address(change.term, change.source, earlier)
    return writer.say("event.same-as", releases=writer.link(releases, address))


def _reason_of_rename(change: Change, writer: Writer) -> Iterator[Markup]:
    """Yields the reason that site.toml gives for a rename, else what is the same under both names,
    if anything is."""
    identity = change.identity
    if identity and identity.reason:
        yield writer.say("event.renamed.reason", reason=identity.reason)
    elif identity and identity.rule in ("same words", "same file"):
        yield writer.say(f"event.renamed.{identity.rule.replace(' ', '-')}")


def _names_changed(before: Entry, after: Entry, writer: Writer) -> Iterator[Markup]:
    """Yields a sentence with the names that an entry gained, and one with those that it lost."""
    gained = _names_of_only_the_first(after, before, writer)
    if gained:
        yield writer.say("event.names-gained", names=writer.words.joined(gained))
    lost = _names_of_only_the_first(before, after, writer)
    if lost:
        yield writer.say("event.names-lost", names=writer.words.joined(lost))


def _names_of_only_the_first(entry: Entry, other: Entry, writer: Writer) -> list[Markup]:
    """Returns the names of an entry that the other entry does not have, in quotes."""
    other_names = {fold(designation.text) for designation in other.designations}
    # Names that differ only in case are one name.
    names = {fold(designation.text): designation.text for designation in entry.designations}
    quoted_names = []
    for folded_name, name in names.items():
        if folded_name not in other_names:
            quoted_names.append(writer.say("quoted", text=name))
    return quoted_names


def _moved(before: Entry, after: Entry, writer: Writer) -> Iterator[Markup]:
    """Yields a sentence about the old and new section of an entry, and one about the old and new
    file, if they differ."""
    # A document that gains or loses its headings moves no term.
    if before.section != after.section and before.section and after.section:
        yield writer.say("event.moved", before=before.section, after=after.section)
    if before.place.name != after.place.name:
        old, new = file_name(before.place.name), file_name(after.place.name)
        yield writer.say("event.moved-file", before=old, after=new)


def counts(changes: Iterable[Change], writer: Writer) -> dict[ChangeKind, Markup]:
    """Returns how many changes of each kind there are, as text. Kinds without changes are left
    out."""
    numbers = Counter([change.kind for change in changes])
    texts = {}
    for kind in CHANGES:
        if numbers[kind]:
            texts[kind] = writer.say(f"count.{kind}", numbers[kind])
    return texts


def notes(changes: Iterable[Change], writer: Writer) -> list[Markup]:
    """Returns the sentences below the counts of changes: that no term was removed, and how many
    terms have changes of several kinds. A sentence that is not true is left out."""
    compared = [change for change in changes if change.kind in COMPARED]
    sentences = []
    if all(change.kind != "removed" for change in compared):
        sentences.append(writer.say("count.none-removed"))

    kinds_of_terms = grouped((change.term, change.kind) for change in compared)
    terms_with_several_kinds = 0
    for kinds in kinds_of_terms.values():
        if len(set(kinds)) > 1:
            terms_with_several_kinds += 1
    if terms_with_several_kinds:
        sentences.append(writer.say("compare.several", terms_with_several_kinds))
    return sentences


def ids_of_kinds(source: Source, sources: Sequence[Source]) -> Mapping[str, str]:
    """Returns the HTML ids of the lists of changes in a source, by kind of change. The page has a
    part for each of `sources`; in the first part, the kind is the id, and the result is empty."""
    if source is sources[0]:
        return {}
    return {kind: f"{kind}-{source.id}" for kind in CHANGES}


def legend(kinds: Collection[str], writer: Writer) -> Sequence[tuple[str, Markup]]:
    """Returns the lines of the legend, one for each mark of these kinds of change. A line has a
    kind, whose mark the template draws, and the names of all kinds with this mark."""
    lines = []
    kinds_by_mark = grouped((MARKS[kind], kind) for kind in CHANGES if kind in kinds)
    for kinds_of_mark in kinds_by_mark.values():
        lines.append((kinds_of_mark[0], writer.words.kinds(kinds_of_mark)))
    return lines


class ChangeLine(NamedTuple):
    """A change as a line of a list."""

    slugs: tuple[str, ...]
    link: Markup
    """The term's name, as a link to the change on its page."""
    summary: Markup
    sentences: list[Markup]
    comparison: WordingComparison | None
    wordings: Markup
    """Links to the older and the newer wording; often empty."""


def listed_changes(
    changes: Iterable[Change], writer: Writer, *, is_comparison: bool = False
) -> list[Mapping[str, object]]:
    """Returns the values of the template for each kind of change, with its changes sorted by name.
    On the page of a comparison, a reworded term has links to both wordings."""
    language = writer.site.language
    by_name = sorted(changes, key=lambda change: collation.order(change.entry.name, language))
    changes_of_kind = grouped((change.kind, change) for change in by_name)
    values = []
    for kind in CHANGES:
        if kind in changes_of_kind:
            values.append(_values_of_kind(kind, changes_of_kind[kind], writer, is_comparison))
    return values


def _values_of_kind(
    kind: str, changes: Sequence[Change], writer: Writer, is_comparison: bool
) -> Mapping[str, object]:
    """Returns the values of the template for one kind of change."""
    # Changes that leave the words the same are collapsed initially, and have no details.
    max_detailed = 0 if kind in MINOR else MAX_DETAILED
    lines = []
    for number, change in enumerate(changes):
        line = _line(change, writer, is_comparison, is_detailed=number < max_detailed)
        lines.append(line)

    is_open = len(changes) <= MAX_OPEN
    return {
        "kind": kind,
        "is_minor": kind in MINOR,
        "lines": lines,
        "is_open": is_open,
        # Only differences can be collapsed.
        "has_folded": not is_open and any(line.comparison for line in lines),
        "total": writer.say("terms", len(changes)),
    }


def _line(change: Change, writer: Writer, is_comparison: bool, *, is_detailed: bool) -> ChangeLine:
    """Returns a change as a line, with or without its details."""
    site = writer.site
    entries = compared_entries(change)
    line_summary = Markup()
    sentences_of_line: list[Markup] = []
    difference = None
    if is_detailed:
        if entries:
            difference = comparison(*entries, of=change.term, writer=writer)
        elif change.kind != "merged":
            # The definition of a merged term only says what its sentence says.
            line_summary = writer.text(summary(change.entry.definition))
        if change.kind == "removed" and is_comparison:
            # A comparison may span several releases: say which one removed the term.
            release = writer.version(change.release)
            sentences_of_line.append(writer.say("event.removed", release=release))
        sentences_of_line += sentences(change, writer, is_listed=True)
        sentences_of_line += _replacement(change, writer)

    # A line without details shows no words, so it has links to them, as every line of a comparison
    # has.
    wordings = Markup()
    if is_comparison or not is_detailed:
        wordings = SEPARATOR.join([_wording(entry, change.term, writer) for entry in entries])
    address = site.event_address(change.term, change.source, change.release)
    return ChangeLine(
        slugs=site.slugs_of[change.term],
        link=writer.link(change.entry.name, address),
        summary=line_summary,
        sentences=sentences_of_line,
        comparison=difference,
        wordings=wordings,
    )


def _replacement(change: Change, writer: Writer) -> Iterator[Markup]:
    """Yields what to use instead of a term that was deprecated or removed, if that is known."""
    replacement = writer.site.by_key[change.term].replaced_by
    if replacement and change.kind in ("deprecated", "removed"):
        phrase = writer.say("status.use-instead", term=writer.term(replacement))
        yield phrase[:1].upper() + phrase[1:]


def _wording(entry: Entry, key: str, writer: Writer) -> Markup:
    """Returns a link to the wording of an entry of a term, named after its releases."""
    place = entry.place
    revision = writer.site.by_key[key].course(place.source).revision_at(place.release)
    assert revision, "an entry is of a wording"
    text = writer.say("frozen.wording", release=writer.releases_of(revision))
    return writer.link(text, writer.site.wording_address(key, revision))


def compared_entries(change: Change) -> tuple[()] | tuple[Entry, Entry]:
    """Returns the entries before and after a change of words, to show their difference. For another
    kind of change the result is ()."""
    if change.before and change.after and change.kind in ("reworded", "restored"):
        return change.before, change.after
    return ()
