"""Describes a change in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from markupsafe import Markup

from sitegen.model import Entry
from sitegen.model.terms import Change, Life
from sitegen.site.pages.page import Writer, file_name
from sitegen.site.pages.status import restored
from sitegen.text.names import fold

Sentences = Iterator[Markup]


def sentences(change: Change, *, of: str, writer: Writer) -> tuple[Markup, ...]:
    """Returns the sentences about a change of the term `of`; often there are none.

    The term's other changes are looked up only if a sentence needs them.
    """
    write = _SENTENCES.get(change.kind)
    return tuple(write(change, of, writer)) if write else ()


def places(change: Change, writer: Writer) -> tuple[Markup, ...]:
    """Returns the places of the entries of a change: the newer one, then the older one."""
    if change.after is None or change.before is None:
        return (writer.place(change.citation),)
    before = change.before.citation
    release = writer.version(before.release)
    return (
        writer.place(change.citation),
        writer.say("event.place-before", release=release, place=writer.place(before)),
    )


def renaming(change: Change, writer: Writer) -> Markup:
    """Returns the former name of a renamed term, and the rule that detected the rename."""
    assert change.before
    return writer.say(f"event.renamed.{_rule(change)}", name=change.before.name, reason=_reason(change))


def _rule(change: Change) -> str:
    """Returns the last part of a message's key: the rule, and whether a reason was given."""
    if change.identity is None:
        return "name"
    return "declared-why" if change.identity.reason else change.identity.rule.replace(" ", "-")


def _reason(change: Change) -> str:
    return change.identity.reason if change.identity else ""


def _first_read(change: Change, key: str, writer: Writer) -> Sentences:
    if not writer.data.releases[change.source, change.release].unreleased:
        yield writer.say("status.first-read", release=writer.version(change.release))


def _renamed(change: Change, key: str, writer: Writer) -> Sentences:
    yield renaming(change, writer)


def _reworded(change: Change, key: str, writer: Writer) -> Sentences:
    if change.same_as:
        place = writer.data.revision(key, change.source, change.same_as)
        yield writer.say("event.same-as", release=writer.link(writer.version(change.same_as), place))


def _reformatted(change: Change, key: str, writer: Writer) -> Sentences:
    yield writer.say("status.reformatted", release=writer.version(change.release))


def _names_changed(change: Change, key: str, writer: Writer) -> Sentences:
    assert change.before and change.after
    before, after = _other_names(change.before), _other_names(change.after)
    news = (("event.names-gained", after, before), ("event.names-lost", before, after))
    for key, here, there in news:
        names = [name for folded, name in here.items() if folded not in there]
        if names:
            quoted = writer.listed(writer.say("quoted", text=name) for name in names)
            yield writer.say(key, names=quoted, release=writer.version(change.release))


def _other_names(entry: Entry) -> Mapping[str, str]:
    return {fold(designation.text): designation.text for designation in entry.designations}


def _moved(change: Change, key: str, writer: Writer) -> Sentences:
    assert change.before and change.after
    if change.before.section != change.after.section and change.before.section and change.after.section:
        yield writer.say("event.moved", before=change.before.section, after=change.after.section)
    if change.before.place.name != change.after.place.name:
        files = [file_name(entry.place.name) for entry in (change.before, change.after)]
        yield writer.say("event.moved-file", before=files[0], after=files[1])


def _deprecated(change: Change, key: str, writer: Writer) -> Sentences:
    life = writer.data.site.by_key[key]
    if life.replaced_by and change is _last(life, "deprecated"):
        yield writer.say("status.use-instead", term=writer.term(life.replaced_by))


def _removed(change: Change, key: str, writer: Writer) -> Sentences:
    assert change.before
    life = writer.data.site.by_key[key]
    yield writer.say("event.removed", last=writer.version(change.before.place.release))
    if life.replaced_by and life.status == "removed" and change is _last(life, "removed"):
        yield writer.say("status.use-instead", term=writer.term(life.replaced_by))


def _last(life: Life, kind: str) -> Change | None:
    return next((change for change in reversed(life.changes) if change.kind == kind), None)


def _restored(change: Change, key: str, writer: Writer) -> Sentences:
    own = [one for one in writer.data.site.by_key[key].changes if one.source == change.source]
    yield restored(change.release, own, writer.data.site.source(change.source), writer.data.words)
    yield from _reworded(change, key, writer)


def _merged(change: Change, key: str, writer: Writer) -> Sentences:
    assert change.other
    yield writer.say(f"event.merged.{_rule(change)}", term=writer.term(change.other), reason=_reason(change))


def _split(change: Change, key: str, writer: Writer) -> Sentences:
    assert change.other
    yield writer.say("event.split", term=writer.term(change.other))


_SENTENCES: Mapping[str, Callable[[Change, str, Writer], Sentences]] = {
    "first-read": _first_read,
    "renamed": _renamed,
    "reworded": _reworded,
    "reformatted": _reformatted,
    "names-changed": _names_changed,
    "moved": _moved,
    "deprecated": _deprecated,
    "removed": _removed,
    "restored": _restored,
    "merged": _merged,
    "split": _split,
}
