"""How Arabic counts: six plural forms, and what a number does to the noun and the adjective beside it."""

from __future__ import annotations

from sitegen.site.messages.catalogue import Message

CATEGORIES = ("zero", "one", "two", "few", "many", "other")

TERMS = ("لا مصطلحات", "مصطلح واحد", "مصطلحان", "{count} مصطلحات", "{count} مصطلحًا", "{count} مصطلح")
"""So many terms, as the subject of a sentence or by themselves."""


def plural(count: int) -> str:
    """Returns the plural form of a number by CLDR's rule: above a hundred, as its last two digits say."""
    if count < 3:
        return CATEGORIES[count]
    last = count % 100
    return "other" if last < 3 else "few" if last < 11 else "many"


def forms(*texts: str) -> Message:
    """Returns a message of one text for each form; hundreds may be left to what is said of eleven and more."""
    return dict(zip(CATEGORIES, (*texts, texts[-1])[: len(CATEGORIES)], strict=True))


def counted(sentence: str, nouns: tuple[str, ...]) -> Message:
    """Returns a sentence with a number of things in its gap, `[]`."""
    return forms(*(sentence.replace("[]", noun) for noun in nouns))


def adjective(one: str, *, many: str = "", of: str = "") -> Message:
    """Returns how many things are so, by an adjective alone, or with a noun that it governs.

    `many` is the adjective as it follows eleven and more, where that has an ending of its own.
    """
    two = f"{one}ا {of}" if of else f"{one}ان"
    of = f" {of}" if of else ""
    return forms(
        f"لا {one}{of}",
        f"واحد {one}{of}",
        f"اثنان {two}",
        f"{{count}} {one}ة{of}",
        f"{{count}} {many or one}{of}",
        f"{{count}} {one}{of}",
    )
