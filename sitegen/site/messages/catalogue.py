"""A catalogue: the texts of the interface in one language, its plural forms, and how it writes dates and lists.

Text from a glossary is in the glossary's language, which may differ from the interface's and run the other way.
Such text is marked with its language and isolated (`<bdi>`) wherever it is part of a message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Literal

from markupsafe import Markup, escape

from sitegen.site.messages.po import Message

Direction = Literal["ltr", "rtl"]

# Hebrew, Arabic and their neighbours in Unicode, and the signs that turn the direction of a text.
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_RIGHT_TO_LEFT_ONLY = re.compile(f"(?:{_RIGHT_TO_LEFT.pattern}| )+")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Catalogue:
    """The interface in one language. Compared and hashed by identity, so that caches can use it as a key."""

    language: str
    glossary: str = ""
    """The language of the glossary, if the interface has another one."""
    direction: Direction
    plural: Callable[[int], str]
    """Returns the plural form that a number takes, as the name of a CLDR category."""
    messages: Mapping[str, Message]

    def say(self, key: str, count: int | None = None, **values: object) -> Markup:
        """Returns a message with its gaps filled, as HTML. A count chooses the plural form and fills `{count}`."""
        message = self._message(key, count)
        if not values:
            return _without_gaps(message, count)
        for name, value in values.items():
            if type(value) is str:
                values[name] = self.text(value)
        # Markup would escape again, one gap at a time in Python: this is asked some fifty times for each page.
        return Markup(_with_gaps(message).format(count=count, **values))  # noqa: S704

    def tell(self, key: str, count: int | None = None, **values: object) -> str:
        """Returns the same in plain words, for the places that know no markup."""
        return " ".join(self._message(key, count).format(count=count, **values).split())

    def _message(self, key: str, count: int | None) -> str:
        message = self.messages[key]
        if isinstance(message, str):
            return message
        assert count is not None, f"{key} has plural forms and needs a count"
        return message[self.plural(count)]

    def forms(self, key: str, **values: str) -> Mapping[str, Markup]:
        """Returns the plural forms of a message by category, for a script that will know the `{count}`."""
        message = self.messages[key]
        assert not isinstance(message, str), f"{key} has no plural forms"
        filled = {name: escape(value) for name, value in values.items()}
        return {form: escape(text).format(count=Markup("{count}"), **filled) for form, text in message.items()}

    def text(self, words: str) -> Markup:
        """Returns words of the glossary as HTML, apart from those around them where they may run the other way."""
        if isinstance(words, Markup):
            return words
        if self.glossary:
            return Markup(f'<bdi lang="{escape(self.glossary)}">{escape(words)}</bdi>')  # noqa: S704
        return Markup("<bdi>{}</bdi>").format(words) if self._runs_otherwise(words) else escape(words)

    def _runs_otherwise(self, words: str) -> bool:
        if self.direction == "rtl":
            return not _RIGHT_TO_LEFT_ONLY.fullmatch(words)
        return not words.isascii() and bool(_RIGHT_TO_LEFT.search(words))

    def attributes(self, words: str) -> Markup:
        """Returns the language and direction of an element that holds these words, where the page's are others."""
        language = Markup(' lang="{}"').format(self.glossary) if self.glossary else Markup()
        direction = self._direction(words)
        return language if direction == self.direction else language + Markup(' dir="{}"').format(direction)

    def _direction(self, words: str) -> Direction:
        """The direction of most of the letters: the first may well belong to a foreign name."""
        leftward = 0 if words.isascii() else len(_RIGHT_TO_LEFT.findall(words))
        if self.direction == "ltr" and not leftward:
            return "ltr"
        letters = len(_LETTER.findall(words))
        return self.direction if not letters else "rtl" if 2 * leftward > letters else "ltr"

    def listed(self, items: Iterable[str]) -> Markup:
        """Returns names or links one after the other, as this language lists things."""
        return self.say("comma").join(map(self.text, items))

    def date(self, day: date) -> Markup:
        """Returns a day in words, marked up for machines."""
        return _date(self, day)


@lru_cache(maxsize=4096)
def _date(catalogue: Catalogue, day: date) -> Markup:
    month = catalogue.say(f"month.{day.month}")
    words = catalogue.say("date", day=day.day, month=month, year=day.year)
    return Markup(f'<time datetime="{day.isoformat()}">{words}</time>')  # noqa: S704


@lru_cache(maxsize=1024)
def _with_gaps(message: str) -> str:
    """A message as HTML, whose gaps are still to be filled with HTML."""
    return str(escape(message))


@lru_cache(maxsize=1024)
def _without_gaps(message: str, count: int | None) -> Markup:
    """A message as HTML that reads the same wherever it is said."""
    return Markup(str(escape(message)).format(count=count))  # noqa: S704
