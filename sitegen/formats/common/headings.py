"""Classifies headings by their words, and computes their anchors on published pages.

It has lists of words that are not terms, for all formats that have to guess. Words that a glossary
may define (an index, a license) are only evidence against a document that does not call itself a
glossary.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from sitegen.text import labels
from sitegen.text.words import folded_words

GLOSSARY = re.compile(
    r"\bgloss?[aá]i?r|terminolog|[vw]o[ck]abular|lexi[ck]on|\blexique\b|\bléxico\b|nomenclature|\bjargon\b|\bacronyms\b"
    r"|\babbreviations\b|\bbegriffe\b|\b(?:terms|words|definitions|concepts)\b|ubiquitous.language|\bdictionary\b"
    r"|\bbegrippenlijst|\bwoordenlijst|\bsłowni|\bslovn[ií]|\bsözlü[kğ]"
    r"|\bordlist[ae]\b|\bsanasto\b|\bthuật ngữ"
    r"|\babk(?:ü|ue)rzung|\bвокабуляр|\bтермин|глос[с]?ар|словар|γλωσσάρι|מונחים|معجم|مصطلحات|قاموس"
    r"|用語|术语|術語|词汇|詞彙"
    r"|名词解释|名詞解釋|名词定义|名詞定義|词典|용어|शब्दावली|อภิธานศัพท์",
    re.I,
)
"""Words in a title that identify a glossary."""
ABBREVIATIONS = (
    r"(?i)(?:\w+ ){0,4}(?:acron[iyý]m|abbr[eé]v|abr[eé]v|abk(?:ü|ue)rz|skrót|zkrat"
    r"|sigl|afkort|förkort|сокращ|аббрев"
    r"|\w{0,4}(?:略語|缩写|縮寫|약어))\w*(?: [^\W\d_]+){0,2}"
)
"""The heading of a list of abbreviations, in a glossary whose other terms have headings."""
GLOSSARY_HEADING = re.compile(
    r"(?:the |our |project |domain |ubiquitous )?"
    r"(?:glossary|terminology|vocabulary|definitions|language)"
    r"(?: of (?:\w+ )?(?:terms|concepts|acronyms)| (?:and|&) \w+(?: guide)?)?"
    r"|(?:key )?terms(?: and definitions)?"
    r"|glossar|glossaire|glosario|glossário|glossario|begriffe|woordenlijst|słowni(?:k|czek)(?: "
    r"pojęć)?"
    r"|begriffsdefinitionen|(?:termes et )?définitions|(?:términos y )?definiciones|(?:termos e "
    r")?definições"
    r"|глоссарий|словарь|(?:термины и )?определения"
    r"|用語(?:集|一覧|の?定義)|术语(?:表|定义|与定义|和定义)?|術語(?:表|定義)?|용어(?:집|\s?정의)",
    re.I,
)
"""The heading of the one section of a larger document that is a glossary."""
LETTER = re.compile(
    r"[-–—*.:\[(\s]*(?:letter )?[^\W\d_](?: ?[-–—/,] ?[^\W\d_])*[-–—*.:\])\s]*"
    r"|0 ?[-–—] ?9|#|symbols|numbers|numerals",
    re.I,
)
"""A heading of an alphabetical index: "A", "A–C", "0-9", "Symbols"."""


def _folded(headings: str) -> frozenset[str]:
    """Returns the folded words of headings in a text that separates these by commas."""
    on_one_line = " ".join(headings.split())
    return frozenset(map(folded_words, on_one_line.split(", ")))


SEE_ALSO = frozenset(map(folded_words, labels.SEE_ALSO))
AUXILIARY = SEE_ALSO | _folded(
    """
    contents, table of contents, toc, on this page, introduction, preface,
    further reading, image credits, photo credits, picture credits, how to use this glossary,
    using this glossary, einleitung, introducción, introdução, introduzione, wstęp, введение,
    はじめに, 前言, 引言, external links, useful links, contributing, how to contribute,
    acknowledgements, acknowledgments, about this glossary, about this document, revision history,
    other glossaries, sommaire,
    pour aller plus loin, ressources complémentaires, inhalt, inhaltsverzeichnis,
    weiterführende links, weiterführende informationen, índice, contenido, conteúdo,
    enlaces externos, sommario, indice, spis treści, содержание, оглавление, 目次, 目录, 目錄,
    相关文档, 相关链接, 相關連結, 延伸阅读, 延伸閱讀, 関連ドキュメント, 関連リンク, 목차, 관련 문서,
    관련 링크, 추가 읽을거리
    """
)
"""Auxiliary headings, which are never terms. A translation may have one in brackets after its
own."""
OF_A_LANGUAGE = re.compile(
    r"(?:\d+ )?(?:example dialog(?:ue)?|(?:flagged|known|open|resolved|cross \w+) ambiguities)\b.*"
)
"""An auxiliary heading of a ubiquitous language, folded: "7. Flagged ambiguities", "Example
dialogue (updated)"."""
MAYBE_AUXILIARY = _folded(
    """
    intro, disclaimer, references, bibliography, contributors, changelog, change log, footnotes,
    relationships, conclusion, conclusions, conclusión, conclusão, conclusione, fazit, références,
    bibliographie, referencias, bibliografía, referências, literatur, quellen, riferimenti,
    заключение, 索引, 参考文献, 参考资料, 更新履歴, 更新日志, purpose, related documentation,
    related documents, version history, document history, todo, overview
    """
)
"""Headings that are auxiliary in one glossary and terms in another."""
RULES = re.compile(
    r".*(?:言語|用語|术语|術語).{0,4}(?:ルール|規約|方針|规则|规范|約束|约束|規則|規範)"
    r"|(?:usage|naming|writing) (?:rules|conventions)"
    r"|glossary (?:format|guidelines|maintenance|metrics)\b.*|\w+ing (?:the|this) glossary"
)
"""A heading of rules on how to use the terms, folded; it may be one of the terms."""
PICTURES = r"(?:[\u2600-\u27bf\u2b50\U0001f000-\U0001faff][\ufe0f\u200d]*)+"
PICTURE = re.compile(rf"^{PICTURES}\s*(?=\S)|(?<=\S)\s*{PICTURES}$")
"""A picture before or after the words of a heading: "🎯 Purpose"."""
MANUAL = MAYBE_AUXILIARY | _folded(
    """
    installation, install, installing, usage, getting started, quick start, quickstart, setup,
    requirements, prerequisites, features, examples, example, documentation, support, license,
    licence, credits, authors, faq, roadmap, development, testing, tests, building, contact,
    configuration, summary, background, motivation, unreleased, added, changed,
    fixed, how it works, troubleshooting, conclusion, next steps, community, abbreviation, acronym,
    attention, category, context, default, links, origin, reference, source, sources, status, type,
    update
    """
)
"""Headings of a manual or a change log, and words that label a part of a definition in one glossary
and are terms in another."""
LABELS = _folded(
    """
    note, notes, warning, tip, caution, important, hint, definition, description, meaning, usage,
    use, e g, i e, deprecated, remark
    """
).union(map(folded_words, (*labels.RELATED, *labels.SYNONYMS, *labels.AVOID, *labels.ASIDES)))
"""Words that begin a part of a definition."""
QUESTION = (
    r"(?:what (?:is|are|does)|was (?:ist|sind)|wat (?:is|zijn)|qu['’]est[- ]ce qu(?:e "
    r"|['’])|[¿]?qué (?:es|son)"
    r"|o que (?:é|são)|(?:che )?cos['’ ]?[eè]|что такое|czym jest|co to jest) ?"
    r"(?:(?:an?|the|eine?|der|die|das|de|het|een|une?|"
    r"las?|les?|los?|el|unas?|unos?|uma?|os?|as?|il|uno?) |l['’])?"
    r"(?P<before>[^?？]+?)(?: mean)? ?[?？]|(?:什么是|什麼是|何谓) ?(?P<chinese>[^?？]+)[?？]"
    r"|(?P<after>[^?？]+?) ?"
    r"(?:是什么|是什麼|的含义是什么|とは(?:何ですか|何か|なんですか)?|"
    r"(?:이란|란)(?: 무엇인가요?)?)[?？]"
)
"""A title that asks for the meaning of a term: "What is a jig?", "什么是锯？"."""
WITH_ACRONYM = r"(.*?)\s*([(（][^()（）]+[)）])"
"""A title with an acronym in brackets at its end."""
NOT_A_NAME = r"(?i)\[?v?\d+\.\d+|\d{4}-\d\d|\d+[.)] |(?:how|why|what|when)\b.* |.*[?!]$"
"""A version, a date, a number, a question: "[1.2.0]", "2024-05-01", "1. Install", "How to help"."""
NUMBER = re.compile(r"^\d{1,3}(?:[.)]|(?:\.\d{1,3})+\.?) +(?=\S)")
"""The number of a section: "1. Jig", "2.1 Saw"."""
MAX_WORDS = 8
"""The maximum number of words of a name in a document that does not call itself a glossary."""


