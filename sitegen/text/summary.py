"""Returns what a term means in one line: the first sentence of prose of its definition.

Headings, code, formulas, images and tables are no prose. A sentence that announces several senses,
refers to another term or lists synonyms says nothing about a term, so the next one is taken. Notes,
quotations and labels are taken only if a definition has no other prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from lxml import etree

from sitegen.model import Prose
from sitegen.text import labels
from sitegen.text.memo import memo
from sitegen.text.prose import BLOCKS, CODE
from sitegen.text.words import UNSPACED

LIMIT = 140
"""The maximum number of characters of a summary."""
SHORT = 60
"""A sentence of fewer characters is joined with the next one, if there is room for it."""
FEW_WORDS = 4
"""A sentence of at most so many words is joined with the next one in any case: it often spells out
an abbreviation."""
MIN_WORDS = 4
MIN_UNSPACED = 8
"""A list item with so many words, or so many Chinese or Japanese characters, counts as a
sentence."""

PROSE, ASIDE, UNTELLING_TEXT = range(3)
"""The ranks of paragraphs, the best one first."""
NO_PROSE = frozenset("h3 h4 h5 h6 hr pre table dt".split())
NO_PROSE_CLASSES = frozenset({"math", "note-title", "rubric"})
LISTS = frozenset({"ol", "ul", "dl"})
EMPHASIS = frozenset({"strong", "b", "em", "i", "u", "a"})
"""Elements of emphasis, and links. A paragraph that is wholly in one of them may be a label."""
COLONS = (":", "：")

SENTENCE_MARK = r"[.!?…؟۔।。！？][\"'”’»)\]」』）]*$"
SENTENCE_END = re.compile(r"[.!?…؟۔।][\"'”’»)\]]*(?=\s+\S)|[。！？][」』”’）]*")
UNSPACED_END = re.compile(r"[。！？：][」』”’）]*$")
GOING_ON = re.compile(
    r"\s+(?![a-z]\w+(?:\.\w|_|\())[a-zà-öø-ÿа-яё]|(?<=\b[Aa]rt\.)\s+\d|(?<=\bKap\.)\s+\d|(?<=[」』”’）])[のとはをがにでもなや]"
    r"|(?<=\d\.)\s+(?:Januar|Februar|März|April|Mai|Jun|Jul|August|September|Oktober|November|Dezember|Jahrhundert)"
)
"""Matches what follows a full stop that ends no sentence: a small letter, but not that of a name
in code (`torch.nn`), a number, a Japanese particle, a German date."""
ABBREVIATION = re.compile(
    r"(?:^|[\s(’'])(?:e\. ?g|i\. ?e|eg|ie|vs|cf|viz|approx|resp|ca|no|fig|sec|eq|vol|pp|al"
    r"|Dr|Mr|Ms|Mrs|St|[A-Z](?:\.[A-Z])*"
    r"|z\. ?[BT]|d\. ?h|u\. ?a|o\. ?ä|bzw|ggf|evtl|vgl|sog|inkl|usw|Nr|Abs|Abb|Mio|Mrd|bzgl"
    r"|p\. ?ex|p\. ?ej|c\.-à-d|Mme|Sr|Sra|núm|pág|т\. ?[едпк]|др|напр|см|рис|стр)\.$",
    re.I,
)
"""Matches an abbreviation, whose full stop ends no sentence, in English, German, French, Spanish,
Portuguese and Russian."""
LONGEST_ABBREVIATION = 16
"""The number of characters before a sentence end in which to look for an abbreviation."""

_COUNT = (
    r"(?:two|three|four|five|six|\d+|a few|several|many|multiple|various|different|distinct"
    r"|more than one)"
)
COUNTED_SENSES = re.compile(
    r"\b(?:"
    rf"(?:has|have|had|is|are)(?: \w+)? {_COUNT}(?: \w+){{0,2}}?"
    r" (?:senses|meanings|definitions|uses)"
    rf"|(?:means?|refers? to|stands? for|denotes?) {_COUNT}(?: \w+)? (?:things|concepts)"
    rf"|used in {_COUNT}(?: \w+)? (?:senses|ways|contexts)"
    r"|(?:is|are)(?: an?)? (?:ambiguous|overloaded)|(?:ambiguous|overloaded) (?:term|word|name)"
    r")\b",
    re.I,
)
"""Matches where an English sentence counts senses, as in “The word has two meanings.” """
SENSES = (
    r"(?i)\b(?:senses|meanings|definitions|usages|uses|interpretations|contexts|means?|refers? to"
    r"|stands? for|used (?:to|in|for|as)|depending on|there (?:are|is))\b"
    r"|^(?:either|one|any|two|three)\b.{0,40}$"
    r"|\b(?:Bedeutungen|bedeute[nt]|bezeichne[nt]|Definitionen|steh(?:t|en) für|es gibt)\b"
    r"|\b(?:sens|significations|acceptions|définitions|désigner?|signifier?|il y a|il existe)\b"
    r"|\b(?:sentidos|significados|acepciones|acepções|definiciones|definições|significar?)\b"
    r"|\b(?:designar?|se refiere|referirse|refere-se|se referir|hay|há)\b"
    r"|\b(?:значени[яйе]|смысл\w*|означа\w+|обознача\w+|определени[яй])\b"
    r"|معان|معن[ىي]|يعني|يشير|意味|語義|定義|指|含义|意思|意义|定义"
)
"""Matches a sentence before a list that announces its items as senses, in the languages of the
interface."""

NO_SUMMARIES = (*labels.RELATED, *labels.SYNONYMS, *labels.AVOID, *labels.ASIDES)
UNTELLING = re.compile(
    r"[(\[→⇒*–—-]*\s*(?:(?:[Ss]ee|Refer to|Cf\.|Siehe|Vgl\.|Voir|Véase|Ver|Veja|См\.)\s"
    r"|انظر\s|(?:参见|參見|见).{1,40}$|.{1,40}を参照"
    r"|(?i:(?:alias|abbreviations?|acronyms?|type|since|category|tags?|plural|opposites?"
    rf"|{labels.pattern(NO_SUMMARIES)})\s?[:：])"
    r"|(?i:(?:what (?:it|this) (?:is|means)|definition|description|meaning|overview|summary)\W*$))"
)
"""Matches a sentence that says nothing about its term: a reference, a label, a plain heading."""
DEFINITION_LABEL = re.compile(
    r"^(?:definition|description|meaning|définition|definición|definição|definizione|bedeutung"
    r"|beschreibung|определение|定義|定义|説明|정의)\s?[:：]\s?(?=\S)",
    re.I,
)
"""Matches a label before the first sentence."""
BRACKET_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("（", "）"))


@memo
def summary(definition: Prose) -> str:
    """Returns the first sentence of a definition, in at most 140 characters; empty if there is no
    prose."""
    (body,) = etree.HTML(f"<html><body>{definition.html}</body></html>")
    blocks = _blocks(body, SummaryBlock("div"))

    # The first of the blocks with the best rank.
    best, best_rank = "", UNTELLING_TEXT + 1  # worse than any rank
    for block, following in pairwise([*blocks, SummaryBlock("end")]):
        if not block.has_prose:
            continue
        sentences = list(_sentences(DEFINITION_LABEL.sub("", block.text)))
        telling = _without_untelling_start(sentences, following)
        rank = _rank(block, has_telling_sentence=len(telling) > 0)
        if rank < best_rank:
            best, best_rank = _first_sentences(telling or sentences, following), rank
        if rank == PROSE:
            break
    return _shortened(best)


# The paragraphs of a definition.

Style = Literal["plain", "code", "emphasis"]


class SummaryBlock(NamedTuple):
    """A paragraph of a definition, or a place without prose, such as a heading."""

    tag: str
    text: str = ""
    """Its text, with single spaces."""
    styles: frozenset[Style] = frozenset()
    """The styles of its words."""
    is_aside: bool = False
    """True within notes and quotations."""
    is_item: bool = False
    """True within items of lists."""

    @property
    def has_prose(self) -> bool:
        """True if it has words that are no code."""
        return bool(self.styles - {"code"})


StyledText = tuple[str | None, Style]


def _blocks(element: etree._Element, like: SummaryBlock) -> Iterator[SummaryBlock]:
    """Yields the paragraphs in an element, which differ from the block `like` in their texts, and a
    block without text for each place without prose.

    `<li>Holds <p>wood.</p></li>` has a paragraph "Holds " with the tag `li`, and one with the tag
    `p`.
    """
    pieces: list[StyledText] = [(element.text, "plain")]
    for child in element:
        if child.tag in BLOCKS:
            yield from _paragraph(pieces, like)
            pieces = []
            yield from _child_blocks(child, like)
        elif child.tag == "br":
            pieces.append((" ", "plain"))
        else:
            pieces += _styled_texts(child, "plain")
        pieces.append((child.tail, "plain"))
    yield from _paragraph(pieces, like)


def _paragraph(pieces: Iterable[StyledText], like: SummaryBlock) -> Iterator[SummaryBlock]:
    """Yields a paragraph of some texts; nothing if they are empty."""
    whole = ""
    styles: set[Style] = set()
    for text, style in pieces:
        whole += text or ""
        if any(map(str.isalnum, text or "")):
            styles.add(style)
    if whole.strip():
        yield like._replace(text=" ".join(whole.split()), styles=frozenset(styles))


def _child_blocks(child: etree._Element, around: SummaryBlock) -> Iterator[SummaryBlock]:
    """Yields the paragraphs in a block. If it has no prose, yields one block without text."""
    classes = (child.get("class") or "").split()
    if child.tag in NO_PROSE or not NO_PROSE_CLASSES.isdisjoint(classes):
        yield SummaryBlock(child.tag)
        return
    if child.tag in LISTS:
        # It marks where the list begins: the sentence before it may announce the items.
        yield SummaryBlock("list")
    is_note = child.tag == "blockquote" or "note" in classes
    block = SummaryBlock(
        child.tag,
        is_aside=around.is_aside or is_note,
        is_item=around.is_item or child.tag in ("li", "dd"),
    )
    yield from _blocks(child, block)


def _styled_texts(element: etree._Element, style: Style) -> Iterator[StyledText]:
    """Yields the texts of an inline element and its children, without the words of images. Of
    `<em>a <code>b</code></em>`, "a " is in emphasis and "b" in code."""
    classes = (element.get("class") or "").split()
    if "image" in classes:
        return
    if element.tag in CODE or "math" in classes:
        style = "code"
    elif element.tag in EMPHASIS and style == "plain":
        style = "emphasis"
    yield element.text, style
    for child in element:
        yield from _styled_texts(child, style)
        yield child.tail, style


# Which paragraph is the best one.


def _rank(block: SummaryBlock, *, has_telling_sentence: bool) -> int:
    """Returns the rank of a block; the lowest is the best. A block without a sentence that tells
    something ("See saw."), a label ("**What it is**") and an item that is no sentence ("oak") are
    the last; notes, quotations and remarks in brackets are before them."""
    is_fragment = block.is_item and not _is_sentence(block.text)
    if not has_telling_sentence or is_fragment or _is_label(block):
        return UNTELLING_TEXT
    if block.is_aside or re.fullmatch(r"\([^()]*\)\.?", block.text):
        return ASIDE
    return PROSE


def _is_label(block: SummaryBlock) -> bool:
    """True for a paragraph that is a heading or a label: `**What it is**`."""
    if not block.styles or "plain" in block.styles:
        return False
    # All words are in bold or italics, or in links.
    return re.search(SENTENCE_MARK, block.text) is None


def _is_sentence(text: str) -> bool:
    """True for a text that ends like a sentence, or is as long as one: four words, or eight
    characters of a language without spaces."""
    if re.search(SENTENCE_MARK, text) or len(text.split()) >= MIN_WORDS:
        return True
    return UNSPACED.search(text) is not None and len(text) >= MIN_UNSPACED


def _without_untelling_start(sentences: Sequence[str], following: SummaryBlock) -> Sequence[str]:
    """Returns the sentences from the first one on that says something about the term: of "See saw."
    and "A frame.", the second. `following` is the next block."""
    for number, sentence in enumerate(sentences):
        is_before_list = following.tag == "list" and number == len(sentences) - 1
        if UNTELLING.match(sentence):
            continue
        if not _announces_senses(sentence, is_before_list=is_before_list):
            return sentences[number:]
    return ()


def _announces_senses(sentence: str, *, is_before_list: bool) -> bool:
    """True for a sentence that only announces the senses of a term: "It has two meanings.", or "It
    stands for:" above a list."""
    if COUNTED_SENSES.search(sentence):
        return True
    announces_list = is_before_list and not sentence.endswith(".")
    return announces_list and re.search(SENSES, sentence) is not None


