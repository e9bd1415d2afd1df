"""Renders pages: Jinja templates place the values that Python decided, and escape them.

Templates arrive as a mapping from path to text, read by `site.templates`. A template that uses a value it was not
given raises an error, which stops the build.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from functools import lru_cache, partial
from typing import Any, NamedTuple

from jinja2 import DictLoader, Environment, StrictUndefined
from jinja2.runtime import Macro
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from sitegen import __version__
from sitegen.addresses import urls
from sitegen.model import File
from sitegen.model.terms import MARKS
from sitegen.site.messages import Catalog, catalog
from sitegen.site.pages import Page
from sitegen.site.restricted import RestrictedEnvironment
from sitegen.site.site import Site
from sitegen.site.theme import BUILT_IN, picture
from sitegen.text import compact_json

GENERATOR = f"sitegen {__version__}"

THEME_SCRIPT = "partials/theme.js"
"""The only inline script of a page: it must run before the first paint."""


def policy(script: str) -> str:
    """Returns the Content-Security-Policy of a page: nothing from other sites, and inline only this script."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'self' 'sha256-{digest}'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'"
    )


NAVIGATION = (
    ("nav.a-z", urls.A_TO_Z),
    ("nav.releases", urls.RELEASES),
    ("nav.compare", urls.COMPARE),
    ("nav.about", urls.ABOUT),
)
"""Messages and addresses of the links above every page."""

FRAMED = frozenset({urls.HOME, urls.SEARCH, *(address for _, address in NAVIGATION)})
"""Pages that the frame links to. Their own frame differs, because the link is marked as current."""


class NavigationLink(NamedTuple):
    """A link of the site's navigation."""

    text: str
    address: str
    is_current: bool


class PageFrame(NamedTuple):
    """The HTML that all pages with the same root share: the first part of the head, the header and the footer."""

    head: Markup
    header: Markup
    footer: Markup


_CONSTANTS = {name: value for name, value in vars(urls).items() if name.isupper() and name[0] != "_"}
ADDRESSES = namedtuple("Addresses", _CONSTANTS)(**_CONSTANTS)
"""The constants of `addresses.urls`. Templates do not get the module, which leads to every module of Python."""


class SiteValues(NamedTuple):
    """The site's values that all templates can use."""

    title: str
    base_url: str
    language: str


class Renderer:
    """Renders the pages of one site."""

    def __init__(self, templates: Mapping[str, str], site: Site) -> None:
        self.site = site
        self.words: Catalog = catalog(site.language)
        self.logo = picture(templates, "logo")
        self.frames: dict[tuple[str, str | None], PageFrame] = {}
        values = SiteValues(title=site.title, base_url=site.base_url, language=site.language)
        self.templates = _environment(tuple(templates.items()), values)

    def render(self, page: Page) -> File:
        """Returns the file of a page. The same page always gives the same bytes."""
        root = urls.root(page.address, base_url=self.site.base_url)
        html = self._render(
            page.template,
            page.address,
            page.context,
            root=root,
            link=partial(urls.link, root=root),
            frame=self._frame(page.address, root),
            kept_ids=self.site.permanence.kept_fragments.get(f"/{page.address}", ()),
            title=self._title(page),
            description=page.description,
            canonical=self._absolute(page.address if page.canonical is None else page.canonical),
            card_title=page.title or self.site.title,
            card_kind="article" if page.standing else "website",
            card_url=self._absolute(page.address),
            standing=page.standing,
            thing=page.structured_data and htmlsafe_json_dumps(page.structured_data, compact_json.text),
            notices=self._notices(f"/{page.address}"),
        )
        return File(path=urls.path(page.address), content=f"{html}\n".encode(errors="replace"))

    def _title(self, page: Page) -> str:
        site = self.site.title
        return self.words.plain_text("title", page=page.title, site=site) if page.title else site

    def _notices(self, address: str) -> list[Markup]:
        """Returns the sentences about what a page does not show as it was published."""
        permanence, say = self.site.permanence, self.words.say
        reasons = [permanence.notices[address]] if address in permanence.notices else []
        notices = []
        for one in permanence.corrected.get(address, ()):
            if not one.words:
                reasons.append(one.reason)
                continue
            title, reason = self.site.source(one.source).title, one.reason or say("kept.no-reason")
            key, day = ("kept.corrected-on", self.words.date(one.date)) if one.date else ("kept.corrected", "")
            notices.append(say(key, source=title, release=one.release, reason=reason, date=day))
        return [*(say("kept.notice", reason=one or say("kept.no-reason")) for one in reasons), *notices]

    def panels(self) -> File:
        """Returns the script with the HTML that other scripts add to a page, in the language of the site."""
        html = self._render("panels.html", urls.PANELS, link=partial(urls.link, root=""))
        text = json.dumps(html, ensure_ascii=False)
        return File(path=urls.PANELS, content=f"self.glossaryPanels = {text};\n".encode())

    def _render(self, template: str, address: str, values: Mapping[str, object] | None = None, **more: object) -> str:
        """Returns the HTML of a template. Raises SitegenError if one of [theme] fails or takes too much work."""
        if isinstance(self.templates, RestrictedEnvironment):
            return self.templates.render(template, address, values or {}, **more)
        return self.templates.get_template(template).render(values or {}, **more)

    def _absolute(self, address: str) -> str:
        """Returns the absolute address of a page, or nothing if the site has no base_url."""
        return self.site.base_url + address if self.site.base_url and address != urls.NOT_FOUND else ""

    def _frame(self, address: str, root: str) -> PageFrame:
        """Returns the frame of a page. Pages with the same root share it, except those in `FRAMED`."""
        here = address if address in FRAMED else None
        if (root, here) not in self.frames:
            link = partial(urls.link, root=root)
            head = self._render("partials/site-head.html", address, root=root)
            header = self._render(
                "partials/site-header.html",
                address,
                logo=self.logo,
                links=self.site.theme.header,
                navigation=[
                    NavigationLink(text=self.words.say(key), address=to, is_current=to == address)
                    for key, to in NAVIGATION
                ],
                has_title=here != urls.HOME,
                has_search=here not in (urls.HOME, urls.SEARCH),
                link=link,
            )
            footer = self._render(
                "partials/site-footer.html",
                address,
                link=link,
                links=self.site.theme.footer,
                footer_text=self.site.theme.footer_text,
                extra_pages=self.site.extra_pages,
            )
            self.frames[root, here] = PageFrame(head=Markup(head), header=Markup(header), footer=Markup(footer))  # noqa: S704
        return self.frames[root, here]


