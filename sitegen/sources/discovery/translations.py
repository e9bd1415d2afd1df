"""Finds the translations of a glossary: other files, the earlier paths of these, and languages in
the files of the glossary itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sitegen import formats
from sitegen.config.patterns import literal, matches, one_matches
from sitegen.formats.asciidoc import language_tags
from sitegen.model import Document
from sitegen.sources.discovery.classification import RECORDS
from sitegen.sources.discovery.searched_repository import FoundTranslation, SearchedRepository
from sitegen.sources.git.listing import renames_below
from sitegen.sources.git.process import GitError
from sitegen.sources.language_tags import (
    before_language,
    language_tag,
    split_language,
    translated_patterns,
    without_translations,
)
from sitegen.text.decoding import is_plain
from sitegen.text.file_names import ASCIIDOC_SUFFIXES

LANGUAGE_KEY = re.compile(
    r"""^[ \t]*(?:- )?["']?([a-z]{2}(?:[-_][A-Za-z]{2,4})?)["']?[ \t]*:""", re.MULTILINE
)
"""Matches `fr:` and `"pt-BR":` at the beginning of a line of records."""
MULTILINGUAL_SUFFIXES = (*RECORDS, *ASCIIDOC_SUFFIXES)
"""Suffixes of files that may have several languages."""
MIN_KEYS = 3
"""The minimum number of times that a language is a key in files of records, or a tag in
AsciiDoc."""


def find_translations(glossary_path: str, searched: SearchedRepository) -> list[FoundTranslation]:
    """Returns the translations of the glossary in a file or folder."""
    files = searched.trees.find(searched.newest.tree, literal(glossary_path)).files
    originals = without_translations(files)
    translations: list[FoundTranslation] = []
    try:
        translations += _in_other_files(originals, glossary_path, searched)
    except GitError as error:
        searched.leave_out_paths(error)
    multilingual = {}
    for path, id in originals.items():
        if path.lower().endswith(MULTILINGUAL_SUFFIXES):
            multilingual[path] = id
    translations += _in_same_files(searched.documents(multilingual))
    return translations


def _in_other_files(
    originals: Iterable[str], glossary_path: str, searched: SearchedRepository
) -> Iterator[FoundTranslation]:
    """Yields the translations that are in files of their own."""
    pattern_by_tag = translated_patterns(originals, glossary_path, searched.newest_files)
    if not pattern_by_tag:
        return
    folders = {before_language(pattern) for pattern in pattern_by_tag.values()}
    renamed = renames_below(searched.folder, searched.newest.commit, folders)
    for tag, pattern in pattern_by_tag.items():
        patterns = (pattern, *_former_patterns(tag, pattern, renamed))
        yield FoundTranslation(language=tag, patterns=patterns)


def _former_patterns(tag: str, pattern: str, renamed: Iterable[tuple[str, str]]) -> Sequence[str]:
    """Returns the former patterns of the files of a language, newest first: `docs/jp` for `docs/ja`
    if `renamed` has `docs/jp/a.md` as the former path of `docs/ja/a.md`."""
    language, _, _ = tag.partition("-")
    patterns = [pattern]
    for old, new in renamed:  # newest first, so a folder that moved twice is followed
        is_in_language = split_language(old).language == language
        if not is_in_language or not is_plain(old) or one_matches(patterns, old):
            continue
        for current in patterns:
            if matches(current, new):
                # `/a.md` in the folder `docs/ja`; empty if `current` is the file itself.
                file_below = new.removeprefix(current)
                patterns.append(literal(old.removesuffix(file_below)))
                break
    return patterns[1:]


def _in_same_files(documents: Sequence[Document]) -> Iterator[FoundTranslation]:
    """Yields the languages beside English that are in the files of the glossary itself. Each is a
    key of records, such as `fr:`, or a tag of AsciiDoc, such as `tag::FR[]`."""
    keys = Counter[str]()
    for document in documents:
        if document.path.lower().endswith(RECORDS):
            keys.update(LANGUAGE_KEY.findall(document.text))
        else:
            tags = language_tags(document.text.splitlines())
            keys.update(map(str.lower, tags))
    for key, number in sorted(keys.items()):
        is_language = language_tag(key) == key
        if not is_language or key == "en" or number < MIN_KEYS:
            continue
        if _has_language(documents, key):
            # Without patterns, the language is in the files of the glossary.
            yield FoundTranslation(language=key, patterns=())


def _has_language(documents: Sequence[Document], key: str) -> bool:
    """True if a document has other entries in a language than otherwise. The key `id` may be
    Indonesian or an identifier."""
    for document in documents:
        # A format reads a language as a section.
        in_language = formats.read(replace(document, section=key)).entries
        if in_language and in_language != formats.read(document).entries:
            return True
    return False
