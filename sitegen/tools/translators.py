"""Reports the states of translations: what is behind, with the words that changed, what is missing
and orphaned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from textwrap import indent

from sitegen.config.toml import table_text
from sitegen.history.translation_states import STATES, State, Translation
from sitegen.history.word_changes import WordChange
from sitegen.model import (
    Entry,
    Notify,
    ProblemsError,
    Prose,
    SitegenError,
    counted,
    first_of,
    grouped,
    silent,
)
from sitegen.pipeline.site_build import read_site
from sitegen.sources.git.repositories import SHORT
from sitegen.sources.projects import Project
from sitegen.text.differing_words import difference

MAX_NAMES = 20
"""The maximum number of missing terms that are named for a language."""
OPEN: tuple[State, ...] = ("behind", "touched", "untranslated", "unpaired", "orphaned")
"""The states in which there is something to do with a text that exists."""
MAX_CANDIDATES = 2
"""The number of names that an unpaired term is asked about."""

Report = Sequence[tuple[str, Translation]]
"""The states of translations, each after the slug of the term."""


def translation_report(project: Project, language: str, *, notify: Notify) -> Report:
    """Returns the states of a project's translations, of one language if it is named, sorted by
    language, then by state, then by slug. Raises `SitegenError`."""
    inputs, site = read_site(project, notify=notify)
    tags = [one.tag for one in site.languages if one.folder]
    if not tags and inputs.glossaries.problems:
        raise ProblemsError(inputs.located(inputs.glossaries.problems))
    if not tags:
        wanted = "`sitegen init` finds translations, and [[translation]] in site.toml names them"
        raise SitegenError(f"this site has one language; {wanted}")
    if language and language.lower() not in map(str.lower, tags):
        raise SitegenError(f"no translation into {language!r}; there are {', '.join(tags)}")
    found: list[tuple[str, Translation]] = []
    for slug, translations in site.translations.items():
        for _, shown in translations:
            one = shown.unreleased or shown  # a translation that no release has is shown as missing
            if language.lower() in ("", one.language.lower()):
                found.append((slug, one))

    def order(pair: tuple[str, Translation]) -> tuple[int, int, str]:
        slug, one = pair
        return tags.index(one.language), STATES.index(one.state), slug

    return sorted(found, key=order)


def left_behind(
    project: Project, commits: Collection[str]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Returns the terms of which one of these commits left translations behind, each with the
    languages of these: `(("jig", ("de", "fr")),)`."""
    behind = []
    _, site = read_site(project, notify=silent)
    for translations in site.translations.values():
        for _, one in translations:
            if one.state == "behind" and one.since and one.since.commit in commits:
                behind.append((one.original.name, one.language))
    return tuple(sorted(grouped(behind).items()))


def is_open(report: Report) -> bool:
    """True if there is something to do with a text that exists, or a language has none."""
    return any(one.state in OPEN for _, one in report) or bool(unread_languages(report))


def unread_languages(report: Report) -> list[str]:
    """Returns the languages of which no term was read."""
    read = {one.language for _, one in report if one.state != "missing"}
    unread = [one.language for _, one in report if one.language not in read]
    return list(dict.fromkeys(unread))


def lines(report: Report, project: Project) -> Iterator[str]:
    """Yields the lines to print: for each language its numbers, then the terms with something to
    do."""
    unread = unread_languages(report)
    for language, own in grouped((one.language, one) for _, one in report).items():
        counts = Counter(one.state for one in own)
        numbers = [f"{counts[state]:,} {state}" for state in STATES if counts[state]]
        yield f"{language}: {', '.join(numbers)}"
        if language in unread:
            read = _paths(language, project) or "the files of the original"
            yield f"  no term was read in {read}; correct `paths` of its [[translation]]"
        missing = []
        for one in own:
            yield from _open_lines(one)
            if one.state == "missing":
                missing.append(one.original.name)
        yield from _unpaired(own)
        if missing:
            yield f"  missing: {first_of(missing, MAX_NAMES)}"


