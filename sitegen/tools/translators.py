"""Reports the states of translations: what is behind, with the words that changed, what is missing
and orphaned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import indent

from sitegen.config.toml import table_text
from sitegen.model import (
    Entry,
    Notify,
    ProblemsError,
    SitegenError,
    counted,
    first_of,
    grouped,
)
from sitegen.model.term_translations import STATES, State, Translation, WordChange
from sitegen.pipeline.site_build import read_site
from sitegen.sources.git.repositories import SHORT
from sitegen.sources.projects import Project
from sitegen.text.differing_words import difference

MAX_NAMES = 20
"""The maximum number of missing terms that are named for a language."""
OPEN: tuple[State, ...] = ("behind", "untranslated", "unpaired", "orphaned")
"""The states in which there is something to do with a text that exists."""
MAX_CANDIDATES = 2
"""The maximum number of possible translations that are named for an unpaired term."""

Report = Sequence[tuple[str, Translation]]
"""Pairs of the slug of a term and the state of one of its translations."""


def translation_report(project: Project, language: str, *, notify: Notify) -> Report:
    """Returns the states of all translations of a project, sorted by language, state and slug. If a
    `language` is named, other languages are left out.

    Raises `SitegenError` if the site has no translations, or none into this language.
    """
    inputs, site = read_site(project, notify=notify)
    tags = [one.tag for one in site.languages if one.is_translation]
    if not tags and inputs.glossaries.problems:
        raise ProblemsError(inputs.located(inputs.glossaries.problems))
    if not tags:
        wanted = "`sitegen init` finds translations, and [[translation]] in site.toml names them"
        raise SitegenError(f"this site has one language; {wanted}")
    if language and language.lower() not in map(str.lower, tags):
        raise SitegenError(f"no translation into {language!r}; there are {', '.join(tags)}")

    report: list[tuple[str, Translation]] = []
    for slug, translations in site.translations.items():
        for _, shown in translations:
            # The page of a term shows the translation of a release; the newest commit counts here.
            translation = shown.unreleased or shown
            is_wanted = not language or translation.language.lower() == language.lower()
            if is_wanted:
                report.append((slug, translation))

    def order(pair: tuple[str, Translation]) -> tuple[int, int, str]:
        slug, translation = pair
        return tags.index(translation.language), STATES.index(translation.state), slug

    return sorted(report, key=order)


def is_open(report: Report) -> bool:
    """Returns whether there is work for a translator: a translation to mend, or a language without
    any. Single missing translations do not count."""
    if any(map(_is_unread, _by_language(report).values())):
        return True
    return any(translation.state in OPEN for _, translation in report)


def _is_unread(translations: Iterable[Translation]) -> bool:
    """Returns whether all terms are missing in a language: then its files were not found."""
    return all(translation.state == "missing" for translation in translations)


def _by_language(report: Report) -> Mapping[str, Sequence[Translation]]:
    """Returns the translations of a report by their languages."""
    return grouped((translation.language, translation) for _, translation in report)


def lines(report: Report, project: Project) -> Iterator[str]:
    """Yields the lines to print for each language: how many translations are in each state, and
    below them the translations to mend and the terms without a translation."""
    for language, translations in _by_language(report).items():
        counts = Counter(translation.state for translation in translations)
        numbers = [f"{counts[state]:,} {state}" for state in STATES if counts[state]]
        yield f"{language}: {', '.join(numbers)}"
        if _is_unread(translations):
            files = _patterns_of_files(language, project) or "the files of the original"
            yield f"  no term was read in {files}; correct `paths` of its [[translation]]"

        missing_names = []
        for translation in translations:
            yield from _lines_to_mend(translation)
            if translation.state == "missing":
                missing_names.append(translation.original.name)
        yield from _lines_about_unpaired(translations)
        if missing_names:
            yield f"  missing: {first_of(missing_names, MAX_NAMES)}"


def _patterns_of_files(language: str, project: Project) -> str:
    """Returns the patterns of the files of a language, as site.toml has them."""
    patterns: list[str] = []
    for table in project.settings().translations:
        if table.language == language:
            patterns += table.paths
    return ", ".join(patterns)


def _lines_to_mend(translation: Translation) -> Iterator[str]:
    """Yields a line about a translation that is to be mended, and lines with the changed words.
    Yields nothing for a translation that is up to date or missing."""
    entry = translation.entry
    if entry is None or translation.state not in OPEN:
        return
    yield f"  {translation.state}: {entry.place.path}:{entry.line}: {_state_sentence(translation)}"
    for line in changed_words(translation):
        yield f"      {line}"


def _lines_about_unpaired(translations: Iterable[Translation]) -> Iterator[str]:
    """Yields the terms that may have a translation under another name, and the table of site.toml
    that pairs a term with its translation."""
    unpaired = [translation for translation in translations if translation.state == "unpaired"]
    if not unpaired:
        return
    for translation in unpaired[:MAX_NAMES]:
        candidates = translation.candidates
        names = " or ".join(f"“{name}”" for name in candidates[:MAX_CANDIDATES])
        if len(candidates) > MAX_CANDIDATES:
            names += f" or {counted(len(candidates) - MAX_CANDIDATES, 'other')}"
        yield f"  not paired: {translation.original.name}: perhaps {names}"
    if len(unpaired) > MAX_NAMES:
        yield f"  not paired: {len(unpaired) - MAX_NAMES:,} more"

    example = unpaired[0]
    pair = (example.original.name, example.candidates[0])
    table = table_text("[[same]]", {"language": example.language, "names": pair})
    yield "  a pair is named in site.toml:"
    yield from indent(table, "    ").splitlines()


def _state_sentence(translation: Translation) -> str:
    """Returns a sentence about the state of a translation, with the commits that changed the
    original and the translation last: `“Anker” for “anchor”: the original was reworded once since
    1a2b3c4 of 2024-05-01; its own words are of 5d6e7f8 of 2023-01-01`."""
    names = f"“{translation.original.name}”"
    if translation.entry:
        names = f"“{translation.entry.name}” for {names}"

    # If site.toml declares the release that was translated, the commit may be unknown.
    since = "the declared release"
    if translation.since:
        since = _commit_with_day(translation.since)
    match translation.state:
        case "behind":
            count = translation.rewordings
            number = "once" if count == 1 else f"{count} times"
            state = f"the original was reworded {number} since {since}"
        case "orphaned":
            state = f"the original was removed or renamed in {since}"
        case _:  # "untranslated"
            return f"{names}: has the words of the original"

    if translation.translated:
        state += f"; its own words are of {_commit_with_day(translation.translated)}"
    return f"{names}: {state}"


def _commit_with_day(change: WordChange) -> str:
    """Returns the commit and the day of a change."""
    return f"{change.commit[:SHORT]} of {change.day}"


def changed_words(translation: Translation) -> Iterator[str]:
    """Yields the words of the original that were deleted and inserted since they were translated,
    as lines with `-` and `+`."""
    earlier_words = translation.made_from
    if earlier_words is None or translation.state != "behind":
        return
    for segment in difference(earlier_words, translation.original.definition).segments:
        if segment.kind == "same":
            continue
        mark = "-" if segment.kind == "deleted" else "+"
        text = " ".join(segment.text.split())
        yield f"{mark} {text}"


def data(report: Report) -> list[dict[str, object]]:
    """Returns an object for each term and language."""
    return [_translation_data(slug, translation) for slug, translation in report]


def _translation_data(slug: str, translation: Translation) -> dict[str, object]:
    """Returns the state of a translation as plain data."""
    name = translation.entry.name if translation.entry else ""
    since = translation.since.commit if translation.since else None
    return {
        "term": translation.original.name,
        "slug": slug,
        "language": translation.language,
        "name": name,
        "state": translation.state,
        "since": since,
        "candidates": translation.candidates,
        "original": _entry_data(translation.original, translation.reworded),
        "translation": _entry_data(translation.entry, translation.translated),
    }


def _entry_data(entry: Entry | None, last_change: WordChange | None) -> dict[str, object] | None:
    """Returns the place of an entry, and the commit and day of its last change; None if there is no
    entry."""
    if entry is None:
        return None
    data: dict[str, object] = {"path": entry.place.path, "line": entry.line}
    if last_change:
        data["changed"] = last_change.commit
        data["date"] = last_change.day.isoformat()
    return data
