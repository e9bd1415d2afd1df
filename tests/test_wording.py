"""The messages of the interface: none missing, none left over, gaps filled and escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import get_args

import pytest
from markupsafe import Markup

from sitegen.model import Identity, Kind
from sitegen.wording import CATALOGUES, ENGLISH, Message, catalogue, plain

ROOT = Path(__file__).parent.parent
GAPS = re.compile(r"\{(\w+)\}")


def texts(message: Message) -> Iterator[str]:
    yield from (message,) if isinstance(message, str) else message.values()


def program() -> str:
    """All the places that may say something."""
    paths = [*(ROOT / "sitegen" / "pages").glob("*.py"), *(ROOT / "templates").rglob("*.html")]
    paths += [ROOT / "sitegen" / "render.py", ROOT / "sitegen" / "wording" / "catalogue.py"]
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def test_every_message_is_said_somewhere() -> None:
    """The catalogue holds nothing that neither a page nor a template says."""
    said = program()
    families = re.findall(r"[\"']([a-z.-]+[.-])(?:\{|[\"'] ~)", said)
    idle = [key for key in ENGLISH.messages if f'"{key}"' not in said and not key.startswith(tuple(families))]
    assert idle == []


def test_every_message_said_is_there() -> None:
    """No page and no template says a message that the catalogue does not hold."""
    said = re.findall(r"\bsay\(\s*\"([\w.-]+)\"(?!\s*~)", program())
    assert len(said) > 50
    assert [key for key in said if key not in ENGLISH.messages] == []


@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_kind_of_change_has_its_words(kind: str) -> None:
    """Whatever happens to a term can be named and counted."""
    assert ENGLISH.say(f"kind.{kind}")
    assert "7" in ENGLISH.say(f"count.{kind}", 7)


@pytest.mark.parametrize(
    "rule", get_args(Identity.__annotations__["rule"]) or ["declared", "other name", "same words"]
)
def test_every_rule_has_its_words(rule: str) -> None:
    """However a rename was decided, the about page can say so."""
    assert ENGLISH.say(f"about.rule.{rule}")


@pytest.mark.parametrize("language", CATALOGUES)
def test_languages_say_the_same(language: str) -> None:
    """Every language has the messages of English, with the same gaps and all its own plural forms."""
    words = CATALOGUES[language]
    assert words.messages.keys() == ENGLISH.messages.keys()
    forms = {words.plural(number) for number in range(200)}
    for key, message in words.messages.items():
        gaps = {gap for text in texts(ENGLISH.messages[key]) for gap in GAPS.findall(text)}
        assert {gap for text in texts(message) for gap in GAPS.findall(text)} <= gaps | {"count"}
        if isinstance(message, Mapping):
            assert message.keys() == forms


def test_gaps_are_escaped() -> None:
    """What fills a gap is text, unless it is markup of ours."""
    assert ENGLISH.say("status.new", release="<b>") == "New in &lt;b&gt;"
    assert ENGLISH.say("status.new", release=Markup("<b>1</b>")) == "New in <b>1</b>"
    assert ENGLISH.say("title", page="{site}", site="x") == "{site} — x"


def test_counts_choose_their_form() -> None:
    """One is singular, everything else plural."""
    assert [ENGLISH.say("words-added", number) for number in (0, 1, 2)] == [
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
    """Arabic has forms for none, one, two, a few and many, and goes by the last two digits above a hundred."""
    assert {CATALOGUES["ar"].plural(number) for number in ARABIC_FORMS[form]} == {form}


def test_a_count_in_arabic() -> None:
    """Two terms are a word of their own, and the noun after a number has the case that the number asks for."""
    assert [CATALOGUES["ar"].say("terms", number) for number in (2, 5, 11, 100)] == [
        "مصطلحان",
        "5 مصطلحات",
        "11 مصطلحًا",
        "100 مصطلح",
    ]


def test_forms_for_a_script() -> None:
    """A script that counts in the browser is given every form, with the gap for its number."""
    assert ENGLISH.forms("terms") == {"one": "{count} term", "other": "{count} terms"}
    assert (
        ENGLISH.forms("search.found", name="<b>", status="{status}")["one"] == "{count} result: &lt;b&gt;, {status}."
    )


@pytest.mark.parametrize(("language", "list_"), [("en", "a, &lt;b&gt;"), ("ar", "a، &lt;b&gt;")])
def test_lists_have_the_comma_of_their_language(language: str, list_: str) -> None:
    """Names one after the other are parted as the language does it."""
    assert CATALOGUES[language].listed(["a", "<b>"]) == list_


def test_days_are_absolute() -> None:
    """A day is written the same wherever the site is built, with its machine form."""
    assert ENGLISH.date(date(2025, 3, 4)) == '<time datetime="2025-03-04">4 Mar 2025</time>'
    assert CATALOGUES["ar"].date(date(2025, 3, 4)) == '<time datetime="2025-03-04">4 مارس 2025</time>'


def test_an_unknown_language_is_english() -> None:
    """A language without a catalogue, or a variant of one, is shown in the nearest there is."""
    assert catalogue("en-GB") is catalogue("tlh") is ENGLISH


def test_plain_sentences() -> None:
    """A sentence without its markup is what a reader sees."""
    assert plain(Markup("New in <bdi>1 &lt; 2</bdi>")) == "New in 1 < 2"
