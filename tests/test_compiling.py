"""Templates are compiled for one site: what is known of it is settled once, not on every page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from markupsafe import Markup

from sitegen.site.compiling import Templates


def check(template: str, known: Mapping[str, object], pages: Iterable[Mapping[str, object]], expected: str) -> None:
    compiled = Templates({"page.html": template}, known).get_template("page.html")
    assert "|".join(compiled.render(page) for page in pages) == expected


def test_what_is_known_is_asked_once() -> None:
    """A function is asked for known values when the template is compiled; for those of a page, on every page."""
    asked = []

    def say(key: str, **values: str) -> str:
        asked.append(key)
        return key + "".join(map(str, values.values()))

    pages = [{"d": "x"}, {"d": "y"}]
    check("{{ say('a', b=c) }}{{ say(d) }}", {"say": say, "c": 1}, pages, "a1x|a1y")
    assert asked == ["a", "x", "y"]


def test_what_is_known_is_escaped_like_everything() -> None:
    """A known text is escaped as any other is, and what is markup stays markup."""
    check("{{ a }}{{ b }}", {"a": "<", "b": Markup("<br>")}, [{}], "&lt;<br>")


def test_a_template_may_have_the_name_for_itself() -> None:
    """Where a template gives a known name to something of its own, that is meant."""
    check("{% for text in texts %}{{ text }}{% endfor %}", {"text": "known"}, [{"texts": "ab"}], "ab")


def test_what_is_no_text_stays_a_value() -> None:
    """A known value that could not stand in a program is handed over when a page is rendered."""
    check("{% for key in keys %}{{ key }}{% endfor %}{{ keys|length }}", {"keys": {"a": 1, "b": 2}}, [{}], "ab2")


def test_a_kept_macro_draws_the_same_once() -> None:
    """As a filter, a macro is carried out for each value that is new to it, and no more."""
    drawn = []
    shapes = "{% macro shape(kind, x=0) %}<b>{{ draw(kind) }}{{ x }}</b>{% endmacro %}"
    templates = Templates(
        {"shapes.html": shapes, "page.html": "{% for kind in kinds %}{{ kind|shape(1) }}{% endfor %}"},
        {"draw": lambda kind: drawn.append(kind) or kind},
    )
    templates.keep("shapes.html", "shape")
    assert templates.get_template("page.html").render(kinds=["a", "<", "a"]) == "<b>a1</b><b>&lt;1</b><b>a1</b>"
    assert drawn == ["a", "<"]


@dataclass(frozen=True)
class Row:
    """Two cells, of which one is what many rows have."""

    head: str
    own: tuple[str, ...]

    @property
    def outline(self) -> Head:
        return Head(self.head)


class Head(NamedTuple):
    text: str

    def told(self, own: Iterable[object]) -> Mapping[str, object]:
        return {"head": self.text, "own": tuple(own)}


def test_an_outline_that_is_met_again_is_drawn_once_for_all() -> None:
    """From the second on, what has the same outline is drawn once, with its own values; what lacks one is another."""
    asked: list[str] = []
    cells = "{{ note(all.head) }}{% for one in all.own if one %}<b>{{ one }}</b>{% endfor %}"
    row = "{% macro row(all) %}" + cells + "{% endmacro %}"
    page = "{% for one in rows %}{{ one|row }} {% endfor %}"
    templates = Templates({"row.html": row, "page.html": page}, {"note": lambda text: asked.append(text) or text})
    templates.outline("row.html", "row")
    rows = [
        Row("a", ("1", "<")),
        Row("a", ("2", "3")),
        Row("b", ("4", "5")),
        Row("a", ("", "6")),
        Row("a", ("7", "8")),
    ]
    drawn = templates.get_template("page.html").render(rows=rows)
    assert drawn.split() == [
        "a<b>1</b><b>&lt;</b>", "a<b>2</b><b>3</b>", "b<b>4</b><b>5</b>", "a<b>6</b>", "a<b>7</b><b>8</b>"
    ]  # fmt: skip
    assert asked == ["a", "a", "b", "a"]
