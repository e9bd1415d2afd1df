"""Recognizes names of files and folders that contain glossaries, in many languages, and similar
names that do not.

Also finds the language and the version in a path. Paths are relative to the repository. Names are
compared in lower case and without accents.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from os.path import commonpath
from pathlib import PurePosixPath
from typing import NamedTuple

from sitegen import formats
from sitegen.sources.language_tags import (
    language_tag,
    stem_and_language,
    untranslated,
    without_translations,
)
from sitegen.text.decoding import is_plain
from sitegen.text.file_names import (
    ASCIIDOC_SUFFIXES,
    DOCUMENT_SUFFIXES,
    INDEX_STEMS,
    UNREAD_DOCUMENTS,
)
from sitegen.text.release_names import is_version, parse_label

MAX_NAMES = 200_000
"""Size of the cache of names: most names occur at every release. Without the cache, init takes a
fifth longer in a repository of 30,000 files."""

GLOSSARY_NAME = (
    r"glossa|glosar|terminolog|vocabula|ubiquitous[-_ ]?language|domain[-_ ]?language"
    r"|lexicon|lexikon|lexique|nomenklatur|thesaur"
    r"|terms[-_ ]and[-_ ]definitions"
    r"|begriff|woordenlijst|ordlist[ae]|sanasto|slownik|slovni[kc]|slovar|sozluk|thuat[-_ "
    r"]?ngu|abkurzung|abbreviation"
    r"|acronym|(?:^|[^a-z])(?:jargon|terms)(?![a-z]|[^a-z]?(?:and|of|use|service|condition|polic))"
    r"|глоссар|глосар|словар|термин|терміни|用語集|用語|术语|術語|词汇表|詞彙表|용어|معجم|مسرد|المصطلحات|واژه‌نامه|शब्दावली"
    r"|מילון|อภิธานศัพท์"
)
"""Matches anywhere in the name of a folder or the stem of a file."""
CONTEXT_FILES = frozenset({"CONTEXT.md"})
"""Files that may contain a glossary as a section, below a heading such as `SECTION_HEADING`."""
SECTION_HEADING = (
    r"(?:[\d.]+\s+)?(?:the\s+|a\s+|our\s+)?(?:glossary(?: of (?:terms|acronyms))?|terminology|terms"
    r"|key (?:terms|concepts)"
    r"|terms and definitions|definitions(?: of terms)?|vocabulary|ubiquitous language|domain "
    r"language|language"
    r"|glossar|glossaire|glosario"
    r"|glossario|terminologie|terminologia|begriffe|slownik|sozluk|glosariusz"
    r"|abbreviations(?: and acronyms)?|acronyms"
    r"|用語集|用語|术语表?|術語表?|词汇表|용어집?|глоссарии|глосаріи|термины|терминология|معجم|مسرد)"
)
"""Matches the heading of a glossary section in a larger file, in lower case and without accents."""

PAGE_SUFFIXES = frozenset(DOCUMENT_SUFFIXES) - {".txt"}
"""Suffixes of files that may define one term each."""
DATA_SUFFIXES = frozenset({".csv", ".json", ".tsv", ".yaml", ".yml"})
"""Suffixes of files that may have a part of the terms each, in a folder such as `terms`."""
TEXT_SUFFIXES = PAGE_SUFFIXES.difference(ASCIIDOC_SUFFIXES)
"""Suffixes of texts that may have a section of terms, such as a README."""
OTHER_FOLDERS = (
    r"fixtures?|node_modules|tests?|tests[-_].+|test_.+|test-?(?:artifacts|cases?|data|files?|fixtures?|resources?|suites?)"
    r"|__tests__|specs?-tests?|third[-_]?party|vendor(?:ed)?|archetypes|(?:[a-z]+[-_]|_)?templates?"
    r"|_?layouts|_includes|_?partials|_?themes?|_sources|adrs?|decisions|(?:\w+[-_])?decision[-_](?:log|records?)|changelogs?|_?posts|_drafts|blog|news|archives?|migrations"
    r"|locales?|lc_messages|snapshots|cassettes|components|extensions|images|img|__pycache__|dist|_build|bower_components|_?te?mp"
)
"""Folders whose files are not the project's glossary."""
NO_TERMS = (
    r"readme|contributing|contributors|license|licence|summary"
    r"|changelog|code[-_]of[-_]conduct|_?template|how[-_]to.*|style[-_]?guide|authors|_sidebar|_header|_footer"
    r"|(?:about|using)[-_](?:this|the)[-_]glossary"
)
"""Stems of files beside term files that define no terms."""
PROGRAM_SUFFIX = re.compile(r"\.(?:component|lagda|module|schema|spec|stories|test|tpl)$")
"""The end of the stem of a file of a program: `glossary.component.html`."""
SPARE_WORDS = frozenset(
    """
    backup config configuration copy deprecated draft example old policy previous sample schema
    settings test translation unused
    """.split()
)
"""Words in the name of a file that is a copy, a draft or an example of a glossary, or is about
translating it, or about its tools."""
PLAIN_LETTERS = str.maketrans("łıø", "lio")
"""The plain forms of letters that do not decompose, such as `l` for `ł`."""
NEXT_FOLDERS = frozenset({"draft", "latest", "next"})
"""Names of folders for unreleased or latest versions, beside those of numbered versions."""


