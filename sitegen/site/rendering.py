"""Renders pages: Jinja templates place the values that Python decided, and escape them.

Templates arrive as a mapping from path to text, read by `site.templates`. A template that uses a
value it was not given raises an error, which stops the build.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, MutableMapping, Sequence
from functools import cache, lru_cache, partial
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined
from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup, escape

from sitegen import __version__
from sitegen.addresses import urls
from sitegen.model import File
from sitegen.model.terms import MARKS
from sitegen.permanence.kept_pages import notices
from sitegen.site import compiled
from sitegen.site.messages import plain
from sitegen.site.pages import Page
from sitegen.site.pages.about import first_of_note
from sitegen.site.pages.language_links import language_links, root_of_originals
from sitegen.site.pages.page import Writer
from sitegen.site.site import Site
from sitegen.site.theme import HTML, PAGE_PLACES, picture_address
from sitegen.text import compact_json

GENERATOR = f"sitegen {__version__}"

THEME_ROOT = "{root}"
"""In HTML of a theme, the path from the page to the root of the site."""
THEME_SCRIPT = "partials/theme.js"
"""The only inline script of a page: it must run before the first paint."""


def policy(script: str) -> str:
    """Returns the Content-Security-Policy of a page. It allows nothing from other sites, and only
    one inline script: the one with this text."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; script-src 'self' 'sha256-{digest}'; style-src 'self'; "
        "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'"
    )


NAVIGATION = (
    ("nav.a-z", urls.A_TO_Z, urls.A_TO_Z),
    ("nav.releases", urls.RELEASES, (urls.RELEASES, urls.COMPARE)),
    ("nav.about", urls.ABOUT, urls.ABOUT),
)
"""The links above every page: message, address, and the folders of the pages that belong to it."""


class Renderer:
    """Renders the pages of one site."""

    def __init__(self, templates: Mapping[str, str], site: Site) -> None:
        self.site = site
        self.words = site.words
        self.templates = _environment(templates, site)
        self.notices = notices(site.addresses)
        """The notices about corrected words, by the addresses of the pages that show them."""
        self.theme_html = {place: templates.get(HTML + place, "") for place in PAGE_PLACES}
        """The HTML of the theme for each place on a page; empty if it has none."""

    def render(self, page: Page) -> File:
        """Returns the file of a page. The same page always gives the same bytes."""
        root = urls.root(page.address, base_path=self.site.base_path)
        site_title = self.site.title
        page_title = plain(page.title)
        title = site_title
        if page_title:
            title = plain(self.words.say("title", page=page_title, site=site_title))
        structured_data = None
        if page.structured_data:
            structured_data = htmlsafe_json_dumps(page.structured_data, compact_json.text)
        canonical = page.canonical
        if canonical is None:  # "" is the first page
            canonical = page.address

        theme_html = {}
        for place, text in self.theme_html.items():
            theme_html[place] = Markup(text.replace(THEME_ROOT, root))  # noqa: S704  (the theme's)

        html = self.templates.get_template(page.template).render(
            page.context,
            root=root,
            link=partial(urls.link, root=root),
            page_address=page.address,
            kept_ids=self._kept_ids(page.address),
            title=title,
            description=plain(page.description) or title,
            canonical=self._absolute(canonical),
            card_title=page_title or site_title,
            # Only pages of terms have a status.
            card_kind="article" if page.standing else "website",
            card_url=self._absolute(page.address),
            standing=page.standing,
            thing=structured_data,
            notices=self._notices(page.address),
            theme_html=theme_html,
            languages=language_links(self.site, page.address, root),
            translations=urls.link(urls.TRANSLATIONS, root_of_originals(self.site, root)),
        )
        # A page may name a file whose name is no valid UTF-8.
        return File(path=urls.path(page.address), content=f"{html}\n".encode(errors="replace"))

    def _kept_ids(self, address: str) -> Sequence[str]:
        """Returns the published ids of a page that no element has any more. Links to them must
        still lead to the page."""
        addresses = self.site.addresses
        # Sphinx links to A–Z with the id of a term, also of one that is gone.
        if address == urls.A_TO_Z:
            ids: set[str] = set()
            for page in self.site.kept:
                if urls.is_of_term(page.address):
                    ids.update(urls.sphinx_anchors(page.name))
            return sorted(ids - addresses.sphinx_ids.keys())
        slug = urls.slug_in(address)
        if slug in addresses.pages and address == urls.term(slug):
            return addresses.pages[slug].kept_ids
        return ()

    def _notices(self, address: str) -> list[Markup]:
        """Returns the notices of a page: that its words were corrected after they were published,
        or that they differ from the source now."""
        sentences = []
        for notice in self.notices.get(address, ()):
            day = Markup()
            if not notice.reason:  # the words were not corrected in site.toml
                key = "kept.differs"
            elif notice.day:
                key = "kept.corrected-on"
                day = self.words.date(notice.day)
            else:
                key = "kept.corrected"
            title = self.site.source_title(notice.source)
            sentence = self.words.say(
                key, source=title, release=notice.release, reason=notice.reason, date=day
            )
            sentences.append(sentence)
        return sentences

    def panels(self) -> File:
        """Returns the script with the HTML that other scripts add to a page, in the language of the
        site."""
        html = self.templates.get_template("panels.html").render(link=partial(urls.link, root=""))
        text = json.dumps(html, ensure_ascii=False)
        return File(path=urls.PANELS, content=f"self.glossaryPanels = {text};\n".encode())

    def _absolute(self, address: str) -> str:
        """Returns the absolute address of a page; empty for the page of lost addresses, and if the
        site has no base_url."""
        is_at_any_address = address == urls.NOT_FOUND
        if not self.site.base_url or is_at_any_address:
            return ""
        return self.site.base_url + address


