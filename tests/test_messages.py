"""The messages of the interface: complete, used, filled and escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from html import unescape
from pathlib import Path
from typing import get_args

import pytest
from babel.messages.pofile import read_po
from markupsafe import Markup, escape

from sitegen.model.terms import ChangeKind, Identity
from sitegen.site.messages import INTERFACE_LANGUAGES, Message, catalog, plain

ROOT = Path(__file__).parent.parent
LOCALE = ROOT / "sitegen" / "site" / "messages" / "locale"
ENGLISH = catalog("en")
GAPS = re.compile(r"\{(\w+)\}")


def texts(message: Message) -> Iterator[str]:
    """Yields the texts of a message, without the escapes of HTML."""
    yield from map(unescape, (message,) if isinstance(message, str) else message.values())


def program() -> str:
    """Returns all source files that can use a message."""
    site = ROOT / "sitegen" / "site"
    paths = [path for path in site.rglob("*.py") if path.parent != site / "messages"]
    paths.append(site / "messages" / "__init__.py")
    paths += (ROOT / "templates").rglob("*.html")
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def test_every_message_is_said_somewhere() -> None:
    """Every message is used by a page or a template."""
    result = program()
    families = re.findall(r"[\"']([a-z.-]+[.-])(?:\{|[\"'] ~)", result)
    idle = [
        key
        for key in ENGLISH.messages
        if f'"{key}"' not in result and not key.startswith(tuple(families))
    ]
    assert idle == []


def test_every_message_said_is_there() -> None:
    """Every message that a page or template uses exists."""
    called = re.findall(r"\bsay\(\s*\"([\w.-]+)\"(?!\s*~)", program())
    filtered = re.findall(r"\"([\w.-]+)\"\|say\b", program())
    result = called + filtered
    assert min(len(called), len(filtered)) > 50
    assert [key for key in result if key not in ENGLISH.messages] == []


@pytest.mark.parametrize("kind", get_args(ChangeKind))
def test_every_kind_of_change_has_its_words(kind: str) -> None:
    """Every kind of change has a name, a count and an explanation."""
    assert ENGLISH.say(f"kind.{kind}")
    assert ENGLISH.say(f"about.kind.{kind}")
    assert "7" in ENGLISH.say(f"count.{kind}", 7)


@pytest.mark.parametrize(
    "rule", get_args(Identity.__annotations__["rule"]) or ["declared", "other name", "same words"]
)
def test_every_rule_has_its_words(rule: str) -> None:
    """Every rule for renames has a text on the about page."""
    assert ENGLISH.say(f"about.rule.{rule}")


@pytest.mark.parametrize("language", INTERFACE_LANGUAGES)
def test_languages_say_the_same(language: str) -> None:
    """Every language has the messages of English, with the same placeholders and all its plural
    forms."""
    words = catalog(language)
    assert words.messages.keys() == ENGLISH.messages.keys()
    forms = {words.plural(number) for number in range(200)}
    for key, message in words.messages.items():
        gaps = {gap for text in texts(ENGLISH.messages[key]) for gap in GAPS.findall(text)}
        assert {gap for text in texts(message) for gap in GAPS.findall(text)} <= gaps | {"count"}
        if isinstance(message, Mapping):
            assert message.keys() == forms


@pytest.mark.parametrize("language", INTERFACE_LANGUAGES)
def test_translations_are_valid_gettext(language: str) -> None:
    """Babel reads each file as we do, and every translation is of the current English text."""
    with (LOCALE / f"{language}.po").open("rb") as file:
        read = {message.context: message for message in read_po(file) if message.id}
    assert {key: forms(message.id) for key, message in read.items()} == {
        key: tuple(texts(message)) for key, message in ENGLISH.messages.items()
    }
    if language != "en":
        messages = catalog(language).messages
        assert {key: forms(one.string) for key, one in read.items()} == {
            key: tuple(texts(messages[key])) for key in read
        }


def forms(text: str | Sequence[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def test_no_line_begins_with_punctuation_in_french() -> None:
    """In French a space is between a word and some signs, where no line may end."""
    said = "\n".join(text for one in catalog("fr").messages.values() for text in texts(one))
    assert re.findall(r"« .*| [:;?!»].*", said) == []


@pytest.mark.parametrize("language", ["ja", "zh-Hans", "zh-Hant"])
def test_signs_are_as_wide_as_the_characters_beside_them(language: str) -> None:
    """Chinese and Japanese have a comma, a colon and a question mark of their own."""
    said = "\n".join(text for one in catalog(language).messages.values() for text in texts(one))
    assert re.findall(r".*[\u3000-\u9fff})”][,;:!?].*|.*,[\u3400-\u9fff].*", said) == []


def test_gaps_are_escaped() -> None:
    """Values of placeholders are escaped, unless they are our markup."""
    assert ENGLISH.say("status.new", release="<b>") == "New in &lt;b&gt;"
    assert ENGLISH.say("status.new", release=Markup("<b>1</b>")) == "New in <b>1</b>"
    assert ENGLISH.say("title", page="{site}", site="x") == "{site} — x"


def test_counts_choose_their_form() -> None:
    """One is singular, everything else plural."""
    assert [ENGLISH.say("added.words", number) for number in (0, 1, 2)] == [
        "0 words added",
        "1 word added",
        "2 words added",
    ]


ARABIC_FORMS = {
    "zero": (0,),
    "one": (1,),
    "two": (2,),
    "few": (3, 4, 10, 103, 110, 1003),
    "many": (11, 12, 20, 26, 99, 111, 199, 1011),
    "other": (100, 101, 102, 200, 202, 1000, 10_000),
}
"""By CLDR's table of plural rules for Arabic."""


