"""Finds the translations of a glossary that was found: their files, and where these were before."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from sitegen.config.patterns import literal, matches
from sitegen.formats.asciidoc import language_tags
from sitegen.sources.discovery.choice import FoundGlossary, FoundTranslation
from sitegen.sources.discovery.classification import entries
from sitegen.sources.git.dated_states import SAFE_LOG
from sitegen.sources.git.process import run
from sitegen.sources.language_tags import before_language, language_tag, reduced, translated_paths

RENAMES = ("--find-renames", "--diff-filter=R", "--name-status", "-z", "--format=")
RECORDS = (".json", ".yaml", ".yml")
LANGUAGE_KEY = re.compile(r"""^[ \t]*(?:- )?["']?([a-z]{2}(?:[-_][A-Za-z]{2,4})?)["']?[ \t]*:""", re.MULTILINE)
TABLES = (".csv", ".tsv")
LANGUAGE_TITLE = re.compile(r"[ _.(-]([a-z]{2}(?:[-_][A-Za-z]{2,4})?)\)?\"?(?=[,;\t|\r]|$)")
ASCIIDOC = (".adoc", ".asciidoc", ".asc")
WITHIN = (*RECORDS, *TABLES, *ASCIIDOC)
"""Suffixes of files that may have several languages."""
MIN_KEYS = 3
"""The minimum number of times that a language is a key in files of records, or a tag in AsciiDoc."""


def found_translations(
    glossary: FoundGlossary, originals: Iterable[str], files: Mapping[str, str], *, folder: Path, commit: str
) -> Iterator[FoundTranslation]:
    """Yields the translations of a glossary. `originals` are its files, `files` all those of the commit."""
    paths = translated_paths(originals, glossary.paths[0], files)
    renamed = [*_renames(folder, commit, {before_language(path) for path in paths.values()})] if paths else []
    for tag, pattern in paths.items():
        patterns = {pattern: None}
        for old, new in renamed:
            is_same = reduced(old)[1].partition("-")[0] == tag.partition("-")[0]
            was_here, is_here = (any(matches(one, path) for one in patterns) for path in (old, new))
            if is_same and is_here and not was_here:
                patterns[literal(old.removesuffix(new.removeprefix(pattern)) if new != pattern else old)] = None
        yield FoundTranslation(
            language=tag, patterns=(pattern, *(one for one in patterns if one not in paths.values()))
        )


def _renames(folder: Path, commit: str, folders: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yields the former and the new path of each file that was renamed below the folders, newest first."""
    patterns = [f":(literal){one or '.'}" for one in sorted(folders)]
    output = run(folder, "log", *SAFE_LOG, *RENAMES, "--end-of-options", commit, "--", *patterns)
    names = output.decode("utf-8", "replace").split("\0")
    yield from zip(names[1::3], names[2::3], strict=False)


def languages_within(texts: Sequence[tuple[str, str]]) -> Iterator[FoundTranslation]:
    """Yields the languages of files that have all of them, but for English: records, tables and AsciiDoc."""
    keys = Counter[str]()
    for path, text in texts:
        name = path.lower()
        if name.endswith(RECORDS):
            keys.update(LANGUAGE_KEY.findall(text))
        elif name.endswith(TABLES):
            keys.update(dict.fromkeys(LANGUAGE_TITLE.findall(text.lstrip().partition("\n")[0]), MIN_KEYS))
        else:
            keys.update(tag.lower() for tag in language_tags(text.splitlines()))
    for key, number in sorted(keys.items()):
        is_language = number >= MIN_KEYS and language_tag(key) == key != "en"
        if is_language and any(entries(path, text, key) for path, text in texts):
            yield FoundTranslation(language=key, patterns=())