HeadingKind = Literal["", "letter", "auxiliary", "doubtful"]


class Heading(NamedTuple):
    """A heading as it is found in a text."""

    level: int
    name: str
    line: int = 0


def title_of(found: Sequence[Heading]) -> str:
    """Returns the name of the first heading if all others are below its level. Otherwise the
    document has no title, and the result is empty.

    >>> title_of([Heading(1, "Words"), Heading(2, "Saw")])
    'Words'
    >>> title_of([Heading(1, "Nail"), Heading(1, "Saw")])
    ''
    """
    if not found:
        return ""
    title, *others = found
    if any(other.level <= title.level for other in others):
        return ""
    return title.name


def heading_kind(text: str) -> HeadingKind:
    """Returns the kind of a heading that is not a term; empty for other headings.

    >>> [heading_kind(text) for text in ("A–C", "See also", "References", "Why use a jig?", "Jig")]
    ['letter', 'auxiliary', 'doubtful', 'doubtful', '']
    """
    text = NUMBER.sub("", without_pictures(text))
    if LETTER.fullmatch(text):
        return "letter"
    if _is_auxiliary(text):
        return "auxiliary"
    folded = folded_words(text)
    # A question may be the heading of a term: `term_asked_for` returns "jig" for "What is a jig?",
    # but "Why use a jig?" as it is.
    asks_for_no_term = text.endswith(("?", "？")) and term_asked_for(text) == text
    if asks_for_no_term or folded in MAYBE_AUXILIARY or RULES.fullmatch(folded):
        return "doubtful"
    return ""