@pytest.mark.parametrize("form", ARABIC_FORMS)
def test_arabic_counts_in_six_forms(form: str) -> None:
    """Arabic has forms for none, one, two, few, many and other, by the last two digits above a
    hundred."""
    assert {catalog("ar").plural(number) for number in ARABIC_FORMS[form]} == {form}


def test_a_count_in_arabic() -> None:
    """Two terms have the dual form, and the noun after a number has its case."""
    assert [catalog("ar").say("terms", number) for number in (2, 5, 11, 100)] == [
        "مصطلحان",
        "5 مصطلحات",
        "11 مصطلحًا",
        "100 مصطلح",
    ]


def test_forms_for_a_script() -> None:
    """A script that counts gets all plural forms with their placeholder."""
    assert ENGLISH.forms("terms") == {"one": "{count} term", "other": "{count} terms"}
    assert ENGLISH.forms("search.found", name="<b>")["one"] == "{count} result: &lt;b&gt;."


@pytest.mark.parametrize(
    ("language", "list_"), [("en", "a, &lt;b&gt;"), ("ar", "<bdi>a</bdi>، <bdi>&lt;b&gt;</bdi>")]
)
def test_lists_have_the_comma_of_their_language(language: str, list_: str) -> None:
    """Names in a list have the separator of the language."""
    assert catalog(language).listed(["a", "<b>"]) == list_


@pytest.mark.parametrize("language", INTERFACE_LANGUAGES)
def test_the_choice_of_a_release_fits_the_header_of_a_phone(language: str) -> None:
    """Its first option is short."""
    assert len(plain(catalog(language).say("chosen.latest", release="2.9.0"))) < 19


def test_days_are_absolute() -> None:
    """A date does not depend on the machine, and has its machine-readable form."""
    assert ENGLISH.date(date(2025, 3, 4)) == '<time datetime="2025-03-04">4 Mar 2025</time>'
    assert catalog("ar").date(date(2025, 3, 4)) == '<time datetime="2025-03-04">4 مارس 2025</time>'


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Removed on 4 Mar 2025 · defined in Jan 2025"),
        ("de", "Entfernt am 4. März 2025 · definiert in Jan. 2025"),
        ("fr", "Supprimé le 4 mars 2025 · défini en janv. 2025"),
        ("ja", "2025年3月4日で削除 · 定義があったのは2025年1月"),
        ("zh-Hans", "于2025年3月4日移除 · 定义见于2025年1月"),
        ("it", "Rimosso il 4 mar 2025 · definito in gen 2025"),
        ("pt-BR", "Removido em 4 de mar. de 2025 · definido em jan. de 2025"),
    ],
)
def test_a_day_has_the_word_of_a_day_before_it(language: str, sentence: str) -> None:
    """A state of a day was "on" it, a release or a month is something in which a term is."""
    words = catalog(language, frozenset(("2025-03-04", "2025-01")))
    said = words.say(
        "status.removed", release=words.version("2025-03-04"), releases=words.version("2025-01")
    )
    assert plain(said) == sentence


@pytest.mark.parametrize(
    ("language", "dated", "other"),
    [
        ("zh-Hans", "2025年1月中变更的术语", "在 1.8.2 中改写"),
        ("zh-Hant", "2025年1月中變更的術語", "在 1.8.2 中改寫"),
        ("ja", "2025年1月で変更された用語", "1.8.2 で書き換え"),
    ],
)
def test_chinese_and_japanese_have_no_spaces_around_dates(
    language: str, dated: str, other: str
) -> None:
    """They have spaces around versions, also in a glossary that has both, and around a year alone."""
    words = catalog(language, frozenset(("2025-01", "2024")))
    assert plain(words.say("home.latest", release=words.version("2025-01"))) == dated
    for release in ("1.8.2", "2024"):
        said = plain(words.say("status.reworded-in", release=words.version(release)))
        assert said == other.replace("1.8.2", release)


