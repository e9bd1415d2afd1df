"""The names on the page of a term: its other names, and the terms that are related to it."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from sitegen.model.terms import Life
from sitegen.site.pages.page import Writer
from sitegen.site.pages.status import merge_of
from sitegen.text.names import fold


def name_lines(life: Life, name: str, writer: Writer) -> Iterator[tuple[Markup, list[Markup]]]:
    """Yields the label of each line, and its names, on the page of one of them, which they leave
    out."""
    lines = {**_own_names(life, name, writer), **_related_terms(life, writer)}
    for key, names in lines.items():
        if names:
            yield writer.say(key), names


def _own_names(life: Life, name: str, writer: Writer) -> dict[str, list[Markup]]:
    """Returns the names of a term, and the terms that are or were its synonyms, by the keys of
    their labels."""
    others = dict.fromkeys((*writer.data.synonyms.get(life.key, ()), *life.also_known_as))
    # The names of other terms are links, so they are not repeated as text.
    left_out = {fold(name), *[fold(writer.site.names[key]) for key in others]}
    also_called: list[Markup] = []
    avoided: list[Markup] = []
    formerly: list[Markup] = []
    for designation in life.names:
        if fold(designation.text) in left_out:
            continue
        if designation.status == "admitted":
            also_called.append(writer.text(designation.text))
        elif designation.status == "deprecated":
            avoided.append(writer.text(designation.text))
    for former, release in life.former_names:
        if fold(former) not in left_out:
            formerly.append(_former_name(writer.text(former), release, writer))
    for key in others:
        merger = merge_of(writer.site.by_key[key])
        if merger:
            formerly.append(_former_name(writer.term(key), merger.release, writer))
        else:
            also_called.append(writer.term(key))
    return {
        "names.also-called": also_called,
        "names.avoid": avoided,
        "names.formerly": formerly,
    }


def _former_name(name: Markup, release: str, writer: Writer) -> Markup:
    until = writer.version(release)
    return writer.say("names.formerly-until", name=name, release=until)


def _related_terms(life: Life, writer: Writer) -> dict[str, list[Markup]]:
    """Returns links to other terms, by the keys of their labels."""
    data = writer.data
    split_off = data.split_off.get(life.key, ())
    see_also = [key for key in writer.site.see_also[life.key] if key != life.synonym_of]
    used_by = [key for key in data.used_by.get(life.key, ()) if key not in see_also]
    return {
        "kind.split": [*map(writer.term, split_off)],
        "names.see-also": [*map(writer.term, see_also)],
        "names.used-by": [*map(writer.term, used_by)],
    }