def plain(name: str) -> str:
    """Returns a name in lower case, without accents."""
    folded = unicodedata.normalize("NFD", name.casefold().translate(PLAIN_LETTERS))
    return unicodedata.normalize("NFC", re.sub("[\u0300-\u036f]", "", folded))


def suggests_glossary(name: str) -> bool:
    """True if the name of a folder or the stem of a file suggests a glossary.

    >>> [suggests_glossary(name) for name in ("glossary", "begriffe", "terms-of-use")]
    [True, True, False]

    A list of words, often for a spelling checker, is no glossary:

    >>> suggests_glossary("ordlista"), suggests_glossary("spelling_wordlist")
    (True, False)
    """
    return bool(re.search(GLOSSARY_NAME, plain(name)))


def is_called_glossary(path: str) -> bool:
    """True for a path that has the word glossary, in one of many languages."""
    return bool(re.search(r"glos+a|глос+ар", plain(path)))


def is_context(path: str) -> bool:
    """True for the glossary of one context (`CONTEXT.md`). A repository may have several contexts,
    in which one name means different terms."""
    return PurePosixPath(path).name in CONTEXT_FILES


@cache
def readable() -> frozenset[str]:
    """Returns the suffixes of files that a format can read."""
    return frozenset({"", ".xml", *DOCUMENT_SUFFIXES, *formats.suffixes()})


@lru_cache(maxsize=MAX_NAMES)
def may_be_glossary(path: str) -> bool:
    """True for the path of a file that may be a glossary, or one file of a glossary in a folder.

    >>> [may_be_glossary(f"docs/{name}") for name in ("glossary.md", "glossary/saw.md", "saw.md")]
    [True, True, False]
    """
    *folders, name = path.split("/")
    if name.startswith(".") or not is_plain(path):
        return False
    if any(map(is_skipped, folders)):
        return False
    if PROGRAM_SUFFIX.search(PurePosixPath(name).stem.lower()):
        return False
    suffix = PurePosixPath(name).suffix.lower()
    if suggests_glossary(PurePosixPath(name).stem) or name in CONTEXT_FILES:
        return suffix in readable() or suffix in UNREAD_DOCUMENTS
    if is_data_file(path):
        return any(map(suggests_glossary, folders[-1:]))
    return suffix in PAGE_SUFFIXES and any(map(suggests_glossary, folders))


def is_data_file(path: str) -> bool:
    """True for a table, or for a file of records."""
    return PurePosixPath(path).suffix.lower() in DATA_SUFFIXES


def is_vague(path: str, project: str = "") -> bool:
    """True if a file's name does not say clearly that it is the project's glossary. The file may be
    a draft, a sample or an old copy, or have a name with words that are not of the project.

    >>> [is_vague(f"{stem}.md", "shop") for stem in ("shop-terms", "search-terms", "old-glossary")]
    [False, True, True]
    """
    file = PurePosixPath(path)
    words = _words(file.stem)
    if not SPARE_WORDS.isdisjoint(words) or "includes" in file.parent.parts:
        return True
    neutral = {"definitions", "domain", "language", "ubiquitous", *_words(project)}
    others = [word for word in words if word not in neutral and not re.search(GLOSSARY_NAME, word)]
    allowed = 1  # "web-glossary" may be that of the project
    if "terms" in words:  # "search-terms" are probably other terms
        allowed = 0
    return len(others) > allowed


def _words(name: str) -> list[str]:
    """Returns the words of a name, in lower case and without accents."""
    return re.split(r"[^\w]+|_", plain(name))


def is_beside_terms(name: str) -> bool:
    """True for a README, an index or a template beside files that define one term each."""
    stem = PurePosixPath(name).stem
    return stem in (*INDEX_STEMS, "Home") or bool(re.fullmatch(NO_TERMS, stem.lower()))


def beside_terms(paths: Collection[str]) -> frozenset[str]:
    """Returns the paths of READMEs, indexes and templates beside files of one term each, such as
    `index.md`, but not `cache/index.md`, which is alone in its folder: the file of a term.

    >>> sorted(beside_terms(["README.md", "index.md", "bit.md", "cache/index.md"]))
    ['README.md', 'index.md']
    """
    folders = Counter([str(PurePosixPath(path).parent) for path in paths])
    root = "."
    if folders:
        root = commonpath(folders) or "."
    beside = set()
    for path in filter(is_beside_terms, paths):
        file = PurePosixPath(path)
        folder = str(file.parent)
        is_alone = folders[folder] == 1 and folder != root
        if not (is_alone and file.stem in INDEX_STEMS):
            beside.add(path)
    return frozenset(beside)


