"""Templates of a theme: what they can reach, and how much work they can do."""

from __future__ import annotations

import io
import os
import types
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, partial, reduce
from pathlib import Path
from typing import Any

import pytest
from commands import Command
from jinja2 import Undefined
from jinja2.runtime import LoopContext, Macro
from jinja2.sandbox import SandboxedEnvironment
from sites import glossary, pages_of, templates
from views import GOLDEN, read

from sitegen.addresses import urls
from sitegen.model import SitegenError
from sitegen.site.pages import Page
from sitegen.site.rendering import Renderer
from sitegen.site.restricted import RestrictedEnvironment
from sitegen.site.site import Site

GLOBALS = ("say", "say_forms", "text", "listed", "html_of_each", "feed_address", "site", "urls")
"""Names of values that every template can use."""
VALUES = ("link", "once", "navigation", "kept_ids", "title", "thing", "generator", "policy", "self", "caller")
SHELL = ".system('touch canary')"
ITEMS = '{% import "partials/items.html" as items %}'
ESCAPES = {
    "globals": [
        "{{ urls.re.enum.sys.modules['os']" + SHELL + " }}",
        *("{{ " + name + ".__init__.__globals__['os']" + SHELL + " }}" for name in GLOBALS),
        *(
            "{{ " + name + ".__globals__['os']" + SHELL + " }}"
            for name in ("say", "text", "feed_address", "html_of_each")
        ),
        *("{{ " + name + ".__self__.plural.__globals__ }}" for name in ("say", "text", "listed")),
        "{{ say.__func__.__code__ }}",
        "{{ range.__class__ }}{{ dict.__class__ }}",
        "{{ cycler.__init__.__globals__.os" + SHELL + " }}",
        "{{ joiner.__init__.__globals__.os" + SHELL + " }}",
        "{{ namespace.__init__.__globals__.os" + SHELL + " }}",
        "{{ lipsum.__globals__.os" + SHELL + " }}",
        "{{ lipsum.__globals__['__builtins__']['open']('canary', 'w') }}",
    ],
    "page values": [
        *("{{ " + name + ".__class__.__mro__[-1].__subclasses__() }}" for name in VALUES),
        *("{{ " + name + "['__class__'] }}" for name in VALUES),
        "{{ link.func.__globals__['re'].enum.sys.modules['os']" + SHELL + " }}",
        "{{ once.__self__.site }}{{ once.__func__ }}",
        "{{ site._replace(title=1)._asdict }}",
        "{{ urls._make }}{{ site._fields }}",
        "{{ context.environment }}{{ environment.loader }}",
    ],
    "filters": [
        "{{ [site]|sum(attribute='__class__', start='') }}",
        "{{ [say]|map(attribute='__globals__')|list }}",
        "{{ [say]|map(attribute='__self__.plural')|list }}",
        "{{ [site]|map('attr', '__class__')|list }}",
        "{{ site|attr('__class__') }}",
        "{{ say|attr('__globals__') }}",
        "{{ [site]|groupby('__class__') }}",
        "{{ [site]|selectattr('__class__')|list }}",
        "{{ [site]|map('~plain')|list }}{{ ''|~spend(-1) }}",
        "{{ say|pprint }}{{ say|string }}",
        "{{ [1]|sort(attribute='__class__') }}",
        "{{ say|default }}{{ say|list }}{{ say|join }}",
        "{{ [say]|join }}",
        "{{ {'a': say}|xmlattr }}{{ say|tojson }}",
    ],
    "tests": [
        "{% if say is callable %}{{ say }}{% endif %}",
        "{{ [site]|select('sameas', site)|list }}",
        "{% if 'os' is filter %}{% endif %}{% if say is mapping %}{% endif %}",
        "{% if site is eq site %}{{ site.__class__ }}{% endif %}",
    ],
    "loops": [
        "{% for one in [1] %}{{ loop.__class__ }}{% endfor %}",
        "{% for one in [1] %}{{ loop._iterator }}{% endfor %}",
        "{% for one in [1] %}{{ loop._undefined.__init__.__globals__ }}{% endfor %}",
        "{% for one in [1] %}{{ loop.__init__.__globals__['sys'].modules['os']" + SHELL + " }}{% endfor %}",
        "{% for one in [say] %}{{ loop.changed.__func__ }}{{ loop.cycle }}{% endfor %}",
        "{% for one in say %}{% endfor %}",
        "{% for one in [say, say] %}{{ loop.previtem }}{% endfor %}",
        "{% for one in [1] recursive %}{{ loop }}{% endfor %}",
    ],
    "macros": [
        "{% macro m() %}{% endmacro %}{{ m.__init__.__globals__ }}",
        "{% macro m() %}{% endmacro %}{{ m._environment.loader }}",
        "{% macro m() %}{% endmacro %}{{ m._func.__globals__ }}",
        "{% macro m() %}{{ varargs.__class__ }}{{ kwargs.__class__ }}{% endmacro %}{{ m(1, a=2) }}",
        "{% macro m() %}{{ caller.__class__ }}{% endmacro %}{% call m() %}{% endcall %}",
        "{% macro m(a=say.__globals__) %}{{ a }}{% endmacro %}{{ m() }}",
        ITEMS + "{{ items.__class__ }}{{ items._body_stream }}",
        ITEMS + "{{ items.items._func.__globals__ }}",
        ITEMS + "{{ items.__dict__ }}{{ items }}",
        "{{ once(say) }}{{ once('a') }}",
        "{{ html_of_each(say, ['history']) }}",
        "{{ once(link, urls) }}",
    ],
    "formats": [
        "{{ '{0.__class__}'.format(site) }}",
        "{{ '{0.__init__.__globals__}'.format(say) }}",
        "{{ '{a.__class__}'.format_map({'a': site}) }}",
        "{{ '%s' % say }}{{ '%s'|format(say) }}",
        "{{ title.format.__self__ }}{{ title.__format__ }}",
        "{{ say('history', count=say) }}{{ say('event.place', path=say, line=say) }}",
        "{{ say('event.place', path='{0.__class__}', line='{line.__class__}') }}",
        "{{ say_forms('terms', name=say) }}",
        "{{ title.join }}{{ title.encode('utf-8') }}{{ policy.escape }}",
        "{{ policy.__html__.__self__ }}{{ policy.__class__('<script>') }}",
    ],
    "paths": [
        '{% extends "/etc/passwd" %}',
        '{% extends "../site.toml" %}',
        '{% include "secret.txt" %}',
        '{% include "../secret.txt" %}',
        '{% include ["/etc/passwd", "secret.txt"] %}',
        '{% include "partials/theme.js" %}',
        '{% import "sitegen/../../secret.txt" as secret %}{{ secret }}',
        '{% from "secret.txt" import __class__ %}',
        '{% from "partials/items.html" import __init__ as i %}{{ i }}',
        '{% from "partials/items.html" import _body_stream %}',
        "{% extends say %}",
        "{% include site %}",
        '{% extends "sitegen/layout.html" %}{% block head %}{{ super._context }}{% endblock %}',
        "{% block head %}{{ self.head._stack }}{{ self._TemplateReference__context }}{% endblock %}",
    ],
    "exceptions": [
        "{{ 1 / 0 }}",
        "{{ [][1] }}{{ {}['a'] }}",
        "{{ say() }}",
        "{{ say('no such message \x1b[31m\n') }}",
        "{{ text(1) }}{{ link(1) }}",
        "{{ -title }}",
        "{{ 'a' + 1 }}",
        "{{ " + "(" * 300 + "1" + ")" * 300 + " }}",
        "{% for a in [1] %}" * 30 + "{% endfor %}" * 30,
        "{{ " + "9" * 5_000 + " }}",
        "{% set a, b = 1 %}",
        "{% for a, b in [1] %}{% endfor %}",
    ],
    "async": [
        "{% for one in link.__aiter__() %}{% endfor %}",
        "{{ (1).__await__() }}{{ self.render_async() }}",
        "{{ say.cr_frame }}{{ say.gi_frame.f_globals }}",
        "{% import 'partials/items.html' as i %}{{ i.make_module_async() }}",
    ],
    "undefined": [
        "{{ nothing.__class__ }}",
        "{{ nothing._fail_with_undefined_error.__globals__ }}",
        "{{ nothing['__init__'] }}",
        "{{ (nothing|default(say)).__globals__ }}",
        "{{ site.nothing.__class__ }}",
        "{{ site.nothing._undefined_obj }}",
        "{{ nothing() }}{{ site.nothing() }}",
        "{% if nothing.__class__ is defined %}{{ nothing.__class__ }}{% endif %}",
    ],
    "tags": [
        "{% do say.__globals__.os" + SHELL + " %}",
        "{% autoescape false %}{{ say.__globals__ }}{% endautoescape %}",
        "{% filter attr('__class__') %}{% endfilter %}",
        "{% set ns = namespace(a=say) %}{% set ns.a = 1 %}{{ ns.a }}",
        "{% debug %}",
        "{% trans %}{{ say }}{% endtrans %}",
        "{{ site[0:1] }}{{ title[::-1] }}",
        "{% set site = say %}{{ site.__globals__ }}",
        "{% with site = say %}{{ site.__self__ }}{% endwith %}",
    ],
    "builtin types": [
        "{{ ().__class__.__base__.__subclasses__() }}",
        "{{ ''.__class__.mro() }}",
        "{{ [].append(1) }}{{ {}.update({1: 2}) }}{{ [].sort() }}",
        "{{ {}.fromkeys('ab') }}{{ {}.setdefault(1, say) }}",
        "{{ true.__class__ }}{{ (1).real.from_bytes }}{{ (1.5).hex() }}",
        "{{ none.__class__ }}{{ 1 .numerator.__class__ }}",
        "{{ 'a'['upper'].__self__ }}{{ 'a'.upper.__self__ }}",
        "{{ {'a': 1}.items.__self__ }}{{ {'a': 1}.items().mapping }}",
    ],
}
ENDLESS = [
    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    '{% extends "layout.html" %}',
    '{% include "layout.html" %}',
    '{% import "layout.html" as m %}',
    "{% block main %}{{ self.main() }}{% endblock %}",
    '{% for one in "ab"|list recursive %}{{ loop("ab"|list) }}{% endfor %}',
    "LISTS{% for a in l %}{% for b in l %}{% for c in l %}{% endfor %}{% endfor %}{% endfor %}",
    "LISTS{% for a in l %}{% for b in l %}{% for c in l if false %}{% endfor %}{% endfor %}{% endfor %}",
    "LISTS{% for a in l %}{% for b in l %}{{ 'a' in l }}{{ l|length }}{{ l|join(l|join) }}{% endfor %}{% endfor %}",
    "LISTS{% for a in l %}{% for b in l %}{% set c = l|list %}{{ l|map(attribute='x') }}{% endfor %}{% endfor %}",
    "LISTS{% macro m() %}{% endmacro %}{% for a in l %}{% for b in l %}{{ m(*l) }}{% endfor %}{% endfor %}",
    "LISTS{% set a = l|join(l|join) %}{% for b in l %}{{ feed_address(a) }}{% endfor %}",
    "LISTS{% set a = l|join(l|join) %}{% for b in l %}{{ a.split('a') }}{{ a.strip(a) }}{% endfor %}",
    "{{ a }}" * 10_000,
    "{{ 'a' * 10**9 }}",
    "{{ 'a' * 1000000000 }}",
    "{{ [1] * 1000000000 }}",
    "{{ 'a'|center(1000000000) }}",
    "{{ 'a'.center(1000000000) }}{{ 'a'.zfill(1000000000) }}",
    "{{ '%1000000000d' % 1 }}",
    "{{ '{:1000000000}'.format(1) }}",
    "{% for a in range(1000000000) %}{% endfor %}",
    "{{ lipsum(n=1000000) }}",
    "{% macro m(x) %}{{ m(x ~ x) }}{% endmacro %}{{ m('ab') }}",
    "{% macro m(x) %}{{ m(x + x) }}{% endmacro %}{{ m('ab') }}",
    "{% macro m(x) %}{{ m(x + x) }}{% endmacro %}{{ m([1]) }}",
    "{% macro m(x) %}{{ m(x + x) }}{% endmacro %}{{ m(1) }}",
    "{% macro m(x) %}{% set y %}{{ x }}{{ x }}{% endset %}{{ m(y) }}{% endmacro %}{{ m('ab') }}",
    "DOUBLED{{ x }}END",
    "DOUBLED{{ x == x }}END",
    "PAIRS{{ {x: 1} }}END",
    "PAIRS{{ {}.get(x) }}END",
    "PAIRS{{ once(m, x) }}END",
    "{% set a %}" + "<" * 40_000 + "{% endset %}{{ a|striptags }}",
]
LISTS = "{% set l = 'abcdefghij'|list %}" + "{% set l = l + l + l + l + l + l + l + l + l + l %}" * 2
"""Sets a list of 1,000 texts."""
DOUBLED = "{% macro m(x, n) %}{% if n %}{{ m([x, x], n - 1) }}{% else %}"
END = "{% endif %}{% endmacro %}{{ m(1, 60) }}"
"""Around the use of a list with 2 to the power of 60 numbers."""
WORDS = {"LISTS": LISTS, "DOUBLED": DOUBLED, "PAIRS": DOUBLED.replace("[x, x]", "(x, x)"), "END": END}
LEAKS = (
    "<module",
    "<class",
    "<function",
    "<bound method",
    "<built-in",
    "&lt;module",
    "&lt;class",
    "&lt;function",
    " at 0x",
)


