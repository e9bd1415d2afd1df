"""Compiles and runs the templates of a theme, which can come from a pull request.

These templates use a part of Jinja. `_Metered` refuses the other nodes when a template is compiled. A running
template reads the attributes that `attributes_of` lists and calls the functions of `RestrictedEnvironment`. It
writes, joins and compares only texts and numbers: a list that contains another one twice, and so on, is short, but
endless to write.

Work is counted, not timed, so a page fails on every machine or on none. Each body of a loop, macro, block or template
adds its size when it begins, each text its length when it is used, each list its length when it is made.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import cache, cached_property, partial
from types import BuiltinMethodType, FunctionType, MethodType
from typing import Any

from jinja2 import (
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
    Undefined,
    nodes,
    pass_context,
)
from jinja2.environment import Template, TemplateModule
from jinja2.exceptions import SecurityError
from jinja2.filters import FILTERS
from jinja2.runtime import BlockReference, Context, LoopContext, Macro, TemplateReference, markup_join
from jinja2.sandbox import SandboxedEnvironment
from jinja2.tests import TESTS
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

from sitegen.model import SitegenError
from sitegen.site.compiled import SharedLoader
from sitegen.site.theme import BUILT_IN

WORK = 50_000_000
"""The maximum work of a page: a character counts 1, any other step `STEP`."""
STEP = 10
MAX_TEMPLATE = 50_000
"""The maximum length of a template. Compiling one takes up to 20 microseconds a character."""
MAX_NUMBER = 2**63
MAX_MESSAGE = 200
"""The maximum length of the message of an error, which can contain a text of a template."""

_NODES = frozenset(
    "Add And Assign AssignBlock Block Call CallBlock Compare Concat CondExpr Const Dict Div Extends Filter FloorDiv"
    " For FromImport Getattr Getitem If Import Include Keyword List Macro Mod Mul Name Neg Not Operand Or Output Pair"
    " Pos Sub Template TemplateData Test Tuple With".split()
)
_WITH_PATH = (nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)
_PAGE_FUNCTIONS = frozenset({"link"})
"""The names of the functions among the values of a page."""
_PLAIN = (str, int, float, type(None), date)
_MAPPING_METHODS = frozenset({"get", "items", "keys", "values"})
_TEXT_METHODS = frozenset({"capitalize", "endswith", "lower", "split", "startswith", "strip", "title", "upper"})
_LOOP = frozenset("depth depth0 first index index0 last length nextitem previtem revindex revindex0".split())


@cache
def attributes_of(kind: Any) -> frozenset[str]:
    """Returns the attributes that a template can read from values of a type."""
    if issubclass(kind, str):
        return _TEXT_METHODS
    if issubclass(kind, Mapping):
        return _MAPPING_METHODS
    if kind is LoopContext:
        return _LOOP
    if not kind.__module__.startswith("sitegen."):
        return frozenset({"super"} if kind is BlockReference else ())
    fields = getattr(kind, "_fields", ()) or getattr(kind, "__dataclass_fields__", ())
    properties = (
        name
        for base in kind.__mro__
        for name, value in vars(base).items()
        if isinstance(value, property | cached_property)
    )
    return frozenset(name for name in (*fields, *properties) if not name.startswith("_"))


class RestrictedEnvironment(SandboxedEnvironment):
    """An environment whose templates get plain values, and stop with an error after `WORK`."""

    intercepted_binops = frozenset({"+", "-", "*", "/", "//", "%"})

    def __init__(self, loader: ThemeLoader, functions: Mapping[str, Callable[..., Any]], **options: Any) -> None:
        """`functions` are those that templates may call, besides macros and the methods of texts and mappings."""
        options |= {"optimized": False, "finalize": _written}  # nothing is computed while a template is compiled
        super().__init__(loader=loader, undefined=StrictUndefined, **options)
        self._texts = loader.mapping
        self._functions = frozenset(functions.values())
        self._left = WORK
        self.filters = {name: FILTERS[name] for name in ("count", "d", "default", "first", "last", "length")}
        of_texts = ("capitalize", "e", "escape", "lower", "title", "trim", "upper")
        self.filters |= {name: self._guarded(FILTERS[name]) for name in of_texts}
        self.filters |= {"say": self._guarded(functions["say"])}
        self.filters |= {"join": self._join, "list": self._list, "map": self._map, "striptags": self._striptags}
        self.filters |= {"~spend": self._spend, "~plain": self.plain, "~concat": self._concat, "~among": self._among}
        self.tests = {name: TESTS[name] for name in ("defined", "none", "undefined")}

    def render(self, template: str, page: str, values: Mapping[str, object], **more: object) -> str:
        """Returns the HTML of a template for a page. Raises SitegenError if it fails or takes too much work."""
        self._left = WORK
        self._callable = self._functions | {_function(more[name]) for name in _PAGE_FUNCTIONS & more.keys()}
        try:
            return self.get_template(template).render(values, **more)
        except Exception as error:
            found = f"{self._place(error)}a template of [theme] failed on /{page}: {_text(error)}"
            raise SitegenError(found) from None

    def _place(self, error: Exception) -> str:
        """Returns path and line of the innermost code of a theme that raised an error."""
        if isinstance(error, TemplateSyntaxError):
            return f"{error.name}:{error.lineno}: "
        frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
        places = [(name, line) for name, line in frames if name in self._texts and BUILT_IN + name in self._texts]
        return f"{places[-1][0]}:{places[-1][1]}: " if places else ""

    def _generate(
        self, source: nodes.Template, name: str | None, filename: str | None, defer_init: bool = False
    ) -> str:
        return super()._generate(_Metered(name).visit(source), name, filename, defer_init)

    def spend(self, work: int) -> None:
        """Adds to the work of a page. Raises SecurityError if that is too much."""
        self._left -= work
        if self._left < 0:
            raise SecurityError(f"it takes more than {WORK:,} steps for this page; shorten its loops and texts")

    def plain(self, value: Any) -> Any:
        """Returns a text, a number, a date or None. Raises SecurityError for other values."""
        if isinstance(value, str):
            self.spend(len(value))
        elif isinstance(value, Undefined):
            str(value)  # raises
        elif not isinstance(value, _PLAIN):
            raise SecurityError(f"a template can use only parts of a value of the type {type(value).__name__!r} here")
        return value

    def _guarded(self, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Returns a filter from a function of one plain value."""

        def filtered(value: Any) -> Any:
            result = function(self.plain(value))
            self.spend(len(result))
            return result

        return filtered

    def getattr(self, obj: Any, attribute: str) -> Any:
        if attribute in attributes_of(obj.__class__):
            return getattr(obj, attribute)
        if isinstance(obj, TemplateModule) and attribute in vars(obj) and not attribute.startswith("_"):
            return vars(obj)[attribute]
        return self._item(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        value = self._item(obj, self.plain(argument))
        if isinstance(value, Undefined) and argument in attributes_of(obj.__class__):
            return getattr(obj, argument)
        return value

    def _item(self, obj: Any, key: Any) -> Any:
        if isinstance(obj, Undefined):
            str(obj)  # raises
        if isinstance(obj, Sequence | Mapping | TemplateReference):
            try:
                return obj[key]
            except (TypeError, LookupError):
                pass
        return self.undefined(obj=obj, name=key)

    def call(self, context: Context, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        self.spend(STEP * (1 + len(args) + len(kwargs)))
        if not isinstance(function, Macro | BlockReference | LoopContext):
            self._check_call(function, args, kwargs)
        result = context.call(function, *args, **kwargs)
        if isinstance(result, str | list):
            self.spend(len(result) * (1 if isinstance(result, str) else STEP))
        return result

    def _check_call(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        """Raises SecurityError if a template must not call a function, or not with these arguments."""
        function = _function(function)
        values = [*args, *(value for name, value in kwargs.items() if name not in ("_loop_vars", "_block_vars"))]
        if isinstance(function, Undefined):
            str(function)  # raises
        if not isinstance(function, FunctionType | MethodType | BuiltinMethodType):
            raise SecurityError(f"a template cannot call a value of the type {type(function).__name__!r}")
        if function in self._callable:
            is_of_macro = bool(values) and isinstance(values[0], Macro)
            for value in values:
                if type(value) in (list, tuple):
                    for one in value:
                        self._argument(one)
                elif not is_of_macro:  # a macro can get a part of the page
                    self._argument(value)
            return
        owner = getattr(function, "__self__", None)
        if not isinstance(owner, str | Mapping) or function.__name__ not in attributes_of(type(owner)):
            raise SecurityError(f"a template cannot call {function.__name__!r}")
        self.plain(values[0] if values else None)
        if isinstance(owner, str):
            self.spend(len(owner) * (1 + sum(len(str(self.plain(value))) for value in values)))

    def _argument(self, value: Any) -> None:
        if isinstance(value, str):
            self.spend(STEP * len(value))
        self.plain(value)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if operator == "+" and isinstance(left, list) and isinstance(right, list):
            self.spend(STEP * (len(left) + len(right)))
        elif operator == "+" and isinstance(left, str) and isinstance(right, str):
            self.spend(len(left) + len(right))
        elif not isinstance(left, int | float) or not isinstance(right, int | float):
            raise SecurityError(f"a template can use {operator!r} only with numbers")
        result = super().call_binop(context, operator, left, right)
        if isinstance(result, int) and abs(result) > MAX_NUMBER:
            raise SecurityError("a number is too large")
        return result

    def _spend(self, value: Any, work: int) -> Any:
        self.spend(work)
        return value

    def _among(self, values: Any) -> Any:
        """Returns the values that `in` compares another one with."""
        if not isinstance(values, str | Mapping):
            values = self._list(values)
            self.spend(sum(len(value) for value in values if isinstance(value, str)))
        return self.plain(values) if isinstance(values, str) else values

    def _concat(self, parts: Iterable[Any]) -> str:
        return markup_join(map(self.plain, parts))

    def _join(self, values: Iterable[Any], separator: str = "") -> str:
        parts = [self.plain(value) for value in values]
        self.spend(len(separator) * len(parts))
        if any(isinstance(part, Markup) for part in (separator, *parts)):
            return escape(separator).join(parts)
        return str(separator).join(map(str, parts))

    def _list(self, values: Iterable[Any]) -> list[Any]:
        listed = list(values)
        self.spend(STEP * len(listed))
        return listed

    def _map(self, values: Iterable[Any], *, attribute: str) -> list[Any]:
        return [self.getattr(value, self.plain(attribute)) for value in self._list(values)]

    def _striptags(self, value: Any) -> str:
        text = str(self.plain(value))
        self.spend(len(text) * text.count("<") // STEP)  # each tag copies the text
        return Markup(text).striptags()  # noqa: S704


def _function(value: Any) -> Any:
    """Returns the function of a partial application, and any other value as it is."""
    return value.func if isinstance(value, partial) else value


def _text(error: Exception) -> str:
    """Returns the message of an error on one line."""
    if isinstance(error, RecursionError):
        return "its templates, macros or blocks call each other without end"
    text = str(error) if isinstance(error, TemplateError) else f"{type(error).__name__}: {error}"
    return " ".join(text.split())[:MAX_MESSAGE]


@pass_context
def _written(context: Context, value: Any) -> Any:
    environment = context.environment
    assert isinstance(environment, RestrictedEnvironment)
    return environment.plain(value)


class ThemeLoader(SharedLoader):
    """Loads templates from texts. Their paths are their file names, which tracebacks show."""

    def get_source(self, environment: Any, template: str) -> Any:
        if not template.endswith(".html") or template not in self.mapping:
            raise TemplateNotFound(template)
        if len(self.mapping[template]) > MAX_TEMPLATE:
            raise TemplateSyntaxError(f"it has more than {MAX_TEMPLATE:,} characters", 1, template)
        return self.mapping[template], template, None

    def load(self, environment: Any, name: str, globals: Any = None) -> Template:
        try:
            return super().load(environment, name, globals)
        except TemplateError:
            raise
        except Exception as error:  # Python's limits on nesting and on numbers
            raise TemplateSyntaxError(f"it cannot be compiled: {error}", 1, name) from None


class _Metered(NodeTransformer):
    """Refuses nodes that are not in `_NODES`, and adds the calls that count and check."""

    def __init__(self, name: str | None) -> None:
        self._name = name

    def visit(self, node: Any, *args: Any, **kwargs: Any) -> Any:
        kind = type(node).__name__
        if kind not in _NODES:
            found = f"a template of a theme cannot use Jinja's {kind!r}"
            raise TemplateSyntaxError(found, node.lineno, self._name)
        size = _size(node) if hasattr(node, "body") and not isinstance(node, nodes.If) else 0
        node = self.generic_visit(node)
        if size and isinstance(node.body, list):
            charge = _filter("~spend", nodes.Const(""), nodes.Const(size))
            node.body.insert(0, nodes.ExprStmt(charge, lineno=node.lineno))
        if isinstance(node, nodes.For) and node.test:
            node.test = nodes.And(_filter("~spend", nodes.Const(True), nodes.Const(size)), node.test)
        elif isinstance(node, nodes.Concat):
            return _filter("~concat", nodes.List(node.nodes))
        elif isinstance(node, nodes.Compare):
            node.expr = _filter("~plain", node.expr)
            for operand in node.ops:
                operand.expr = _filter("~among" if operand.op in ("in", "notin") else "~plain", operand.expr)
        elif isinstance(node, nodes.Pair):
            node.key = _filter("~plain", node.key)
        elif isinstance(node, _WITH_PATH) and not isinstance(getattr(node.template, "value", None), str):
            raise TemplateSyntaxError("write the path of the template as a text", node.lineno, self._name)
        return node


def _filter(name: str, value: nodes.Expr, *args: nodes.Expr) -> nodes.Filter:
    """Returns a call of a filter, whose name is none that a template can write."""
    return nodes.Filter(value, name, list(args), [], None, None, lineno=value.lineno)


def _size(node: nodes.Node) -> int:
    """Returns the work of running each node in a body once."""
    parts = list(node.find_all(nodes.Node))
    texts = (part.data if isinstance(part, nodes.TemplateData) else getattr(part, "value", "") for part in parts)
    return STEP * len(parts) + sum(len(text) for text in texts if isinstance(text, str))