def _first_sentences(sentences: Sequence[str], following: SummaryBlock) -> str:
    """Returns the first sentence of a paragraph, with the next one if the first is short."""
    first, *others = sentences

    # "It is:" is joined with the paragraph below it. Above a list it becomes "It is…".
    if first.endswith(COLONS):
        if following.tag == "p" and following.has_prose:
            return _two_sentences(first, next(_sentences(following.text)))
        without_colon = first[:-1]
        return f"{without_colon}…"

    if len(first) >= SHORT or not others:
        return first
    second = others[0]
    if second.endswith(COLONS) or COUNTED_SENSES.search(second) or UNTELLING.match(second):
        return first
    # A few words say too little: the next sentence is added, even if it is cut later.
    both = _two_sentences(first, second)
    is_brief = " " in first and len(first.split()) <= FEW_WORDS
    if is_brief or len(both) <= LIMIT:
        return both
    return first


def _two_sentences(first: str, second: str) -> str:
    """Returns two sentences in one line. Chinese and Japanese have no space between them."""
    if UNSPACED_END.search(first):
        return first + second
    return f"{first} {second}"


# Sentences.


def _sentences(line: str) -> Iterator[str]:
    """Yields the sentences of a paragraph."""
    start = 0
    for match in SENTENCE_END.finditer(line):
        end = match.end()
        sentence = line[start:end]
        is_abbreviation = ABBREVIATION.search(line, max(0, end - LONGEST_ABBREVIATION), end)
        if is_abbreviation or GOING_ON.match(line, end):
            continue
        # A single word at the beginning, as "Deprecated.", is no sentence. Chinese has no spaces,
        # so only ASCII counts.
        is_single_word = start == 0 and " " not in sentence and sentence.isascii()
        if is_single_word or _is_within_brackets(line, start, end):
            continue
        yield sentence.strip()
        start = end
    unfinished_sentence = line[start:].strip()
    if unfinished_sentence:
        yield unfinished_sentence


def _is_within_brackets(line: str, start: int, end: int) -> bool:
    """True if a bracket opens between two places and closes after them, as in "A saw (cuts. Not a
    jig).": the first sentence does not end at "cuts."."""
    for opening, closing in BRACKET_PAIRS:
        opened = line.count(opening, start, end) > line.count(closing, start, end)
        if opened and line.count(closing, end) > line.count(opening, end):
            return True
    return False


def _shortened(text: str) -> str:
    """Returns a text of at most 140 characters. A longer one is cut at a sentence, or at a word
    with an ellipsis after it."""
    if len(text) <= LIMIT:
        return text.rstrip(" ,;")  # of a list item
    cut, _, _ = text[:LIMIT].rpartition(" ")
    cut = cut or text[: LIMIT - 1]  # of one long word, or without spaces
    # "e.g." at the end would look like the end of a sentence.
    if ABBREVIATION.search(cut, max(0, len(cut) - LONGEST_ABBREVIATION)):
        cut, _, _ = cut.rpartition(" ")
    if re.search(SENTENCE_MARK, cut):
        return cut
    return cut.rstrip(" ,;:–—([{（") + "…"