def test_dated_states_are_periods() -> None:
    """A dated state is written as a day, month or year; the name of another release as it is."""
    periods = {
        "2024": "2024",
        "2024-03": "Mar 2024",
        "2024-03-04": "4 Mar 2024",
    }
    words = catalog("en", frozenset(periods))
    assert {name: plain(words.version(name)) for name in periods} == periods
    assert words.version("2025") == '<bdi dir="ltr">2025</bdi>'


def test_a_variant_of_a_language() -> None:
    """A variant of a language has its texts, and keeps its own tag."""
    british = catalog("en-GB")
    assert (british.messages, british.language) == (ENGLISH.messages, "en-GB")
    assert british.language_of_glossary == ""
    assert catalog("AR-eg").direction == "rtl"
    traditional = catalog("zh-Hant").messages
    assert traditional == catalog("zh-TW").messages != catalog("zh-CN").messages
    assert catalog("zh").messages == catalog("zh-Hans-HK").messages == catalog("zh-CN").messages


@pytest.mark.parametrize(
    ("language", "direction"),
    [("sv", "ltr"), ("sd", "rtl"), ("fa-IR", "rtl"), ("az", "ltr")],
)
def test_a_language_without_texts(language: str, direction: str) -> None:
    """An interface in English has the direction of the glossary, and names its language."""
    words = catalog(language)
    assert (words.language, words.language_of_glossary) == ("en", language)
    assert words.direction == direction


@pytest.mark.parametrize(
    ("language", "result"),
    [
        ("ru", ["21 термин", "3 термина", "5 терминов"]),
        ("fr", ["21 termes", "3 termes", "5 termes"]),
        ("ja", ["21 語", "3 語", "5 語"]),
    ],
)
def test_counts_follow_the_language(language: str, result: list[str]) -> None:
    """Each language has its number of plural forms."""
    assert [plain(catalog(language).say("terms", count)) for count in (21, 3, 5)] == result


def test_an_unknown_language_is_english() -> None:
    """A glossary in a language without a catalog has an English interface that marks its words."""
    latin = catalog("la")
    assert (latin.messages, latin.language) == (ENGLISH.messages, "en")
    assert latin.say("status.synonym", term="<aestās>").startswith(
        'Same as <bdi lang="la">&lt;aestās&gt;</bdi>'
    )
    assert latin.attributes("Tempus anni.") == ' lang="la"'
    assert latin.date(date(2025, 3, 4)) == ENGLISH.date(date(2025, 3, 4))


@pytest.mark.parametrize(
    ("language", "words", "apart"),
    [
        ("en", "C++", False),
        ("en", "naïve “quotes”", False),
        ("en", "متجه", True),
        ("en", "x\u202ey", True),
        ("ar", "متجه ذاتي", False),
        ("ar", "C++", True),
        ("ar", ">>>", True),
        ("ar", "واجهة API", True),
    ],
)
def test_words_that_run_the_other_way(language: str, words: str, apart: bool) -> None:
    """A name of another or unknown direction is isolated in a sentence."""
    result = catalog(language).say("status.use-instead", term=words)
    assert (f"<bdi>{escape(words)}</bdi>" in result) == apart
    assert str(escape(words)) in result


@pytest.mark.parametrize(
    ("language", "words", "direction"),
    [
        ("en", "A vector.", ""),
        ("en", "Called متجه in Arabic.", ""),
        ("en", "كمية لها API واتجاه", "rtl"),
        ("ar", "API كمية لها مقدار واتجاه", ""),
        ("ar", "A vector, called متجه in Arabic.", "ltr"),
        ("ar", "1.8.2", ""),
        ("he", "שלום", ""),
        ("sv", "שלום", "rtl"),
    ],
)
def test_the_direction_of_a_definition(language: str, words: str, direction: str) -> None:
    """A definition has the direction of most of its letters, marked if it differs from the
    page's."""
    result = catalog(language).attributes(words)
    assert ('dir="' in result) == bool(direction)
    assert f'dir="{direction}"' in result or not direction


def test_plain_sentences() -> None:
    """A sentence without markup is the text that a reader sees."""
    assert plain(Markup("Changes in <bdi>1 &lt; 2</bdi>")) == "Changes in 1 < 2"
