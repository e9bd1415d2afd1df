"""Reports the states of translations: what is behind, with the words that changed, what is missing
and orphaned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, groupby

from sitegen.history.translation_states import STATES, State, Translation
from sitegen.history.word_changes import WordChange
from sitegen.integrations.reports import annotation
from sitegen.model import Entry, Notify, SitegenError, grouped
from sitegen.sources.git_source import SHORT
from sitegen.sources.projects import Project
from sitegen.text.words import difference
from sitegen.tools.findings import site_of

MAX_NAMES = 20
"""The maximum number of missing terms that are named for a language."""
OPEN: tuple[State, ...] = ("behind", "touched", "untranslated", "orphaned")
"""The states in which a translator has something to do with a text that exists."""


def translation_report(
    project: Project, language: str, *, notify: Notify
) -> tuple[tuple[str, Translation], ...]:
    """Returns the states of a project's translations, of one language if it is named, each after
    the term's slug.

    They are sorted by language, then by state, then by slug. Raises `SitegenError`.
    """
    site = site_of(project, notify)
    tags = [one.tag for one in site.languages if one.folder]
    if not tags:
        wanted = "`sitegen init` finds translations, and [[translation]] in site.toml names them"
        raise SitegenError(f"this site has one language; {wanted}")
    if language and language.lower() not in map(str.lower, tags):
        raise SitegenError(f"no translation into {language!r}; there are {', '.join(tags)}")
    every = [(slug, one) for slug, several in site.translations.items() for _, one in several]
    found = [(slug, one.unreleased or one) for slug, one in every]
    chosen = (pair for pair in found if language.lower() in ("", pair[1].language.lower()))
    return tuple(
        sorted(
            chosen,
            key=lambda pair: (tags.index(pair[1].language), STATES.index(pair[1].state), pair[0]),
        )
    )


def left_behind(
    project: Project, commits: Collection[str]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Returns the terms whose translations are behind since one of these commits, each with their
    languages."""
    states = chain.from_iterable(site_of(project, lambda doing: None).translations.values())
    behind = (
        one
        for _, one in states
        if one.state == "behind" and one.since and one.since.commit in commits
    )
    return tuple(sorted(grouped((one.original.name, one.language) for one in behind).items()))


def lines(report: Iterable[tuple[str, Translation]]) -> Iterator[str]:
    """Yields the lines to print: for each language its numbers, then the terms with something to
    do."""
    for language, pairs in groupby(report, lambda pair: pair[1].language):
        own = [one for _, one in pairs]
        counts = Counter(one.state for one in own)
        yield f"{language}: " + ", ".join(
            f"{counts[state]:,} {state}" for state in STATES if counts[state]
        )
        for one in own:
            if one.translation and (one.state in OPEN or one.marker):
                yield (
                    f"  {one.state}: {one.translation.place.path}:{one.translation.line}: "
                    f"{message(one)}"
                )
                yield from (f"      {line}" for line in changed_words(one))
        missing = [one.original.name for one in own if one.state == "missing"]
        more = f" and {len(missing) - MAX_NAMES:,} more" if len(missing) > MAX_NAMES else ""
        if missing:
            yield f"  missing: {', '.join(missing[:MAX_NAMES])}{more}"


def workflow_commands(report: Iterable[tuple[str, Translation]]) -> Iterator[str]:
    """Yields workflow commands of GitHub for the files of a pull request."""
    for _, one in report:
        if one.state in OPEN and (entry := one.translation):
            title = f"translation {one.state}"
            yield annotation(entry.place.path, entry.line, 1, title=title, message=message(one))


def message(one: Translation) -> str:
    """Returns a sentence about a translation: its state, and when each side was changed."""
    names = [f"“{entry.name}”" for entry in (one.translation, one.original) if entry]
    own = f"; its own words are of {_change(one.translated)}" if one.translated else ""
    marker = f"; it {one.marker}, and the words say otherwise" if one.marker else ""
    since = _change(one.since) if one.since else "the declared release"
    number = "once" if one.rewordings == 1 else f"{one.rewordings} times"
    found = {
        "behind": f"the original was reworded {number} since {since}{own}",
        "touched": f"the original was reworded in {since}, and this was changed only a little "
        f"since{own}",
        "untranslated": "has the words of the original",
        "orphaned": f"the original was removed or renamed in {since}{own}",
    }.get(one.state, one.state + own)
    return f"{' for '.join(names)}: {found}{marker}"


def changed_words(one: Translation) -> Iterator[str]:
    """Yields the changed words of the original, as lines with `-` and `+`; of a touched one, also
    its own."""
    for before, entry in ((one.made_from, one.original), (one.translated_before, one.translation)):
        if one.state in ("behind", "touched") and before is not None and entry is not None:
            for segment in difference(before, entry.definition).segments:
                if segment.kind != "same":
                    yield (
                        f"{'-' if segment.kind == 'deleted' else '+'} "
                        f"{' '.join(segment.text.split())}"
                    )


def _change(change: WordChange) -> str:
    return f"{change.commit[:SHORT]} of {change.day}"


def data(report: Iterable[tuple[str, Translation]]) -> list[dict[str, object]]:
    """Returns an object for each term and language."""
    return [
        {
            "term": one.original.name,
            "slug": slug,
            "language": one.language,
            "name": one.translation.name if one.translation else "",
            "state": one.state,
            "since": one.since.commit if one.since else None,
            "original": _side(one.original, one.reworded),
            "translation": _side(one.translation, one.translated),
        }
        for slug, one in report
    ]


def _side(entry: Entry | None, change: WordChange | None) -> dict[str, object] | None:
    """Returns where one side is, and when its words were last changed."""
    if entry is None:
        return None
    changed = {"changed": change.commit, "date": change.day.isoformat()} if change else {}
    return {"path": entry.place.path, "line": entry.line, **changed}