def _open_lines(one: Translation) -> Iterator[str]:
    """Yields what there is to do with a translation, and the changed words."""
    if one.translation and one.state in OPEN:
        place = f"{one.translation.place.path}:{one.translation.line}"
        yield f"  {one.state}: {place}: {_message(one)}"
        for line in changed_words(one):
            yield f"      {line}"


def _paths(language: str, project: Project) -> str:
    """Returns the patterns of the files of a language, as site.toml has them."""
    paths: list[str] = []
    for one in project.settings().translations:
        if one.language == language:
            paths += one.paths
    return ", ".join(paths)


def _unpaired(translations: Iterable[Translation]) -> Iterator[str]:
    """Yields the terms whose translation may be there under a name that does not tell it, and the
    table that pairs two names."""
    found = [one for one in translations if one.state == "unpaired"]
    for one in found[:MAX_NAMES]:
        candidates = " or ".join(f"“{name}”" for name in one.candidates[:MAX_CANDIDATES])
        more = len(one.candidates) - MAX_CANDIDATES
        others = f" or {counted(more, 'other')}" if more > 0 else ""
        yield f"  not paired: {one.original.name}: perhaps {candidates}{others}"
    if len(found) > MAX_NAMES:
        yield f"  not paired: {len(found) - MAX_NAMES:,} more"
    if found:
        first = found[0]
        names = (first.original.name, first.candidates[0])
        pair = table_text("[[same]]", {"language": first.language, "names": names})
        yield "  a pair is named in site.toml:"
        yield from indent(pair, "    ").splitlines()


def _message(one: Translation) -> str:
    """Returns a sentence about a translation: its state, and when each side was changed."""
    names = f"“{one.original.name}”"
    if one.translation:
        names = f"“{one.translation.name}” for {names}"
    own = f"; its own words are of {_change(one.translated)}" if one.translated else ""
    since = _change(one.since) if one.since else "the declared release"
    match one.state:
        case "behind":
            number = "once" if one.rewordings == 1 else f"{one.rewordings} times"
            found = f"the original was reworded {number} since {since}{own}"
        case "touched":
            reworded = f"the original was reworded in {since}"
            found = f"{reworded}, and this was changed only a little since{own}"
        case "orphaned":
            found = f"the original was removed or renamed in {since}{own}"
        case _:
            found = "has the words of the original"
    return f"{names}: {found}"


def changed_words(one: Translation) -> Iterator[str]:
    """Yields the changed words of the original, as lines with `-` and `+`; of a touched one, also
    its own."""
    if one.state not in ("behind", "touched"):
        return
    sides: list[tuple[Prose | None, Entry | None]] = [(one.made_from, one.original)]
    if one.state == "touched":
        sides.append((one.translated_before, one.translation))
    for before, entry in sides:
        if before is None or entry is None:
            continue
        for segment in difference(before, entry.definition).segments:
            mark = "-" if segment.kind == "deleted" else "+"
            if segment.kind != "same":
                yield f"{mark} {' '.join(segment.text.split())}"


def _change(change: WordChange) -> str:
    """Returns the commit and the day of a change."""
    return f"{change.commit[:SHORT]} of {change.day}"


def data(report: Report) -> list[dict[str, object]]:
    """Returns an object for each term and language."""
    return [_data_of_term(slug, one) for slug, one in report]


def _data_of_term(slug: str, one: Translation) -> dict[str, object]:
    """Returns the state of a translation as plain data."""
    name = one.translation.name if one.translation else ""
    since = one.since.commit if one.since else None
    return {
        "term": one.original.name,
        "slug": slug,
        "language": one.language,
        "name": name,
        "state": one.state,
        "since": since,
        "candidates": one.candidates,
        "original": _side(one.original, one.reworded),
        "translation": _side(one.translation, one.translated),
    }


def _side(entry: Entry | None, change: WordChange | None) -> dict[str, object] | None:
    """Returns where one side is, and when its words were last changed."""
    if entry is None:
        return None
    side: dict[str, object] = {"path": entry.place.path, "line": entry.line}
    if change:
        side |= {"changed": change.commit, "date": change.day.isoformat()}
    return side
