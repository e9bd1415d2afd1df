"""The names on a term's page: its other names, and the terms that are related to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from sitegen.model.terms import Change, Life
from sitegen.site.pages.page import Writer
from sitegen.text.names import fold


def name_lines(
    life: Life, name: str, rename: Change | None, writer: Writer
) -> Iterator[tuple[Markup, list[Markup]]]:
    """Yields the label of each line, and its names, on the page of one of them, which they leave
    out. The status of the page says what they would say about `rename`."""
    lines = {**_own_names(life, name, rename, writer), **_related_terms(life, writer)}
    for key, names in lines.items():
        if names:
            yield writer.say(key), names


def _own_names(
    life: Life, name: str, rename: Change | None, writer: Writer
) -> dict[str, list[Markup]]:
    """Returns the names of a term, and the terms that are or were its synonyms, by the keys of
    their labels."""
    synonyms = dict.fromkeys((*writer.data.synonyms.get(life.key, ()), *life.also_known_as))
    # The names of synonyms are links, so they are not repeated as text.
    left_out = {fold(name), *[fold(writer.site.by_key[key].name) for key in synonyms]}
    main_until = former_main_names(life)
    if rename and rename.before:  # the status says it
        main_until.pop(fold(rename.before.name), None)
    also_called: list[Markup] = []
    avoided: list[Markup] = []
    formerly: list[Markup] = []
    merged: list[Markup] = []
    for designation in life.names:
        if fold(designation.text) in left_out:
            continue
        if designation.status == "deprecated":
            avoided.append(writer.text(designation.text))
        elif designation.status == "admitted":
            also_called.append(_other_name(designation.text, main_until, writer))
    for former, release in life.former_names:
        was_main = fold(former) in main_until
        if was_main and fold(former) not in left_out:
            until = writer.version(release)
            formerly.append(writer.say("names.formerly-until", name=former, release=until))
    for key in synonyms:
        merger = _merger(key, life, writer)
        if merger:
            release = writer.version(merger.release)
            merged.append(writer.say("names.merged-in", name=writer.term(key), release=release))
        else:
            also_called.append(writer.term(key))
    return {
        "names.also-called": also_called,
        "names.avoid": avoided,
        "names.formerly": formerly,
        "names.merged": merged,
    }


def _other_name(name: str, main_until: Mapping[str, str], writer: Writer) -> Markup:
    """Returns another name of a term; if it was the main name once, with the release that ended
    that."""
    release = main_until.get(fold(name))
    if release is None:
        return writer.text(name)
    return writer.say("names.main-until", name=name, release=writer.version(release))


def _merger(key: str, life: Life, writer: Writer) -> Change | None:
    """Returns the change by which a synonym was merged into its term, if its name is none of the
    term's own today."""
    other = writer.site.by_key[key]
    present = {fold(designation.text) for designation in life.names}
    if fold(other.name) in present:
        return None
    return other.main_course.merge


def former_main_names(life: Life) -> dict[str, str]:
    """Returns each former main name of a term, folded, and the release that made another one the
    main name: `{"master file": "4.0"}`."""
    until = {}
    for change in life.changes:
        if change.kind == "renamed" and change.before:
            until[fold(change.before.name)] = change.release
    return until


def _related_terms(life: Life, writer: Writer) -> dict[str, list[Markup]]:
    """Returns links to other terms, by the keys of their labels."""
    data = writer.data
    split_off = data.split_off.get(life.key, ())
    return {
        "kind.split": [*map(writer.term, split_off)],
        "names.used-by": [*map(writer.term, data.used_by.get(life.key, ()))],
    }
