"""Words that label a part of a definition, a column or a field, in several languages.

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
ASIDES = _listed(
    "antonym, antonyms, etymology, example, examples, further reading, pronunciation, todo"
)
"""Labels of what does not say what a term means."""


def pattern(labels: Iterable[str]) -> str:
    """Returns a regular expression that matches these labels."""
    escaped = [re.escape(label) for label in labels]
    return "|".join(escaped).replace(r"\ ", r"\s").replace("'", "['’]")
