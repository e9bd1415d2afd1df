"""Language tags, and languages in paths: folders and suffixes such as `fr`, `pt_BR`, `cache.fr.md`
and `zh-cn`."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import chain, takewhile
from pathlib import PurePosixPath
from typing import TypeVar

from sitegen.config.patterns import WILD, alternatives, literal, matches
from sitegen.config.values import shown

LANGUAGE_CODES = frozenset(
    "af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy "
    "id is it ja ka kk km"
    " kn ko ky lt lv mk ml mn mr ms my nb ne nl nn no or pa pl ps pt ro ru si sk sl sq sr sv sw "
    "ta te th tl tr"
    " uk ur uz vi zh zu".split()
)
TAG = r"(?i)([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?"
MISNAMED = dict(
    pair.split(":")
    for pair in "br:pt-BR cn:zh-CN cz:cs dk:da gr:el jp:ja kr:ko sp:es tw:zh-TW ua:uk".split()
)
"""Folders that are named after a country, to the language that is meant."""
SUFFIX = re.compile(r"(.+?)[._-]([A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?)")
WRAPPERS = frozenset(
    "_locale content current docs docusaurus-plugin-content-docs docusaurus-plugin-content-pages "
    "i18n l10n lang"
    " languages lc_messages locale locales source src translated translation translations".split()
)
"""Folders that only some languages of a document are in, in lower case."""
CATALOG = ".po"
T = TypeVar("T")


def without_translations(files: Mapping[str, T]) -> dict[str, T]:
    """Returns the files without those that translate another one: `cache.fr.md` beside
    `cache.md`."""

    originals = {}
    for path, content in files.items():
        stem, dot, suffix = path.rpartition(".")
        original, _, tag = stem.rpartition(".")
        is_translation = original + dot + suffix in files and language_tag(tag) != ""
        if not is_translation:
            originals[path] = content
    return originals


def language_tag(part: str) -> str:
    """Returns the language tag that a folder or a suffix stands for: `pt-BR` for `pt_br`; empty if
    it is none."""
    return MISNAMED.get(part.lower()) or _spelled(part, LANGUAGE_CODES)


def _spelled(tag: str, languages: Container[str]) -> str:
    """Returns a tag as it is spelled, if its language is among these; else an empty string."""
    match = re.fullmatch(TAG, tag)
    if not match or match[1].lower() not in languages:
        return ""
    language, script, region = match.groups(default="")
    return "-".join(filter(None, (language.lower(), script.title(), region.upper())))


def language_trouble(tag: str) -> tuple[str, str] | None:
    """Returns what is wrong with a language tag (BCP 47), and what to write; None if it is
    right."""
    from babel import Locale  # loaded only for sites with translations

    spelled = _spelled(tag, Locale("en").languages)
    if tag == spelled:
        return None
    wanted = "use a tag such as 'fr' or 'pt-BR'"
    if near := MISNAMED.get(tag.lower(), spelled):
        wanted = f"did you mean '{near}'?"
    return f"{shown(tag)} is no language", wanted


def native_name(tag: str) -> str:
    """Returns the name of a language in the language itself, such as `português (Brasil)`; the tag
    if unknown."""
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(tag, sep="-").get_display_name() or tag
    except (UnknownLocaleError, ValueError):
        return tag


def without_language(path: str, patterns: Sequence[str]) -> str:
    """Returns the part of a path below its pattern, without language and suffix: all languages have
    it in common."""
    for pattern in chain.from_iterable(map(alternatives, patterns)):
        if matches(pattern, path):
            fixed = [*takewhile(lambda part: not WILD.search(part), pattern.split("/"))]
            *folders, name = path.split("/")[len(fixed) :] or [""]
            return "/".join([*folders, _stem(name)[0]])
    return path


def _stem(name: str) -> tuple[str, str]:
    """Returns the stem of a file's name without a language, and the tag of that language."""
    stem = PurePosixPath(name).stem
    if match := SUFFIX.fullmatch(stem):
        without, suffix = match.groups()
        if tag := language_tag(suffix):
            return without, tag
    return stem, ""


def translated_paths(
    originals: Iterable[str], root: str, files: Iterable[str]
) -> Mapping[str, str]:
    """Returns the pattern of the translated files in each language, by its tag.

    `originals` are the files of a glossary, `root` is its path, and `files` are all files of the
    repository.
    """
    names: dict[str, str] = {}
    for original in originals:
        document = PurePosixPath(original)
        # Sphinx writes one catalog for each folder, unless `gettext_compact` is off.
        folders = [f"{folder}{CATALOG}" for folder in document.parents if folder.name]
        for one in (original, str(document.with_suffix(CATALOG)), *folders):
            names.setdefault(reduced(one)[0], original)
    main = _main_language(names.values())
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for path in files:
        name, tag = reduced(path)
        if name in names and tag.partition("-")[0] not in ("", main):
            pattern = _pattern_of_translation(path, original=names[name], root=root)
            found[tag][pattern] += 1
    patterns = {}
    for tag, several in sorted(found.items()):
        ((patterns[tag], _),) = several.most_common(1)
    return patterns


def _main_language(paths: Iterable[str]) -> str:
    """Returns the language of the first path that has one; empty if none has."""
    for path in paths:
        _, tag = reduced(path)
        if tag:
            return tag.partition("-")[0]
    return ""


def _pattern_of_translation(path: str, *, original: str, root: str) -> str:
    """Returns the pattern of the files in the language of a translated file: a file, or a folder
    if the originals are in the folder `root`."""
    below = original.removeprefix(f"{root}/")
    if below == original:
        return literal(path)
    file = PurePosixPath(path).name
    stem, tag = _stem(file)
    if tag:  # cache.fr.md beside cache.md
        return f"{literal(root)}/**/*{literal(file.removeprefix(stem))}"
    above = path.split("/")[: -below.count("/") - 1]
    return literal("/".join(above))


def reduced(path: str) -> tuple[str, str]:
    """Returns a path without its language and wrappers, and the tag of the language; empty if it
    has none."""
    *folders, name = path.split("/")
    stem, tag = _stem(name)
    kept = []
    for folder in folders:
        tag_of_folder = language_tag(folder)
        tag = tag or tag_of_folder
        if not tag_of_folder and folder.lower() not in WRAPPERS:
            kept.append(folder)
    return "/".join([*kept, stem + PurePosixPath(name).suffix.lower()]), tag


def before_language(path: str) -> str:
    """Returns the folder of a path in which the languages are."""
    folders = takewhile(lambda part: not language_tag(part), path.split("/")[:-1])
    return "/".join(folders)
