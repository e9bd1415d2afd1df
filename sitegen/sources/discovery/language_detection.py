"""Recognizes the language of a glossary, by its script or its frequent words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from sitegen import formats
from sitegen.model import Document

FREQUENT = {
    "de": "der die das und ist ein eine einen den dem des von mit für auf nicht wird oder zu im "
    "sich bei",
    "en": "the of and is to that in for with by are it which this an as be or from can",
    "es": "el la los las de y es un una en que para por con del se al como",
    "fr": "le la les des de et est une un du dans pour qui que par sur ou en au",
    "pt-BR": "o a os as de e é um uma para que por com do da no na em não",
    "ca": "el la els les de i és un una per que amb del dels en",
    "it": "il lo la gli le di e è un una per che con del della dei si nel",
    "nl": "de het een van en is voor met die dat op in wordt te",
    "ro": "de și este o un la cu pentru care din în sau",
    "pl": "i w z na do nie jest się to że jak lub od po przez dla o a",
    "cs": "a v na se je že s z do k pro nebo jako od o který",
    "hr": "i u na je se da za s od koji ili kao",
    "sv": "och att det som en ett är av för med på den till i",
    "da": "og at det som en et er af for med på den til i",
    "hu": "a az és egy hogy nem van vagy",
    "tr": "ve bir bu için ile olarak da de veya olan",
    "id": "yang dan di untuk dengan dari pada ini adalah atau",
    "vi": "là và của các một có cho được trong không",
}
"""The most frequent words of each language: about every third word of a text is one of them."""
MIN_FREQUENT = 8
"""The minimum number of frequent words by which a language is recognized."""
MAX_DOCUMENTS = 60
"""The maximum number of documents that are read to find a language."""


def sample_texts(documents: Sequence[Document]) -> Sequence[str]:
    """Returns names and definitions of documents, by which their language is detected."""
    texts: list[str] = []
    # The last documents have been parsed already, to choose the releases.
    last_first = [*reversed(documents)]
    for document in last_first[:MAX_DOCUMENTS]:
        for entry in formats.read(document).entries:
            texts.append(f"{entry.name} {entry.definition.text}")
    return texts


def detected_language(texts: Iterable[str]) -> str:
    """Returns the language of these texts; empty if it is unknown.

    The letters decide between scripts, and frequent words between languages in Latin letters.
    """
    without_addresses = re.sub(r"\S+://\S+", "", " ".join(texts))
    text = without_addresses.lower()
    letters = _count("[^\\W\\d_]", text)
    # A tenth is enough, as Japanese is written with Chinese characters too.
    if 10 * _count("[\u3041-\u30fa]", text) > letters:
        return "ja"
    # A quarter is enough, as Chinese texts have many English names.
    if 4 * _count("[\u4e00-\u9fff]", text) > letters:
        if _count("[這個為與說學資訊]", text) > _count("[这个为与说学资讯]", text):
            return "zh-Hant"
        return "zh-Hans"
    # Arabic, unless there are letters of Persian, Urdu and others.
    if 2 * _count("[\u0620-\u06ff]", text) > letters:
        if re.search("[پچژگکی]", text):
            return ""
        return "ar"
    # Russian, unless there are letters of Ukrainian, Serbian and others.
    if 2 * _count("[\u0400-\u04ff]", text) > letters:
        has_letters_of_others = re.search("[іїєґўђјљњћџѓќ]", text) is not None
        if re.search("[ыэ]", text) and not has_letters_of_others:
            return "ru"
        return ""
    return _by_frequent_words(re.findall(r"[^\W\d_]+", text))


def _count(pattern: str, text: str) -> int:
    """Returns how often a pattern matches."""
    return len(re.findall(pattern, text))


def _by_frequent_words(words: Sequence[str]) -> str:
    """Returns the language whose frequent words, such as "the", occur most often; empty if there
    are too few. `words` are in lower case."""
    number_of_word = Counter(words)
    numbers = {}
    for language, frequent in FREQUENT.items():
        numbers[language] = sum(number_of_word[word] for word in frequent.split())
    best = max(numbers, key=lambda language: numbers[language])
    enough = max(MIN_FREQUENT, len(words) // 10)
    # A text that has more than half as many frequent words of English may be in either language.
    if best != "en":
        enough = max(enough, 2 * numbers["en"])
    if numbers[best] < enough:
        return ""
    return best
