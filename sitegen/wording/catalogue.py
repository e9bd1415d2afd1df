"""A catalogue: the sentences of the interface in one language, with its plural forms and its way to write a day."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from markupsafe import Markup, escape

Message = str | Mapping[str, str]
"""A text, or the text for each plural form that the language has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """The interface in one language."""

    language: str
    direction: Literal["ltr", "rtl"]
    plural: Callable[[int], str]
    """Names the plural form that a number takes, by the categories of CLDR."""
    months: tuple[str, ...]
    messages: Mapping[str, Message]

    def say(self, key: str, count: int | None = None, **values: object) -> Markup:
        """Returns a message with its gaps filled, as HTML. A count chooses the plural form and fills `{count}`."""
        message = self.messages[key]
        if not isinstance(message, str):
            assert count is not None, f"{key} has plural forms and needs a count"
            message = message[self.plural(count)]
        filled = {name: escape(value) for name, value in values.items()}
        # Markup would escape again, one gap at a time in Python: this is asked some fifty times for each page.
        return Markup(str(escape(message)).format(count=count, **filled))  # noqa: S704

    def forms(self, key: str, **values: object) -> Mapping[str, Markup]:
        """Returns the plural forms of a message by category, for a script that will know the `{count}`."""
        message = self.messages[key]
        assert not isinstance(message, str), f"{key} has no plural forms"
        filled = {name: escape(value) for name, value in values.items()}
        return {form: escape(text).format(count=Markup("{count}"), **filled) for form, text in message.items()}

    def listed(self, items: Iterable[str]) -> Markup:
        """Returns names or links one after the other, as this language lists things."""
        return self.say("comma").join(items)

    def date(self, day: date) -> Markup:
        """Returns a day in words, marked up for machines."""
        words = self.say("date", day=day.day, month=self.months[day.month - 1], year=day.year)
        return Markup('<time datetime="{}">{}</time>').format(day.isoformat(), words)
