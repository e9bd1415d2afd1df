"""The names on a term's page: its other names, and the terms that are related to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from sitegen.model.terms import Change, Life
from sitegen.site.pages.page import Writer
from sitegen.text.names import avoided, fold, usable


def name_lines(
    life: Life, name: str, rename: Change | None, writer: Writer
) -> Iterator[tuple[Markup, list[Markup]]]:
    """Yields the label of each line, and its names, on the page of one of them, which they leave
    out. The status of the page says what they would say about `rename`."""
    main_until = former_main_names(life)
    if rename and rename.before:  # the status says it
        main_until.pop(fold(rename.before.name), None)
    synonyms, merged = _synonyms(life, writer)
    # The names of synonyms are links, so they are not repeated as text.
    linked = {fold(writer.site.by_key[key].name) for key in (*synonyms, *merged)}
    left_out = {fold(name), *linked}
    other_names = [one for one in life.names[1:] if fold(one.text) not in left_out]
    also_called = [_other_name(one, main_until, writer) for one in usable(other_names)]
    formerly = []
    for former, release in life.former_names:
        if fold(former) in main_until and fold(former) not in left_out:
            until = writer.version(release)
            formerly.append(writer.say("names.formerly-until", name=former, release=until))
    data = writer.data
    lines = {
        "names.also-called": [*also_called, *map(writer.term, synonyms)],
        "names.avoid": [*map(writer.text, avoided(other_names))],
        "names.formerly": formerly,
        "names.merged": [*merged.values()],
        "kind.split": [*map(writer.term, data.split_off.get(life.key, ()))],
        "names.used-by": [*map(writer.term, data.used_by.get(life.key, ()))],
    }
    for key, names in lines.items():
        if names:
            yield writer.say(key), names


def _synonyms(life: Life, writer: Writer) -> tuple[list[str], dict[str, Markup]]:
    """Returns the keys of the synonyms of a term, and those of the terms that were merged into it,
    each with a phrase that says since when."""
    synonyms = []
    merged = {}
    for key in dict.fromkeys((*writer.data.synonyms.get(life.key, ()), *life.also_known_as)):
        merger = _merger(key, life, writer)
        if merger:
            release = writer.version(merger.release)
            merged[key] = writer.say("names.merged-in", name=writer.term(key), release=release)
        else:
            synonyms.append(key)
    return synonyms, merged


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
