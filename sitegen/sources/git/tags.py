"""Which tags of a repository are releases. Only their names are looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from sitegen.model import Problem, Skipped
from sitegen.sources.releases import is_prerelease, ordered, says_version
from sitegen.text.decoding import is_plain

MAX_RELEASES = 2_000
MAX_NAME = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which tags a keeper means."""

    tags: tuple[str, ...] = ()
    """Patterns. Without any, every tag that tells a version."""
    exclude: tuple[str, ...] = ()
    prereleases: bool = False


EVERY_VERSION = Choice()


def choose(tags: Sequence[str], choice: Choice, *, path: str) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """Returns the tags that are releases, and what is odd about the choice. `path` names the repository in messages.

    Pre-releases are left out without a word, except one that a pattern without wildcards names.
    """
    problems: list[Problem] = []

    def note(found: str, wanted: str) -> None:
        problems.append(Problem(path=path, found=found, wanted=wanted))

    kept = [tag for tag in _meant(_presentable(tags, note), choice, note) if not _matches(tag, choice.exclude)]
    final = [tag for tag in kept if choice.prereleases or tag in choice.tags or not is_prerelease(tag)]
    if kept and not final:
        note(f"{_some(kept)}: nothing but pre-releases", "say prereleases = true to read them")
    if len(final) > MAX_RELEASES:
        note(f"{_some(final)} would be releases; the newest {MAX_RELEASES:,} are read", "mean fewer with `tags`")
        final = list(ordered(final)[-MAX_RELEASES:])
    return tuple(final), tuple(problems)


def passed_over(tags: Sequence[str], chosen: Sequence[str], choice: Choice) -> tuple[Skipped, ...]:
    """Returns the tags that are no releases, by why not."""
    reasons: dict[Reason, list[str]] = {"pre-release": [], "excluded": [], "other": []}
    for tag in ordered(tag for tag in {*tags} - {*chosen} if is_plain(tag)):
        reasons[_why_not(tag, choice)].append(tag)
    return tuple(Skipped(reason=reason, names=tuple(names)) for reason, names in reasons.items() if names)


Reason = Literal["pre-release", "excluded", "other"]


def _why_not(tag: str, choice: Choice) -> Reason:
    if _matches(tag, choice.exclude):
        return "excluded"
    is_meant = _matches(tag, choice.tags) if choice.tags else says_version(tag)
    return "pre-release" if is_meant and is_prerelease(tag) and not choice.prereleases else "other"


Note = Callable[[str, str], None]


def _presentable(tags: Sequence[str], note: Note) -> list[str]:
    shown = [tag for tag in tags if len(tag) <= MAX_NAME and is_plain(tag)]
    if hidden := sorted(ascii(tag)[1:-1][:MAX_NAME] for tag in set(tags).difference(shown)):
        note(f"{_some(hidden)} cannot be shown and are left out", "a release has a short name of visible characters")
    return shown


def _meant(tags: list[str], choice: Choice, note: Note) -> list[str]:
    for pattern in choice.tags:
        if not any(fnmatchcase(tag, pattern) for tag in tags):
            note(f"no tag matches '{pattern}'", f"the repository has {_some(tags)}")
    if choice.tags:
        return [tag for tag in tags if _matches(tag, choice.tags)]
    versions = [tag for tag in tags if says_version(tag)]
    others = [tag for tag in tags if not says_version(tag) and not _matches(tag, choice.exclude)]
    if versions and others:
        note(f"{_some(others)} left out: no version", "name them in `tags` or in `exclude`")
    return versions or others


def _matches(tag: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(tag, pattern) for pattern in patterns)


def _some(tags: Sequence[str]) -> str:
    count = f"{len(tags):,} tag{'' if len(tags) == 1 else 's'}"
    return f"{count} ({', '.join(tags[:5])}{', …' if len(tags) > 5 else ''})" if tags else "no tags"
