"""The texts of the interface in each language, one gettext file per language in `locale/`.

A message is a text with named placeholders, or one text for each plural form. Pages and templates
`say` a message by its key, which is its context (`msgctxt`) in the file; values are escaped unless
they are `Markup`. The English texts are the `msgid`s. A new file in `locale/` adds a language.

Text from a glossary is in the glossary's language, which may have another direction than the
interface's. Such text is marked with its language and isolated (`<bdi>`) wherever it is part of a
message.

Of gettext's format, this reads the part that the project's own files use. Babel reads all of it,
but its import takes 30 ms, and this reads a language in 3 ms. A test compares the results of both.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from gettext import c2py
from html import unescape
from pathlib import Path
from typing import Literal

from markupsafe import Markup, escape

from sitegen.model import Source
from sitegen.text.names import has_traditional_characters, main_language
from sitegen.text.release_names import period_in
from sitegen.text.words import UNSPACED, without_tags

Message = str | Mapping[str, str]
"""The HTML of a text, or of each plural form of it that the language has."""

_FOLDER = Path(__file__).parent / "locale"
INTERFACE_LANGUAGES = tuple(sorted(path.stem for path in _FOLDER.glob("*.po")))

_FIELD = re.compile(r'^(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?) ("(?:.*"\n")*.*")$', re.M)
# The Unicode blocks of right-to-left scripts, and the directional control characters.
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_RIGHT_TO_LEFT_ONLY = f"(?:{_RIGHT_TO_LEFT.pattern}| )+"
_LETTER = re.compile(r"[^\W\d_]")
# Languages that are written from right to left.
_RIGHT_TO_LEFT_LANGUAGES = frozenset("ar ckb dv fa he ks nqo ps sd syr ug ur yi".split())


def catalog(language: str, dated: Iterable[str] = ()) -> Catalog:
    """Returns the catalog for a glossary in a language. If the interface is not translated into the
    language, its texts are English.

    `dated` are the names of the releases that are dated states. The catalog writes them as dates.
    """
    file_name = _file_of(language)
    if file_name:
        words = replace(_catalog_of_file(file_name), language=language)
    else:
        # The page has the direction of the glossary, also with English texts.
        english = _catalog_of_file("en")
        words = replace(english, language_of_glossary=language, direction=_direction(language))

    periods = {name: words.period(name) for name in dated if period_in(name)}
    return replace(words, dated=periods)


def _file_of(language: str) -> str:
    """Returns the name of the file with the texts of a language; empty if there is none."""
    # "pt" and "pt-PT" have the texts of "pt-BR".
    file_of_language = {main_language(name): name for name in INTERFACE_LANGUAGES}
    file_of_language["zh"] = "zh-Hans"
    if has_traditional_characters(language):
        return "zh-Hant"
    return file_of_language.get(main_language(language), "")


def _direction(language: str) -> Literal["ltr", "rtl"]:
    """Returns the direction in which a language is written."""
    return "rtl" if main_language(language) in _RIGHT_TO_LEFT_LANGUAGES else "ltr"


@cache
def _catalog_of_file(language: str) -> Catalog:
    """Returns the catalog of a file. A message without a translation keeps its English text."""
    text = (_FOLDER / f"{language}.po").read_text(encoding="utf-8")
    first, *others = map(_fields, text.split("\n\n"))
    header = dict(line.split(": ", 1) for line in first["msgstr"].splitlines())
    # The CLDR categories of `msgstr[0]`, `msgstr[1]` and so on.
    categories = header["X-Plural-Categories"].split()
    # Such as "nplurals=2; plural=(n > 1);".
    _, _, expression = header["Plural-Forms"].partition("plural=")
    index = c2py(expression.rstrip(";"))
    # Such as "in=on In=On".
    words_before_day = dict(pair.split("=") for pair in header.get("X-Before-Day", "").split())
    messages = {fields["msgctxt"]: _message(fields, categories) for fields in others}
    return Catalog(
        language=language,
        direction=_direction(language),
        plural=lambda count: categories[index(count)],
        words_before_day=words_before_day,
        messages=messages,
    )


def _fields(block: str) -> dict[str, str]:
    """Returns the fields of an entry of a gettext file, such as `msgid`, with their texts."""
    fields = {}
    for name, quoted in _FIELD.findall(block):
        text = ""
        for line in quoted.splitlines():
            has_escapes = "\\" in line  # few lines; a slice is faster
            text += ast.literal_eval(line) if has_escapes else line[1:-1]
        fields[name] = text
    return fields


def _message(fields: Mapping[str, str], categories: Sequence[str]) -> Message:
    """Returns the text of a message, or the texts of its plural forms by category. Untranslated
    texts are English."""
    if "msgid_plural" not in fields:
        return str(escape(fields["msgstr"] or fields["msgid"]))
    forms = {}
    for number, category in enumerate(categories):
        # The first form is the singular, and English has one plural.
        english = fields["msgid"] if number == 0 else fields["msgid_plural"]
        forms[category] = str(escape(fields[f"msgstr[{number}]"] or english))
    return forms


@dataclass(frozen=True, kw_only=True, eq=False)
class Catalog:
    """The interface in one language. Compared and hashed by identity, so that caches can use it as
    a key."""

    language: str
    language_of_glossary: str = ""
    """The language of the glossary; empty if the interface has the same language."""
    direction: str
    """The direction of the glossary, "ltr" or "rtl" as in HTML."""
    plural: Callable[[int], str]
    """Returns the CLDR plural category of a number."""
    messages: Mapping[str, Message]
    words_before_day: Mapping[str, str]
    """Word before a release to the word before a day: "in" to "on"."""
    dated: Mapping[str, Markup] = field(default_factory=dict)
    """The names of releases that are dated states, each as a date."""

    def say(self, key: str, count: int | None = None, **values: object) -> Markup:
        """Returns a message with its values, as HTML. A count selects the plural form and replaces
        `{count}`."""
        message = self._message(key, count)
        for name, value in values.items():
            if type(value) is str:  # not `Markup`, which is HTML already
                values[name] = self.text(value)
            elif self.dated and str(value).startswith(("<time", "<bdi>")):
                # A dated state, from `version`.
                message = self._around_date(message, name, date=str(value))
        # Faster than Markup.format, which escapes each value in Python: each page calls this about
        # fifty times.
        return Markup(message.format(count=count, **values))  # noqa: S704

    def _around_date(self, message: str, name: str, *, date: str) -> str:
        """Returns a message for a value that is a date: of a day, "Added on {release}" instead of
        "Added in {release}", and in Chinese and Japanese without spaces around it. `name` is the
        name of the value."""
        if UNSPACED.search(date):
            # Versions have spaces around them in these languages, as numbers have.
            character, field = UNSPACED.pattern, f"{{{name}}}"
            space = rf"(?<={character}) (?={field})|(?<={field}) (?={character})"
            return re.sub(space, "", message)
        if not date.startswith("<time"):
            return message
        for word, word_before_day in self.words_before_day.items():
            # Russian has no word before a day, and then no space either.
            replacement = f"{word_before_day} ".lstrip()
            message = re.sub(rf"\b{word} (?={{{name}}})", replacement, message)
        return message

    def _message(self, key: str, count: int | None) -> str:
        """Returns the text of a message for a count."""
        message = self.messages[key]
        if isinstance(message, str):
            return message
        assert count is not None, f"{key} has plural forms and needs a count"
        return message[self.plural(count)]

    def forms(self, key: str, **values: str) -> Mapping[str, Markup]:
        """Returns the plural forms of a message by category, for a script that fills in the
        `{count}`."""
        message = self.messages[key]
        assert not isinstance(message, str), f"{key} has no plural forms"
        forms = {}
        for form, text in message.items():
            forms[form] = Markup(text).format(count=Markup("{count}"), **values)  # noqa: S704
        return forms

    def text(self, words: str) -> Markup:
        """Returns text of the glossary as HTML, isolated with <bdi> if its language or direction
        may differ."""
        if isinstance(words, Markup):
            return words
        language = self.language_of_glossary
        if language:
            return Markup(f'<bdi lang="{escape(language)}">{escape(words)}</bdi>')  # noqa: S704
        if self.direction == "rtl":
            is_foreign = not re.fullmatch(_RIGHT_TO_LEFT_ONLY, words)
        else:
            is_foreign = not words.isascii() and bool(_RIGHT_TO_LEFT.search(words))
        escaped = escape(words)
        return Markup(f"<bdi>{escaped}</bdi>") if is_foreign else escaped  # noqa: S704

    def attributes(self, words: str) -> Markup:
        """Returns the attributes `lang` and `dir` for an element with these words. An attribute
        with the same value as on the page is left out."""
        language = Markup()
        if self.language_of_glossary:
            language = Markup(' lang="{}"').format(self.language_of_glossary)
        right_to_left_count = 0 if words.isascii() else len(_RIGHT_TO_LEFT.findall(words))
        if self.direction == "ltr" and right_to_left_count == 0:
            return language

        # Most letters decide. The first letter alone may belong to a foreign name.
        letter_count = len(_LETTER.findall(words))
        direction = "rtl" if right_to_left_count > letter_count / 2 else "ltr"
        if letter_count == 0 or direction == self.direction:
            return language
        return language + Markup(' dir="{}"').format(direction)

    def happened(self, kinds: Iterable[str], release: str) -> Markup:
        """Returns a phrase with kinds of change and the release in which they happened."""
        return self.say("timeline.event", kind=self.kinds(kinds), release=self.version(release))

    def listed(self, items: Iterable[str]) -> Markup:
        """Returns names or links as a list, with the separator of this language."""
        return Markup(str.join(self.say("comma"), map(self.text, items)))  # noqa: S704

    def kinds(self, kinds: Iterable[str]) -> Markup:
        """Returns the names of kinds of change as a list."""
        return self.listed(self.say(f"kind.{kind}") for kind in kinds)

    def joined(self, items: Iterable[str]) -> Markup:
        """Returns one or more names or links as a part of a sentence, the last one after "and"."""
        *others, last = map(self.text, items)
        if not others:
            return last
        return self.say("and", others=self.listed(others), last=last)

    def span(self, first: str, last: str) -> Markup:
        """Returns releases from the first to the last, or the only one."""
        if first == last:
            return self.version(first)
        return self.say("table.span", first=self.version(first), last=self.version(last))

    def version(self, release: str) -> Markup:
        """Returns a release's name as HTML, left-to-right in any language. A dated state is written
        as a date."""
        name = self.dated.get(release)
        return name or Markup(f'<bdi dir="ltr">{escape(release)}</bdi>')  # noqa: S704  (fast: pages name many)

    def period(self, name: str) -> Markup:
        """Returns a day, month or year, such as `2024-03`, in words."""
        if period_in(name) == "day":
            return self.date(date.fromisoformat(name))
        year, _, month = name.partition("-")
        words = Markup(year)  # noqa: S704
        if month:
            words = self.say("period.month", month=self.say(f"month.{int(month)}"), year=year)
        return Markup(f"<bdi>{words}</bdi>")  # noqa: S704

    def version_text(self, release: str) -> str:
        """Returns a release's name as plain text. A dated state is written as a date."""
        if release in self.dated:
            return plain(self.dated[release])
        return release

    def version_of(self, source: Source, release: str) -> Markup:
        """Returns a release's name as HTML, with a note if it is unreleased in this source."""
        name = self.version(release)
        if release in source.unreleased:
            return self.say("release.unreleased", release=name)
        return name

    def date(self, day: date) -> Markup:
        """Returns a date in words, in a <time> element."""
        words = self.say("date", day=day.day, month=self.say(f"month.{day.month}"), year=day.year)
        return Markup(f'<time datetime="{day.isoformat()}">{words}</time>')  # noqa: S704


def isolated(markup: Markup) -> str:
    """Returns a sentence without its markup. Characters isolate what had a direction of its own."""
    opened = re.sub(r"<bdi\b[^>]*>", "\u2068", markup)
    return plain(Markup(opened.replace("</bdi>", "\u2069")))  # noqa: S704  (was markup)


def plain(text: str) -> str:
    """Returns a text without its markup, for attributes and other places that take plain text. A
    text that is no `Markup` has none."""
    if not isinstance(text, Markup):
        return text
    return unescape(" ".join(without_tags(text).split()))