def is_skipped(folder: str) -> bool:
    """True for the name of a folder whose files are not the project's glossary."""
    return folder.startswith(".") or bool(re.fullmatch(OTHER_FOLDERS, folder.lower()))


def is_main_language(code: str) -> bool:
    """True for English, and for a path without a language."""
    return code == "" or code.lower().startswith("en")


def is_version_folder(name: str) -> bool:
    """True if the name of a folder says clearly that it has the documents of one version."""
    if name in NEXT_FOLDERS or name.startswith("version-"):
        return True
    label = parse_label(name)
    return label.scheme != "word" and label.family in ("", "docs")  # `1.2`, `docs-1.2`


def by_folder(files: Mapping[str, str]) -> Mapping[str, Mapping[str, str]]:
    """Groups files by their glossary: a folder whose name suggests one, or else the file itself.
    Data is no part of a folder with pages, with data that is called glossary, or with translations.

    `{"docs/glossary": {"docs/glossary/byte.md": …}, "terms.md": {"terms.md": …}}`
    """
    places: dict[str, dict[str, str]] = defaultdict(dict)
    data: dict[str, dict[str, str]] = defaultdict(dict)
    for path, id in sorted(files.items()):
        file = PurePosixPath(path)
        if file.suffix.lower() in PAGE_SUFFIXES:
            places[_glossary_folder(path) or path][path] = id
        elif is_data_file(path) and suggests_glossary(file.parent.name):
            data[str(file.parent)][path] = id
        else:
            places[path][path] = id
    for folder, group in data.items():
        named = [path for path in group if suggests_glossary(PurePosixPath(path).stem)]
        if named:
            places.update({path: {path: group[path]} for path in named})
        elif len(group) > 1 and folder not in places and not _has_translations(group):
            places[folder] = group
    groups = {}
    for place, group in places.items():
        originals = without_translations(group)
        if len(originals) == 1:  # a folder with a single file is not a folder of term files
            [place] = originals
        groups[place] = originals
    return groups


def _has_translations(data: Collection[str]) -> bool:
    """True if more than a tenth of the files of a folder are called like languages: `fr.json`. Of
    many terms, a few may be called so: `ca.yaml`."""
    languages = [path for path in data if language_tag(PurePosixPath(path).stem)]
    return 10 * len(languages) > len(data)


def _glossary_folder(path: str) -> str:
    """Returns the path of the first folder that is called like a glossary, with folders of a
    language or a version right below it; empty if there is none.

    >>> _glossary_folder("docs/glossary/fr/a/cache.md")
    'docs/glossary/fr'
    """
    *folders, _ = path.split("/")
    parts: list[str] = []
    is_in_glossary = False
    for folder in folders:
        if is_in_glossary and not language_tag(folder) and not is_version(folder):
            break
        parts.append(folder)
        if suggests_glossary(folder):
            is_in_glossary = True
    if not is_in_glossary:
        return ""
    return "/".join(parts)


class PathVariant(NamedTuple):
    """A path, with the parts in it that say a language or a version."""

    generic_path: str
    """The path without language and version: the same for all of them."""
    language: str
    """The folder or the suffix of its language; empty if it has none."""
    version: str
    """The folder of its version; empty if it has none."""


def path_variant(path: str) -> PathVariant:
    """Splits a path into its language, its version, and the path without both.

    >>> path_variant("versioned_docs/version-1.2/glossary.fr.md")
    PathVariant(generic_path='docs/glossary.md', language='fr', version='version-1.2')
    """
    parts = path.split("/")
    version = _version_in(parts[:-1])
    language = next(filter(language_tag, parts), "")  # that of a folder
    file = PurePosixPath(parts[-1])
    if file.suffix and not language:  # the name of a folder may end like that of a language
        stem, language = stem_and_language(file.name)
        parts[-1] = f"{stem}{file.suffix}"

    generic_parts = []
    for part in parts:
        if part == "versioned_docs":  # Docusaurus has the newest version in `docs`
            generic_parts.append("docs")
        elif part not in (language, version):
            generic_parts.append(part.removeprefix("_"))  # a collection of Jekyll: `_glossary`
    generic_path = "/".join(generic_parts)
    if not is_main_language(language):  # `fr/glossaire.md` is `glossary.md`
        generic_path = untranslated(generic_path)
    return PathVariant(generic_path, language, version)


def _version_in(folders: Sequence[str]) -> str:
    """Returns the first version folder, or the last of several in each other: `2.1` in `v2/2.1/a`.
    It is empty if there is none."""
    version = ""
    for folder in folders:
        if is_version_folder(folder):
            version = folder
        elif version:
            break
    return version
