"""What a change says in words, beyond its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from markupsafe import Markup

from sitegen.model import Entry
from sitegen.model.terms import Change, Life
from sitegen.site.pages.page import Pen, file_name
from sitegen.site.pages.status import restored
from sitegen.text.names import fold

Sentences = Iterator[Markup]


def sentences(change: Change, *, of: str, pen: Pen) -> tuple[Markup, ...]:
    """Returns what is to be said of a change of the term `of`, often nothing.

    The rest of the term's life is looked up where that has something to say about the change, and only there.
    """
    tell = _TELLING.get(change.kind)
    return tuple(tell(change, of, pen)) if tell else ()


def places(change: Change, pen: Pen) -> tuple[Markup, ...]:
    """Returns where the entries of a change stand: the newer one, then the one it was compared with."""
    if change.after is None or change.before is None:
        return (pen.place(change.citation),)
    before = change.before.citation
    release = pen.version(before.release)
    return (pen.place(change.citation), pen.say("event.place-before", release=release, place=pen.place(before)))


def renaming(change: Change, pen: Pen) -> Markup:
    """Returns from what a term was renamed, and how that is known."""
    assert change.before
    return pen.say(f"event.renamed.{_rule(change)}", name=change.before.name, reason=_reason(change))


def _rule(change: Change) -> str:
    """The last part of a message's key: how sure we are, and whether a person said why."""
    if change.identity is None:
        return "name"
    return "declared-why" if change.identity.reason else change.identity.rule.replace(" ", "-")


def _reason(change: Change) -> str:
    return change.identity.reason if change.identity else ""


def _first_read(change: Change, key: str, pen: Pen) -> Sentences:
    if not pen.desk.releases[change.source, change.release].unreleased:
        yield pen.say("status.first-read", release=pen.version(change.release))


def _renamed(change: Change, key: str, pen: Pen) -> Sentences:
    yield renaming(change, pen)


def _reworded(change: Change, key: str, pen: Pen) -> Sentences:
    if change.same_as:
        place = pen.desk.revision(key, change.source, change.same_as)
        yield pen.say("event.same-as", release=pen.link(pen.version(change.same_as), place))


def _reformatted(change: Change, key: str, pen: Pen) -> Sentences:
    yield pen.say("status.reformatted", release=pen.version(change.release))


def _names_changed(change: Change, key: str, pen: Pen) -> Sentences:
    assert change.before and change.after
    before, after = _other_names(change.before), _other_names(change.after)
    news = (("event.names-gained", after, before), ("event.names-lost", before, after))
    for key, here, there in news:
        names = [name for folded, name in here.items() if folded not in there]
        if names:
            quoted = pen.listed(pen.say("quoted", text=name) for name in names)
            yield pen.say(key, names=quoted, release=pen.version(change.release))


def _other_names(entry: Entry) -> Mapping[str, str]:
    return {fold(designation.text): designation.text for designation in entry.designations}


def _moved(change: Change, key: str, pen: Pen) -> Sentences:
    assert change.before and change.after
    if change.before.section != change.after.section and change.before.section and change.after.section:
        yield pen.say("event.moved", before=change.before.section, after=change.after.section)
    if change.before.place.name != change.after.place.name:
        files = [file_name(entry.place.name) for entry in (change.before, change.after)]
        yield pen.say("event.moved-file", before=files[0], after=files[1])


def _deprecated(change: Change, key: str, pen: Pen) -> Sentences:
    life = pen.desk.site.by_key[key]
    if life.replaced_by and change is _last(life, "deprecated"):
        yield pen.say("status.use-instead", term=pen.term(life.replaced_by))


def _removed(change: Change, key: str, pen: Pen) -> Sentences:
    assert change.before
    life = pen.desk.site.by_key[key]
    yield pen.say("event.removed", last=pen.version(change.before.place.release))
    if life.replaced_by and life.status == "removed" and change is _last(life, "removed"):
        yield pen.say("status.use-instead", term=pen.term(life.replaced_by))


def _last(life: Life, kind: str) -> Change | None:
    return next((change for change in reversed(life.changes) if change.kind == kind), None)


def _restored(change: Change, key: str, pen: Pen) -> Sentences:
    own = [one for one in pen.desk.site.by_key[key].changes if one.source == change.source]
    yield restored(change.release, own, pen.desk.site.source(change.source), pen.desk.words)
    yield from _reworded(change, key, pen)


def _merged(change: Change, key: str, pen: Pen) -> Sentences:
    assert change.other
    yield pen.say(f"event.merged.{_rule(change)}", term=pen.term(change.other), reason=_reason(change))


def _split(change: Change, key: str, pen: Pen) -> Sentences:
    assert change.other
    yield pen.say("event.split", term=pen.term(change.other))


_TELLING: Mapping[str, Callable[[Change, str, Pen], Sentences]] = {
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
