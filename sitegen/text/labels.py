"""Words that label a part of a definition, a column or a field, and words for the status of a
deprecated term, in several languages.

None of them is the name of a term. Words that label a part in one glossary and are terms in
another, such as "type", are where they are used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable


def _listed(labels: str) -> tuple[str, ...]:
    """Returns the labels in a text that separates them by commas."""
    return tuple([" ".join(label.split()) for label in labels.split(",")])


SEE_ALSO = _listed(
    """
    see also, siehe auch, voir aussi, véase también, ver también, ver também, veja também,
    vedi anche, zie ook, se även, se også, zobacz też, zobacz także, viz též, смотрите также,
    см. также, 関連項目, 参见, 另请参阅, 另請參閱, انظر أيضا, انظر أيضًا
    """
)
"""Words above or before the names of related terms. They may also stand above other text."""
RELATED = (*_listed("related, related terms, related term, see"), *SEE_ALSO)
"""Labels of the names of related terms."""
SYNONYMS = _listed(
    """
    synonyms, synonym, aliases, other names, other name, alternative names, alternative name,
    alternative terms, alternative term, also known as, also called, aka, synonyme, synonymes,
    sinónimos, sinónimo, sinônimos, sinônimo, sinonimi, sinonimo, синонимы, синоним, 同义词, 同義語,
    동의어
    """
)
"""Labels of other names."""
AVOID = _listed(
    """
    aliases to avoid, avoid, names to avoid, terms to avoid, synonyms to avoid, do not use,
    don't use, non preferred, non preferred terms, deprecated names, deprecated synonyms,
    deprecated terms, forbidden synonyms, forbidden terms, rejected names, rejected synonyms,
    rejected terms, zu vermeiden, nicht verwenden, abgelehnte benennungen, verworfene benennungen,
    à éviter, termes à éviter, evitar, no usar, não usar, избегать, 要消除的别名,
    避免使用, 避免, 避ける, 사용 금지
    """
)
"""Labels of names that must not be used."""
STATUS_OF_NAME = re.compile(r"[(\[（]([^()\[\]（）]*)[)\]）]$")
"""Matches brackets at the end of a name."""
DEPRECATED = _listed(
    """
    deprecated, is deprecated, obsolete, is obsolete, superseded, veraltet, obsolète, déprécié,
    obsoleto, obsoleta, устарел, устарело, устаревший, 已弃用, 已废弃, 廃止, 非推奨
    """
)
"""Words that say that a term is deprecated."""
ASIDES = _listed(
    "antonym, antonyms, etymology, example, examples, further reading, pronunciation, todo"
)
"""Labels of what does not say what a term means."""


def says_deprecated(status: str) -> bool:
    """Returns whether a status is that of a deprecated term: "Obsolete", "deprecated since 2.0"."""
    first_word = re.match(r"\W*(\w+)", status)
    return first_word is not None and first_word[1].lower() in DEPRECATED


def without_status(name: str) -> str:
    """Returns a name without the status at its end: "Rig" for "Rig (deprecated)", but not for "Rig
    (deprecated, use jig)", which says more."""
    status = STATUS_OF_NAME.search(name.rstrip())
    if status and status[1].lower() in DEPRECATED:
        return name[: status.start()].rstrip() or name
    return name


def pattern(labels: Iterable[str]) -> str:
    """Returns a regular expression that matches these labels."""
    escaped = [re.escape(label) for label in labels]
    return "|".join(escaped).replace(r"\ ", r"\s").replace("'", "['’]")
