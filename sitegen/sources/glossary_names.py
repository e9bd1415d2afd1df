"""Recognises names of files and folders that contain glossaries, in many languages, and similar names that do not.

Names are compared in lower case and without accents.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath

GLOSSARY = re.compile(
    r"glossa|glosar|terminolog|vocabula|ubiquitous[-_ ]?language|domain[-_ ]?language"
    r"|lexicon|lexikon|lexique|nomenklatur"
    r"|begriff|woordenlijst|ordlist|sanasto|slownik|slovni[kc]|slovar|sozluk|thuat[-_ ]?ngu|abkurzung|abbreviation"
    r"|acronym|(?:^|[^a-z])(?:jargon|terms)(?![a-z]|[^a-z]?(?:and|of|use|service|condition|polic))"
    r"|глоссар|глосар|словар|термин|терміни|用語集|用語|术语|術語|词汇表|詞彙表|용어|معجم|مسرد|المصطلحات|واژه‌نامه|शब्दावली"
    r"|מילון|อภิธานศัพท์",
)
"""Matches anywhere in the name of a folder or the stem of a file."""
CONTEXT = frozenset({"CONTEXT.md"})
"""Files that may contain a glossary as a section, below a heading such as `SECTION`."""
SECTION = re.compile(
    r"(?:[\d.]+\s+)?(?:the\s+|a\s+|our\s+)?(?:glossary(?: of (?:terms|acronyms))?|terminology|terms"
    r"|key (?:terms|concepts)"
    r"|terms and definitions|definitions(?: of terms)?|vocabulary|ubiquitous language|domain language|language"
    r"|glossar|glossaire|glosario"
    r"|glossario|terminologie|terminologia|begriffe|slownik|sozluk|glosariusz"
    r"|abbreviations(?: and acronyms)?|acronyms"
    r"|用語集|用語|术语表?|術語表?|词汇表|용어집?|глоссарий|глосарій|термины|терминология|معجم|مسرد)",
)
"""Matches the heading of a glossary section in a larger file, in lower case and without accents."""

READABLE = frozenset(["", ".htm", ".html", ".markdown", ".md", ".mdx", ".qmd", ".rest", ".rmd", ".rst", ".txt"])
"""Suffixes of files that the formats read by their content."""
ELSEWHERE = re.compile(
    r"fixtures?|node_modules|tests?|testdata|__tests__|specs?-tests?|third[-_]?party|vendor(?:ed)?|archetypes|(?:[a-z]+[-_]|_)?templates?"
    r"|_?layouts|_includes|_?partials|_?themes?|_sources|adrs?|decisions|changelogs?|_?posts|blog|news|archives?|migrations"
    r"|locales?|lc_messages|snapshots|cassettes|components|extensions|images|img|__pycache__|dist|_build|bower_components"
)
"""Folders whose files are not the project's glossary, unless the folder's own name suggests a glossary."""
NO_TERMS = re.compile(
    r"readme|contributing|contributors|license|licence|summary"
    r"|changelog|code[-_]of[-_]conduct|_?template|how[-_]to.*|style[-_]?guide|authors|_sidebar|_header|_footer"
    r"|(?:about|using)[-_](?:this|the)[-_]glossary"
)
"""Stems of files beside term files that define no terms."""

SPARE = frozenset("backup copy deprecated draft example old previous sample test translation unused".split())
"""Words in the stem of a glossary that another one replaces, or that is about translating."""

# ISO 639-1, optionally followed by a region or script: de, pt-BR, zh_Hans, es-419.
LANGUAGE = re.compile(r"([a-z]{2})(?:[-_](?:[a-z]{2}|[a-z]{4}|\d{3}))?", re.IGNORECASE)
LANGUAGES = frozenset(
    "af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km"
    " kn ko ky lt lv mk ml mn mr ms my nb ne nl nn no or pa pl ps pt ro ru si sk sl sq sr sv sw ta te th tl tr"
    " uk ur uz vi zh zu cn jp kr ua br tw".split()
)


def plain(name: str) -> str:
    """Returns a name in lower case, without accents."""
    folded = unicodedata.normalize("NFD", name.casefold().replace("ł", "l").replace("ı", "i").replace("ø", "o"))
    return unicodedata.normalize("NFC", "".join(char for char in folded if not "\u0300" <= char <= "\u036f"))


def suggests_glossary(name: str) -> bool:
    """True if the name of a folder or the stem of a file suggests a glossary."""
    return bool(GLOSSARY.search(plain(name)))


def is_vague(path: str, project: str = "") -> bool:
    """True for a file to be included in others, or whose stem has `terms` and another word.

    Also true for a stem with a word such as `terminology` and two others, and for drafts, samples and old copies.
    Words of the project's name do not count.
    """
    if "includes" in path.split("/")[:-1]:
        return True
    if is_spare(path):
        return True
    words = re.split(r"[^\w]+|_", plain(PurePosixPath(path).stem))
    known = {"domain", "language", "ubiquitous", *re.split(r"[^\w]+|_", plain(project))}
    others = [word for word in words if not GLOSSARY.search(word) and word not in known]
    return len(others) >= (1 if "terms" in words else 2)


def is_spare(path: str) -> bool:
    """True for a file whose stem says that it is a draft, a sample or an old copy, or has a day in it."""
    stem = plain(PurePosixPath(path).stem)
    return not SPARE.isdisjoint(re.split(r"[^\w]+|_", stem)) or bool(
        re.search(r"(?<!\d)20\d\d-?[01]\d-?[0-3]\d", stem)
    )


def is_elsewhere(folder: str) -> bool:
    """True for a folder whose files are not the project's glossary."""
    return folder.startswith(".") or bool(ELSEWHERE.fullmatch(folder.lower()))


def is_beside_terms(name: str) -> bool:
    """True for a README, an index or a template beside files that define one term each."""
    stem = PurePosixPath(name).stem
    return stem in ("index", "_index", "Home") or bool(NO_TERMS.fullmatch(stem.lower()))


def language_of(part: str) -> str:
    """Returns the path component if it is a language code, else an empty string."""
    match = LANGUAGE.fullmatch(part)
    return part if match and match[1].lower() in LANGUAGES else ""