def without_pictures(heading: str) -> str:
    """Returns the words of a heading without the pictures before and after them."""
    return PICTURE.sub("", heading)


def _is_auxiliary(text: str) -> bool:
    """Returns whether a heading is auxiliary, also if only the words in brackets at its end are:
    "さらに (further reading)"."""
    translated = re.fullmatch(WITH_ACRONYM, text)
    if translated and folded_words(translated[2]) in AUXILIARY:
        return True
    folded = folded_words(text)
    return folded in AUXILIARY or OF_A_LANGUAGE.fullmatch(folded) is not None


def could_be_name(text: str) -> bool:
    """Returns whether a heading may be a term even in a document that does not call itself a
    glossary: it has few words, and is no heading of a manual."""
    if _is_auxiliary(text) or folded_words(text) in MANUAL or re.match(NOT_A_NAME, text):
        return False
    return len(text.split()) <= MAX_WORDS


def is_label(text: str) -> bool:
    """Returns whether a word is a label, which begins a part of a definition."""
    return folded_words(text) in LABELS


def term_asked_for(title: str) -> str:
    """Returns the term that a title asks for. A title that is no question is unchanged.

    >>> term_asked_for("What is a jig?"), term_asked_for("What is a jig? (J)")
    ('jig', 'jig (J)')
    """
    words, acronym = title, ""
    with_acronym = re.fullmatch(WITH_ACRONYM, title)
    if with_acronym:
        words, acronym = with_acronym.groups()
    question = re.fullmatch(QUESTION, words, re.I)
    if question is None:
        return title
    term = question["before"] or question["chinese"] or question["after"]
    return f"{term.strip()} {acronym}".rstrip()


def anchors_on_sites(anchor: str, *, earlier: int) -> tuple[str, ...]:
    """Returns the anchors of a heading on GitHub, and on sites that merge repeated hyphens: for
    `a--b` and one earlier heading with this anchor, `a--b-1` and `a-b-1`."""
    on_github = f"{anchor}-{earlier}" if earlier else anchor
    with_merged_hyphens = re.sub("-{2,}", "-", on_github).strip("-")
    return tuple(filter(None, dict.fromkeys((on_github, with_merged_hyphens))))