class _Environment(Environment):
    """Passes the environment's globals to templates without a ChainMap, because each import reads all of them."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return super().make_globals(d) if d else self.globals


def _html_of_each(macro: Macro, values: Iterable[str]) -> Mapping[str, str]:
    """Returns the HTML of a macro for each of these values."""
    return {value: macro(value) for value in values}


# Cached for the preview, which renders with the same templates after each save; compiling them takes 0.1 s.
@lru_cache(maxsize=2)
def _environment(templates: tuple[tuple[str, str], ...], site: SiteValues) -> Environment:
    """Returns the environment in which the templates of a site are compiled."""
    words, texts = catalog(site.language), dict(templates)
    functions: dict[str, Callable[..., Any]] = {
        "say": words.say,
        "say_forms": words.forms,
        "text": words.text,
        "listed": words.listed,
        "html_of_each": _html_of_each,
        "feed_address": urls.feed,
        "release_address": urls.release,
    }
    options: dict[str, Any] = {
        "autoescape": True,
        "auto_reload": False,
        "cache_size": -1,
        "trim_blocks": True,
        "lstrip_blocks": True,
    }
    if any(path.startswith(BUILT_IN) for path in texts):
        environment: Environment = RestrictedEnvironment(texts, functions, **options)
    else:
        environment = _Environment(loader=DictLoader(texts), undefined=StrictUndefined, **options)
        # Jinja applies a filter to a constant when it compiles a template, so `"cite"|say` takes no time per page.
        environment.filters["say"] = words.say
    environment.globals = {**functions, **_values(site, words, texts)}
    return environment


def _values(site: SiteValues, words: Catalog, texts: Mapping[str, str]) -> Mapping[str, Any]:
    """Returns the values that all templates share."""
    return {
        "site": site,
        "generator": GENERATOR,
        "language": words.language,
        "locale": _locale(site.language),
        "policy": Markup(policy(texts[THEME_SCRIPT])),  # noqa: S704  (ours, and so is the script)
        "theme_script": Markup(texts[THEME_SCRIPT]),  # noqa: S704
        "direction": words.direction,
        "marks": MARKS,
        "urls": ADDRESSES,
        "favicon": picture(texts, "favicon") or "assets/favicon.svg",
    }


TERRITORIES = dict(
    pair.split(":") for pair in "ar:EG de:DE en:US es:ES fr:FR ja:JP pt:BR ru:RU zh:CN zh-Hant:TW".split()
)
"""Language to the territory with most of its readers."""


def _locale(language: str) -> str:
    """Returns a language as Open Graph spells it, `en_GB`, or "" without a known territory."""
    name, _, more = language.partition("-")
    territory = more.upper() if len(more) == 2 else TERRITORIES.get(language) or TERRITORIES.get(name, "")
    return f"{name}_{territory}" if territory else ""
