"""Templates as programs for one site: what stands on every page alike is settled when they are compiled.

Of all that a template places, most is the same on every page: words of the interface, the site's title, its policy.
An expression made of nothing but such values has one value, which goes into the program as if it stood in the
template. What differs from page to page is given when a page is rendered, under names of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Protocol

from jinja2 import DictLoader, Environment, StrictUndefined, nodes
from jinja2.compiler import has_safe_repr
from jinja2.utils import htmlsafe_json_dumps
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

from sitegen.site.stencils import Stencils, Values, patient, placed
from sitegen.text import compact_json

DRAWN = 4096
"""Values of which it is kept how a filter has drawn them."""


class Outline(Hashable, Protocol):
    """What many pages have alike."""

    def told(self, own: Iterable[object]) -> object:
        """Returns what a macro draws, given values of a page's own."""


class Outlined(Protocol):
    """What has an outline, and values of its own."""

    @property
    def outline(self) -> Outline: ...
    @property
    def own(self) -> Sequence[object]: ...


class Templates(Environment):
    """The templates of one site, by path, compiled when they are first asked for."""

    def __init__(self, texts: Mapping[str, str], known: Mapping[str, object]) -> None:
        """`known` is what stands on every page alike, and functions that answer to the same with the same."""
        super().__init__(
            loader=DictLoader(texts),
            autoescape=True,
            optimized=False,  # what can be known of an expression is settled already (`_Settling`)
            auto_reload=False,
            cache_size=-1,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.globals = dict(known)
        self.filters["join"] = patient(_joined)
        self.filters["tojson"] = patient(_json)
        self._stencils, self._outlines = Stencils(), Stencils(waits=True)
        self._macros: dict[tuple[str, str], Callable[..., Markup]] = {}

    def draw(self, path: str, *macros: str) -> None:
        """Makes filters of macros, for values that differ from page to page."""
        for name in macros:
            self.filters[name] = patient(partial(self._drawn, path, name))

    def keep(self, path: str, *macros: str) -> None:
        """Makes filters of macros that are given the same few values again and again: each is drawn once."""
        for name in macros:
            self.filters[name] = patient(lru_cache(maxsize=DRAWN)(partial(self._drawn, path, name)))

    def keep_each(self, path: str, **macros: str) -> None:
        """Makes filters, by name, that draw several values by a macro, each value once."""
        for name, macro in macros.items():
            self.filters[name] = patient(partial(_each, lru_cache(maxsize=DRAWN)(partial(self._drawn, path, macro))))

    def outline(self, path: str, macro: str) -> None:
        """Makes a filter of a macro for what many pages have alike, but for values of their own."""
        self.filters[macro] = patient(partial(self._outlined, path, macro))

    def filled(self, path: str, values: Values, settled: Values, settled_as: Hashable) -> str:
        """Returns the page that a template makes of its values; what pages alike have in common is drawn once.

        `settled_as` tells what is settled for this page from what is for others.
        """
        template = self.get_template(path)
        return self._stencils.filled((path, settled_as), values, lambda gaps: template.render(settled, **gaps))

    def _drawn(self, path: str, macro: str, *values: object) -> Markup:
        if (path, macro) not in self._macros:
            self._macros[path, macro] = getattr(self.get_template(path).module, macro)
        drawn: Markup = self._macros[path, macro](*values)
        return drawn

    def _outlined(self, path: str, macro: str, one: Outlined) -> Markup:
        own = dict(enumerate(one.own))

        def draw(gaps: Values) -> Markup:
            return self._drawn(path, macro, one.outline.told(gaps.values()))

        return Markup(self._outlines.filled((macro, one.outline), own, draw))  # noqa: S704  (as its macro drew it)

    def make_globals(self, d: Mapping[str, Any] | None) -> dict[str, Any]:
        """All templates share what is known: no page has to gather it for itself."""
        assert not d, "what a page is given is given when it is rendered"
        return self.globals

    def _generate(self, source: nodes.Template, *args: Any, **kwargs: Any) -> str:
        own = {name.name for name in source.find_all(nodes.Name) if name.ctx != "load"}
        known = {name: value for name, value in self.globals.items() if name not in own}
        return super()._generate(_Settling(known).visit(source), *args, **kwargs) + "\nescape = environment.placed\n"

    placed = staticmethod(placed)


class _Settling(NodeTransformer):
    """Puts values in the place of expressions that are known."""

    def __init__(self, known: Mapping[str, object]) -> None:
        self.known = known

    def visit(self, node: nodes.Node, *args: Any, **kwargs: Any) -> Any:
        if isinstance(node, (nodes.Name, nodes.Getattr, nodes.Call)):
            try:
                value = self._value(node)
            except nodes.Impossible:
                pass
            else:
                if has_safe_repr(value):
                    return nodes.Const(value, lineno=node.lineno)
        return super().visit(node, *args, **kwargs)

    def _value(self, node: nodes.Expr | None) -> Any:
        match node:
            case nodes.Const():
                return node.value
            case nodes.Name() if node.name in self.known:
                return self.known[node.name]
            case nodes.Getattr():
                return getattr(self._value(node.node), node.attr)
            case nodes.Call(dyn_args=None, dyn_kwargs=None):
                named = {pair.key: self._value(pair.value) for pair in node.kwargs}
                return self._value(node.node)(*map(self._value, node.args), **named)
        raise nodes.Impossible


def _each(draw: Callable[[object], Markup], values: Iterable[object]) -> Markup:
    return Markup("".join(map(draw, values)))  # noqa: S704  (as its macro drew it)


def _json(value: object) -> Markup:
    return htmlsafe_json_dumps(value, dumps=compact_json.text)


def _joined(values: Iterable[object], separator: object = "") -> Markup:
    texts = [placed(value) for value in values]
    return texts[0] if len(texts) == 1 else Markup(str(escape(separator)).join(texts))  # noqa: S704
