"""A page that fills a stencil is the page that its template would have made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import SimpleNamespace

import pytest
from markupsafe import Markup

from sitegen.site.compiling import Templates
from sitegen.site.messages import catalogue
from sitegen.site.stencils import HALF

Values = Mapping[str, object]

ROWS = "{% macro rows(all, last='') %}{% for one in all %}<b>{{ one }}</b>{% endfor %}{{ last }}{% endmacro %}"


def templates(page: str, **known: object) -> Templates:
    made = Templates({"page.html": page, "rows.html": ROWS}, known)
    made.draw("rows.html", "rows")
    return made


def check(page: str, *several: Values, settled: Values | None = None) -> None:
    """Each page is the same with a stencil, which may be that of a page before, and without one."""
    made = templates(page)
    for values in several:
        drawn = made.get_template("page.html").render(settled or {}, **values)
        assert made.filled("page.html", values, settled or {}, settled_as=()) == drawn


def test_a_page_has_its_own_values() -> None:
    """Values of the page stand in the gaps, escaped unless they are markup, wherever and however often."""
    check(
        "<i title='{{ a }}'>{{ b }}</i>{{ a }}",
        {"a": "<1>", "b": Markup("<br>")},
        {"a": Markup("<hr>"), "b": "&"},
    )


@pytest.mark.parametrize("text", [HALF, f"{HALF}0{HALF}", f"{HALF}1:0{HALF}", f"{HALF}99{HALF}{HALF}"])
def test_no_text_is_taken_for_a_gap(text: str) -> None:
    """Whatever a page or what is settled for it says, it stands there as it is."""
    check("{{ root }}{{ a }}{{ root }}{{ b }}", {"a": text, "b": "x"}, {"a": "y", "b": text}, settled={"root": text})


def test_what_is_made_of_values_is_made_for_each_page() -> None:
    """Parts of a value, and what filters make of one, are those of the page."""
    page = "{{ a.x }}{{ b|join('·') }}{{ b|rows }}{{ b|rows('!') }}{{ c|tojson }}"
    one: Values = {"a": SimpleNamespace(x="<1"), "b": ("v", "<"), "c": {"k": "</script>"}}
    check(page, one, {"a": SimpleNamespace(x=2), "b": ("w",), "c": {"l": 3}}, one)


def test_messages_are_said_around_gaps() -> None:
    """What a message has from the page is the page's own, and stands where the language has it."""
    say = catalogue("en").say
    made = templates(
        "{{ say('frozen.living', term=a) }}|{{ say('defined-in', source=b, release='1', place=a) }}", say=say
    )
    for a, b in ((Markup("<i>x</i>"), Markup("y")), (Markup("z"), Markup("&amp;"))):
        said = f"{say('frozen.living', term=a)}|{say('defined-in', source=b, release='1', place=a)}"
        assert made.filled("page.html", {"a": a, "b": b}, {}, settled_as=()) == said


def test_what_is_missing_makes_another_shape() -> None:
    """A page that has a value, and one that has it not, are no stencil's pages both."""
    page = "{% if a %}<p>{{ a }}</p>{% endif %}{{ b|rows }}"
    check(page, {"a": "1", "b": ("x",)}, {"a": "", "b": ("y",)}, {"a": "2", "b": ()}, {"a": "3", "b": ("z",)})


def test_what_is_in_common_is_drawn_once() -> None:
    """The template is carried out for the first page of a shape, and for another that is settled otherwise."""
    asked: list[str] = []
    made = templates("{{ note(root) }}{{ a }}{% if b %}!{% endif %}", note=lambda root: asked.append(root) or root)
    values: Iterable[Values] = ({"a": "1", "b": ""}, {"a": "2", "b": ""}, {"a": "3", "b": "x"})
    for root in ("../", "../../"):
        drawn = [made.filled("page.html", one, {"root": root}, settled_as=root) for one in values]
        assert drawn == [f"{root}1", f"{root}2", f"{root}3!"]
    assert asked == ["../", "../", "../../", "../../"]


@pytest.mark.parametrize(
    "page", ["{% if a.x %}yes{% endif %}", "{% for one in a %}{{ one }}{% endfor %}", "{{ a|join(a) }}"]
)
def test_nothing_is_decided_by_what_a_page_alone_knows(page: str) -> None:
    """A template that looks into a gap is an error of ours, also where a page would get away with it."""
    with pytest.raises(TypeError):
        templates(page).filled("page.html", {"a": SimpleNamespace(x=1)}, {}, settled_as=())