@cache
def golden() -> Site:
    return read(GOLDEN)


def themed(layout: str) -> Mapping[str, str]:
    return {**templates(), "sitegen/layout.html": templates()["layout.html"], "layout.html": layout}


def rendered(layout: str) -> str:
    """Returns a page with this layout, which a theme has."""
    site = glossary({"1.0": {"jig": "Holds a part."}})
    return Renderer(themed(layout), site).render(Page(address="", template="layout.html", title="T")).content.decode()


def test_the_canary_can_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jinja's own sandbox runs the first of the templates if it gets a module, so the templates are no blanks."""
    monkeypatch.chdir(tmp_path)
    SandboxedEnvironment().from_string(ESCAPES["globals"][0]).render(urls=urls)
    assert Path("canary").exists()


@pytest.mark.parametrize("kind", ESCAPES)
def test_no_template_escapes(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A template of a theme runs nothing, reads nothing outside and shows no object of Python."""
    monkeypatch.chdir(tmp_path)
    Path("secret.txt").write_text("the secret")
    for layout in ESCAPES[kind]:
        try:
            html = rendered(layout)
        except SitegenError as error:
            assert len(str(error).splitlines()) == 1 and "[theme] failed" in str(error)
            html = ""
        assert not [leak for leak in (*LEAKS, "the secret", "root:") if leak in html], layout
        assert list(tmp_path.iterdir()) == [tmp_path / "secret.txt"], layout


def test_more_than_a_hundred_templates_are_tried() -> None:
    """The templates are at least 100, of at least ten kinds, each once."""
    layouts = [layout for several in ESCAPES.values() for layout in several]
    assert len(set(layouts)) == len(layouts) >= 100 and len(ESCAPES) >= 10


@pytest.mark.parametrize("layout", ENDLESS)
def test_work_has_a_limit(layout: str) -> None:
    """Endless recursion, endless loops and huge values are an error of one line that names the line."""
    with pytest.raises(SitegenError) as error:
        rendered("\n" + reduce(lambda text, word: text.replace(word, WORDS[word]), WORDS, layout))
    assert str(error.value).startswith(("layout.html:2: ", "layout.html:1: ")) and "\n" not in str(error.value)


def test_a_theme_that_repeats_our_templates() -> None:
    """With our own templates as a theme, pages are the same as without."""
    own = {**templates(), **{f"sitegen/{path}": text for path, text in templates().items() if path.endswith(".html")}}
    ours, theirs = Renderer(templates(), golden()), Renderer(own, golden())
    for page in pages_of(golden()).values():
        assert ours.render(page) == theirs.render(page)
    assert ours.panels() == theirs.panels()


@pytest.mark.parametrize(
    ("layout", "html"),
    [
        ("{{ '<b>' ~ text('<') }}{{ ['<', text('<')]|join('<') }}", "&lt;b&gt;&lt;&lt;&lt;&lt;"),
        ("{% set html %}<b> {{ urls.ABOUT }} </b>{% endset %}{{ html|trim|upper }}", "<B> ABOUT/ </B>"),
        ("{% if 1 < 2 <= 2 and 'a' not in ['b'] and 'a' in {'a': 1} %}{{ 3 * 2 - 1 }}{% endif %}", "5"),
        ("{% for a, b in {'x': 1}.items() if b %}{{ a }}{{ loop.index }}{{ loop.last }}{% endfor %}", "x1True"),
        (
            "{% macro m(a) %}{{ a }}{{ caller() }}{% endmacro %}{% call m('<') %}{{ urls.ABOUT }}{% endcall %}",
            "&lt;about/",
        ),
        (
            "{{ site.title }}{{ nothing|default('-') }}{{ [site]|map(attribute='language')|first }}",
            "Example glossary-en",
        ),
    ],
)
def test_what_a_template_can_do(layout: str, html: str) -> None:
    """Loops, conditions, macros, blocks of text and listed filters work as in Jinja, and escape what they join."""
    assert html in rendered(layout)


def test_the_commands_name_the_mistake(command: Command, tmp_path: Path) -> None:
    """A template without end stops build and check with one line, also in worker processes."""
    (tmp_path / "t").mkdir()
    (tmp_path / "words.md").write_text(
        "# Words\n\n" + "".join(f"## Jig {i}\n\nHolds part {i}.\n\n" for i in range(400))
    )
    (tmp_path / "site.toml").write_text('[theme]\ntemplates = "t"\n[[source]]\nid = "w"\nfile = "words.md"\n')
    page = '{% extends "sitegen/pages/term.html" %}\n{% block head %}\n' + ENDLESS[0] + "{% endblock %}"
    (tmp_path / "t/pages").mkdir()
    (tmp_path / "t/pages/term.html").write_text(page)
    for arguments in (["build", "--no-ledger", "--jobs", "2"], ["build", "--no-ledger", "--jobs", "1"], ["check"]):
        result = command(*arguments)
        assert result.status == 2
        assert (
            result.err.count("\n") == 1 and "pages/term.html:3: a template of [theme] failed on /term/" in result.err
        )


STEPS = 6
LISTED = {"say", "forms", "text", "listed", "_html_of_each", "feed", "release", "link", "_once"}
METHODS = {
    "capitalize",
    "endswith",
    "get",
    "items",
    "keys",
    "lower",
    "split",
    "startswith",
    "strip",
    "title",
    "upper",
}
METHODS |= {"values"}
REFUSED = (types.ModuleType, type, types.CodeType, types.FrameType, types.TracebackType, io.IOBase, os.PathLike)


def reached(environment: RestrictedEnvironment, value: Any) -> Iterator[tuple[str, Any]]:
    """Yields what a template reaches from a value in one step, with a name for it."""
    for name in dir(value):
        found = environment.getattr(value, name)
        if not isinstance(found, Undefined):
            yield f".{name}", found
    if isinstance(value, Mapping):
        yield from ((f"[{key!r}]", one) for key, one in value.items())
    elif isinstance(value, Iterable) and not isinstance(value, str):
        yield from ((f"[{number}]", one) for number, one in enumerate(value))
    if callable(value) and not isinstance(value, Macro):
        context = environment.get_template("partials/counts.html").new_context()
        with suppress(Exception):  # it needs arguments, or is refused
            yield "()", environment.call(context, value)


def is_listed(value: Any) -> bool:
    function = value.func if isinstance(value, partial) else value
    if isinstance(function, types.BuiltinMethodType | types.MethodType) and function.__name__ in METHODS:
        return isinstance(function.__self__, str | Mapping)
    return isinstance(value, Macro | LoopContext) or getattr(function, "__name__", "") in LISTED


def test_templates_reach_only_plain_values() -> None:
    """Six steps from the values of every page lead to no module, class, code, frame, file or unlisted function."""
    own = {**templates(), **{f"sitegen/{path}": text for path, text in templates().items() if path.endswith(".html")}}
    renderer = Renderer(own, golden())
    environment = renderer.templates
    assert isinstance(environment, RestrictedEnvironment)
    given: list[tuple[str, Any]] = [(name, value) for name, value in environment.globals.items()]
    render = environment.render

    def recorded(template: str, page: str, values: Mapping[str, object], **more: object) -> str:
        given.extend((f"{template}: {name}", value) for name, value in {**values, **more}.items())
        return render(template, page, values, **more)

    environment.render = recorded  # type: ignore[method-assign]
    for page in pages_of(golden()).values():
        renderer.render(page)
    given += [("loop", LoopContext([1, 2], Undefined))]
    given += [(name, environment.get_template(f"partials/{name}.html").module) for name in ("items", "shapes")]
    seen: dict[Hashable, Any] = {}
    for _ in range(STEPS):
        following = []
        for path, value in given:
            assert not isinstance(value, REFUSED), path
            assert not callable(value) or is_listed(value), path
            # One text reaches what another does.
            key = type(value) if isinstance(value, str | int | float | None) else id(value)
            if key not in seen:
                seen[key] = value
                following += [(path + step, one) for step, one in reached(environment, value)]
        given = following
    assert len(seen) > 1000, len(seen)
