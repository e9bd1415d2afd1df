"""Language tags, and languages in paths: folders and suffixes such as `fr`, `pt_BR`, `cache.fr.md`
and `zh-cn`."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import chain, takewhile
from pathlib import PurePosixPath
from typing import NamedTuple, TypeVar

from sitegen.config.patterns import WILD, alternatives, literal, matches
from sitegen.config.values import shown

LANGUAGE_CODES = frozenset(
    "af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy "
    "id is it ja ka kk km"
    " kn ko ky lt lv mk ml mn mr ms my nb ne nl nn no or pa pl ps pt ro ru si sk sl sq sr sv sw "
    "ta te th tl tr"
    " uk ur uz vi zh zu".split()
)
LANGUAGE_TAG = r"(?i)([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|\d{3}))?"
"""Matches `fr`, `pt_BR`, `zh-Hans` and `es-419`: a language, a script and a region."""
MISNAMED = dict(
    pair.split(":")
    for pair in "br:pt-BR cn:zh-CN cz:cs dk:da gr:el jp:ja kr:ko sp:es tw:zh-TW ua:uk".split()
)
"""Folders that are named after a country, to the language that is meant."""
LANGUAGE_SUFFIX = re.compile(r"(.+?)[._-]([A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?)")
"""Matches the stem of `cache.fr.md` and of `cache_pt-BR.md`: without language, and the language."""
AMBIGUOUS_SUFFIX = re.compile(r"\*[-_]")
"""In the pattern of translations: their names end with a language after a sign that may separate
words."""
MANY_FILES = 20
"""The number of files from which on one such name is probably no translation."""
LANGUAGE_WRAPPERS = frozenset(
    "content current docs i18n l10n lang languages lc_messages locale locales source src "
    "translated translation translations".split()
)
"""Folders that only some languages of a document are in, in lower case."""
DOCUSAURUS = "docusaurus-plugin-content-"
"""The beginning of the folder of translated documents in Docusaurus, before `docs`."""
CATALOG_SUFFIX = ".po"
GLOSSARY = re.compile(r"([Gg])(?!lossar(?:y|ies))loss?[aá]i?r[a-z]*")
"""Matches "Glossar", "glossaire" and "glosario", but no English word."""
T = TypeVar("T")


class LanguagePath(NamedTuple):
    """The path of a file, without what says its language."""

    path: str
    """Also without the folders that only some languages have."""
    tag: str
    """The tag of the language; empty if the path has none."""

    @property
    def language(self) -> str:
        """The tag without script and region."""
        return self.tag.partition("-")[0]


def without_translations(files: Mapping[str, T]) -> dict[str, T]:
    """Returns the files without the translations that are beside an original.

    >>> without_translations({"cache.md": "1", "cache.fr.md": "2"})
    {'cache.md': '1'}
    """
    originals = {}
    for path, content in files.items():
        stem, dot, suffix = path.rpartition(".")
        original, _, tag = stem.rpartition(".")
        is_translation = f"{original}{dot}{suffix}" in files and language_tag(tag) != ""
        if not is_translation:
            originals[path] = content
    return originals


def language_tag(part: str) -> str:
    """Returns the language tag for the name of a folder or a suffix; empty if it is no language.
    Jekyll calls a folder `_pt_br`; gettext adds a variant to the name, as in `ca@valencia`.

    >>> [language_tag(part) for part in ("pt_br", "_pt_br", "cn", "ca@valencia", "docs")]
    ['pt-BR', 'pt-BR', 'zh-CN', 'ca', '']
    """
    name, _, _ = part.removeprefix("_").partition("@")
    return MISNAMED.get(name.lower()) or _in_usual_spelling(name, LANGUAGE_CODES)


def _in_usual_spelling(tag: str, languages: Container[str]) -> str:
    """Returns a tag in the usual spelling: `zh-Hant-TW` for `zh_hant_tw`. Returns an empty text if
    the tag is of none of these languages."""
    match = re.fullmatch(LANGUAGE_TAG, tag)
    if not match or match[1].lower() not in languages:
        return ""
    language, script, region = match.groups(default="")
    parts = [language.lower(), script.title(), region.upper()]
    return "-".join(filter(None, parts))


def language_trouble(tag: str) -> tuple[str, str] | None:
    """Returns what is wrong with a language tag, and what to write instead; None if it is right by
    BCP 47."""
    from babel import Locale  # loaded only for sites with translations

    right_tag = _in_usual_spelling(tag, Locale("en").languages)
    if tag and tag == right_tag:
        return None
    wanted = "use a tag such as 'fr' or 'pt-BR'"
    similar_tag = MISNAMED.get(tag.lower(), right_tag)
    if similar_tag:
        wanted = f"did you mean '{similar_tag}'?"
    return f"{shown(tag)} is no language", wanted


def language_name(tag: str, *, language: str = "") -> str:
    """Returns the name of a language, such as `português (Brasil)`; the tag if the name is unknown.

    The name is in `language`, by default in the language of the tag.
    """
    from babel import Locale, UnknownLocaleError

    try:
        shown_in = Locale.parse(language or tag, sep="-")
        return Locale.parse(tag, sep="-").get_display_name(shown_in) or tag
    except (UnknownLocaleError, ValueError):
        return tag


def without_language(path: str, patterns: Sequence[str]) -> str:
    """Returns the part of a path that is the same in all languages: without the suffix, and without
    the folders at the beginning that its pattern has literally. A path that no pattern matches is
    returned whole.

    >>> without_language("docs/fr/a/cache.md", ["docs/fr"])
    'a/cache'
    >>> without_language("terms/cache.fr.md", ["terms/**/*.fr.md"])
    'cache'
    """
    for pattern in chain.from_iterable(map(alternatives, patterns)):
        if matches(pattern, path):
            fixed_parts = [*takewhile(lambda part: not WILD.search(part), pattern.split("/"))]
            parts_below = path.split("/")[len(fixed_parts) :]
            if not parts_below:  # the pattern is the path of a file
                return ""
            *folders, name = parts_below
            stem, _ = stem_and_language(name)
            return "/".join([*folders, stem])
    return path


def stem_and_language(name: str) -> tuple[str, str]:
    """Splits the stem of a file's name: `cache.fr.md` is `cache` and the language `fr`, as the name
    has it. The language is empty if the stem has none."""
    stem = PurePosixPath(name).stem
    match = LANGUAGE_SUFFIX.fullmatch(stem)
    if match and language_tag(match[2]):
        return match[1], match[2]
    return stem, ""


def translated_patterns(
    originals: Iterable[str], root: str, files: Iterable[str]
) -> Mapping[str, str]:
    """Returns the pattern of the translated files in each language, by its tag.

    `originals` are the files of a glossary, `root` is its path, and `files` are all files of the
    repository.

    >>> translated_patterns(["docs/en/a.md"], "docs/en", ["docs/en/a.md", "docs/fr/a.md"])
    {'fr': 'docs/fr'}
    >>> translated_patterns(["docs/a.rst"], "docs/a.rst", ["locale/fr/LC_MESSAGES/a.po"])
    {'fr': 'locale/fr/LC_MESSAGES/a.po'}
    """
    original_of = _originals_by_path(originals)
    languages = [split_language(original).language for original in original_of.values()]
    main = next(filter(None, languages), "")  # the language of the originals, if a path says it
    patterns_by_tag: dict[str, Counter[str]] = defaultdict(Counter)
    for path in files:
        file = split_language(path)
        if file.path in original_of and file.language not in ("", main):
            original = original_of[file.path]
            patterns_by_tag[file.tag][_pattern_of_translation(path, original, root)] += 1

    # A language may have several patterns. The one with the most files is used.
    patterns = {}
    for tag, counts in sorted(patterns_by_tag.items()):
        pattern, number = counts.most_common(1)[0]
        # Of many terms, only one ends in `_id` or `-no`: it is the end of a name.
        is_end_of_name = AMBIGUOUS_SUFFIX.search(pattern) and number == 1
        if not (is_end_of_name and len({*original_of.values()}) >= MANY_FILES):
            patterns[tag] = pattern
    return patterns


def _originals_by_path(originals: Iterable[str]) -> Mapping[str, str]:
    """Returns each original by the paths, without language, at which its translations may be:
    `guide/a.md`, `guide/a.po` and `guide.po` for `docs/en/guide/a.md`. Of several originals at one
    path, the first is returned."""
    paths: dict[str, str] = {}
    for original in originals:
        document = PurePosixPath(original)
        possible = [original, str(document.with_suffix(CATALOG_SUFFIX))]
        for folder in document.parents:
            if folder.name:
                # Sphinx writes one catalog for each folder, unless `gettext_compact` is off.
                possible.append(f"{folder}{CATALOG_SUFFIX}")
        for path in possible:
            paths.setdefault(split_language(path).path, original)
    return paths


def _pattern_of_translation(path: str, original: str, root: str) -> str:
    """Returns the pattern for all translated files in one language. `path` is one of these files,
    `original` is what it translates, and `root` is the path of the glossary.

    >>> _pattern_of_translation("docs/fr/a/b.md", "docs/en/a/b.md", "docs/en")
    'docs/fr'
    >>> _pattern_of_translation("terms/cache.fr.md", "terms/cache.md", "terms")
    'terms/**/*.fr.md'
    """
    path_below_root = original.removeprefix(f"{root}/")
    if path_below_root == original:  # the glossary is one file, and so is its translation
        return literal(path)
    file = PurePosixPath(path)
    if path.endswith(CATALOG_SUFFIX) and file.stem != PurePosixPath(original).stem:
        return literal(path)  # a catalog for a whole folder
    stem, language = stem_and_language(file.name)
    if language:  # it is in the names of the files
        ending = file.name.removeprefix(stem)
        return f"{literal(root)}/**/*{literal(ending)}"
    # The language is in a folder. `a/b.md` has two parts, so this is `docs/fr/a/b.md` without two.
    parts_below = path_below_root.count("/") + 1
    folder = path.split("/")[:-parts_below]
    return literal("/".join(folder))


def split_language(path: str) -> LanguagePath:
    """Returns a path without its language, and the tag of the language.

    >>> split_language("i18n/fr/docs/cache.md"), split_language("glossar.md")
    (LanguagePath(path='cache.md', tag='fr'), LanguagePath(path='glossary.md', tag=''))
    """
    *folders, name = path.split("/")
    stem, language = stem_and_language(name)
    tag = language_tag(language)
    other_folders = []
    for folder in folders:
        folder = folder.removeprefix(DOCUSAURUS).removeprefix("_")
        tag_of_folder = language_tag(folder)
        tag = tag or tag_of_folder
        if not tag_of_folder and folder.lower() not in LANGUAGE_WRAPPERS:
            other_folders.append(folder)
    suffix = PurePosixPath(name).suffix.lower()
    return LanguagePath(untranslated("/".join([*other_folders, f"{stem}{suffix}"])), tag)


def untranslated(path: str) -> str:
    """Returns a path with "glossary" for a file or folder that is called so in another language.

    >>> untranslated("docs/glossar.md"), untranslated("terms/glossaire/a.md")
    ('docs/glossary.md', 'terms/glossary/a.md')
    """
    parts = []
    for part in path.split("/"):
        stem, dot, suffix = part.partition(".")
        match = GLOSSARY.fullmatch(stem)
        if match:
            stem = f"{match[1]}lossary"  # with the first letter as it is, "g" or "G"
        parts.append(f"{stem}{dot}{suffix}")
    return "/".join(parts)


def before_language(path: str) -> str:
    """Returns the folder of a path in which the languages are: `docs` of `docs/fr/a/cache.md`."""
    folders = takewhile(lambda part: not language_tag(part), path.split("/")[:-1])
    return "/".join(folders)
