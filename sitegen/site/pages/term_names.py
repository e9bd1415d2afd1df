"""The names on a term's page: its other names, and the terms that are related to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from markupsafe import Markup

from sitegen.model.terms import Change, Life
from sitegen.site.pages.page import Writer
from sitegen.text.names import avoided, fold, usable


class TermNames(NamedTuple):
    """The names of a term apart from the name of its page."""

    formerly: list[Markup]
    """Its former names, each with the release that ended it."""
    merged: list[Markup]
    """A sentence for each term that was merged into it."""
    lines: list[tuple[Markup, list[Markup]]]
    """Its other names and the terms that are related to it: lines of a label and names."""


def term_names(life: Life, name: str, rename: Change | None, writer: Writer) -> TermNames:
    """Returns the other names of a term. Former names and merged terms are apart: a reader who
    looked for one of them should see at the top of the page what became of it.

    `name` is the name that the page is about. `rename` is the rename that the status of the page
    has already named.
    """
    renames = renames_from(life)
    if rename and rename.before:
        renames.pop(fold(rename.before.name), None)  # the status says it
    synonyms, merged = _synonyms(life, writer)

    # The names of synonyms are links, so they are not repeated as text.
    linked = {fold(writer.site.by_key[key].name) for key in (*synonyms, *merged)}
    left_out = {fold(name), *linked}
    names_after_first = life.names[1:]
    other_names = [other for other in names_after_first if fold(other.text) not in left_out]
    also_called = [_other_name(other, renames, writer) for other in usable(other_names)]

    formerly = []
    for former, release in life.former_names:
        if fold(former) in renames and fold(former) not in left_out:
            until = writer.version(release)
            formerly.append(writer.say("names.formerly-until", name=former, release=until))

    site = writer.site
    lines = {
        "names.also-called": [*also_called, *map(writer.term, synonyms)],
        "names.avoid": [*map(writer.text, avoided(other_names))],
        "kind.split": [*map(writer.term, site.split_off.get(life.key, ()))],
        "names.used-by": [*map(writer.term, site.used_by.get(life.key, ()))],
    }
    labeled_lines = [(writer.say(key), names) for key, names in lines.items() if names]
    return TermNames(formerly, [*merged.values()], labeled_lines)


def _synonyms(life: Life, writer: Writer) -> tuple[list[str], dict[str, Markup]]:
    """Returns the keys of the synonyms of a term, and the terms that were merged into it: their
    keys, each with a phrase that names the term and the release."""
    synonyms = []
    merged = {}
    # The definition of a synonym names this term, or this one names the synonym.
    for key in dict.fromkeys((*writer.site.synonyms.get(life.key, ()), *life.also_known_as)):
        merger = _merger(key, life, writer)
        if merger:
            release = writer.version(merger.release)
            merged[key] = writer.say("names.merged-in", name=writer.term(key), release=release)
        else:
            synonyms.append(key)
    return synonyms, merged


def _other_name(name: str, renames: Mapping[str, Change], writer: Writer) -> Markup:
    """Returns another name of a term. A former main name has the release with which that ended."""
    rename = renames.get(fold(name))
    if rename is None:
        return writer.text(name)
    return writer.say("names.main-until", name=name, release=writer.version(rename.release))


def _merger(key: str, life: Life, writer: Writer) -> Change | None:
    """Returns the change by which the synonym `key` was merged into a term, or None."""
    synonym = writer.site.by_key[key]
    present_names = {fold(designation.text) for designation in life.names}
    # A name that the term has itself is an ordinary synonym now.
    if fold(synonym.name) in present_names:
        return None
    return synonym.main_course.last_merge


def rename_to_present(life: Life, rename: Change) -> Change:
    """Returns the last change that gave a term its present name. After several renames, that is a
    later one than `rename`, which ended a former name. If no change brought the present name, it is
    `rename`."""
    for change in reversed(life.changes):
        if change.kind == "renamed" and fold(change.entry.name) == fold(life.name):
            return change
    return rename


def renames_from(life: Life) -> dict[str, Change]:
    """Returns the renames of a term by the folded main names that they ended. Of several renames
    from one name, the last one counts."""
    renames = {}
    for change in life.changes:
        if change.kind == "renamed" and change.before:
            renames[fold(change.before.name)] = change
    return renames