class _Environment(Environment):
    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Returns the values that a template can use. They are a dict, because lookups in the
        `ChainMap` of Jinja take a tenth of the time of a build."""
        return {**self.globals, **(d or {})}


# Cached for sites in several languages, and for the preview, which renders with the same templates
# after each save; compiling them takes 0.1 s.
@lru_cache(maxsize=1)
def _loader(templates: tuple[tuple[str, str], ...]) -> BaseLoader:
    """Returns the loader of templates, which are given as pairs of path and text."""
    return compiled.loader(dict(templates))


def _environment(texts: Mapping[str, str], site: Site) -> _Environment:
    """Returns the environment in which the templates of a site are rendered."""
    loader = _loader(tuple(texts.items()))  # a tuple can be the key of a cache
    environment = _Environment(loader=loader, undefined=StrictUndefined, **compiled.OPTIONS)
    # Cached, because each page uses the same fifty messages.
    environment.filters["say"] = compiled.say_filter(cache(site.words.say))
    environment.globals = _values(site, texts)
    return environment


def _values(site: Site, texts: Mapping[str, str]) -> dict[str, Any]:
    """Returns the values that all templates share."""
    words = site.words
    return {
        "say": words.say,
        "say_forms": words.forms,
        "text": words.text,
        "listed": words.listed,
        "site": site,
        "site_title": words.text(site.title),
        "site_note": first_of_note(Writer(site, urls.HOME)),
        "built_with": words.say("built-with", generator=escape(GENERATOR)),
        "linked_pages": [page for page in site.extra_pages if page.is_linked],
        "generator": GENERATOR,
        "language": words.language,
        "policy": Markup(policy(texts[THEME_SCRIPT])),  # noqa: S704  (ours, and so is the script)
        "theme_script": Markup(texts[THEME_SCRIPT]),  # noqa: S704
        "direction": words.direction,
        "marks": MARKS,
        "urls": urls,
        "favicon": picture_address(texts, "favicon") or "assets/favicon.svg",
        "logo": picture_address(texts, "logo"),
        "navigation": NAVIGATION,
    }
