"""Pages become files: templates place what has been decided, and escape it.

Templates come as a mapping from path to text, read elsewhere. A template that asks for something it was not given is
an error of ours and stops the build.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from sitegen import __version__
from sitegen.addresses import urls
from sitegen.model import File
from sitegen.site.compiling import Templates
from sitegen.site.messages import Catalogue, catalogue
from sitegen.site.pages import Page
from sitegen.site.site import Site

GENERATOR = f"sitegen {__version__}"

THEME_SCRIPT = "partials/theme.js"
"""The one script within a page: it has to run before anything is painted."""


def policy(script: str) -> str:
    """Returns what a page may load: nothing from elsewhere, and within the page no style and only this script."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' 'sha256-{digest}'",
            "style-src 'self'",
            "img-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self'",
            "form-action 'self'",
            "base-uri 'none'",
        )
    )


NAVIGATION = (
    ("nav.a-z", urls.A_TO_Z),
    ("nav.releases", urls.RELEASES),
    ("nav.compare", urls.COMPARE),
    ("nav.about", urls.ABOUT),
)
"""Messages and addresses of the links above every page."""

FRAMED = frozenset({urls.HOME, urls.SEARCH, *(address for _, address in NAVIGATION)})
"""The pages that a frame leads to, and so is another on."""

MANY = frozenset({"pages/term.html", "pages/frozen.html"})
"""Templates of pages that are many: what those alike have in common is drawn once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A link of the site's navigation."""

    text: str
    address: str
    is_here: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What stands above and below what a page has to say."""

    header: Markup
    footer: Markup


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What is settled when templates are compiled: all that they know of a site beside what a page is given."""

    texts: Mapping[str, str]
    title: str
    base_url: str
    language: str


class Renderer:
    """Writes the pages of one site."""

    def __init__(self, templates: Mapping[str, str], site: Site, like: Renderer | None = None) -> None:
        """What another renderer has compiled is not compiled again, where this one is `like` it."""
        self.site = site
        self.words: Catalogue = catalogue(site.language)
        self.frames: dict[tuple[str, str | None], Frame] = {}
        self.settled = Settled(texts=templates, title=site.title, base_url=site.base_url, language=site.language)
        self.templates: Templates = like.templates if like and like.settled == self.settled else self._compiled()

    def render(self, page: Page) -> File:
        """Returns the file of a page. The same page always gives the same bytes."""
        root = urls.root(page.address, base_url=self.site.base_url)
        kept_ids = self.site.kept_fragments.get(f"/{page.address}", ())
        settled = {
            "root": root,
            "link": partial(urls.link, root=root),
            "frame": self._frame(page.address, root),
            "kept_ids": kept_ids,
        }
        values = {
            **page.context,
            "title": self._title(page),
            "description": page.description,
            "canonical": self._canonical(page),
            "card_title": page.title or self.site.title,
            "card_kind": "article" if page.standing else "website",
            "card_url": self._address(page.address),
            "standing": page.standing,
            "thing": page.thing,
            "notice": self._notice(page),
        }
        if page.template in MANY:
            html = self.templates.filled(page.template, values, settled, settled_as=(root, kept_ids))
        else:
            html = self.templates.get_template(page.template).render(settled, **values)
        return File(path=urls.path(page.address), content=f"{html}\n".encode(errors="replace"))

    def panels(self) -> File:
        """Returns the script that brings what other scripts add to a page, in the language of the site."""
        html = self.templates.get_template("panels.html").render(link=partial(urls.link, root=""))
        text = json.dumps(html, ensure_ascii=False)
        return File(path=urls.PANELS, content=f"self.glossaryPanels = {text};\n".encode())

    def _compiled(self) -> Templates:
        texts = self.settled.texts
        templates = Templates(
            texts,
            {
                "say": self.words.say,
                "say_forms": self.words.forms,
                "text": self.words.text,
                "listed": self.words.listed,
                "site": self.settled,
                "generator": GENERATOR,
                "language": self.words.language,
                "locale": _locale(self.settled.language),
                "policy": Markup(policy(texts[THEME_SCRIPT])),  # noqa: S704  (ours, and so is the script)
                "theme_script": Markup(texts[THEME_SCRIPT]),  # noqa: S704
                "direction": self.words.direction,
                "urls": urls,
            },
        )
        templates.keep("partials/shapes.html", "chip", "chips", "shape")
        templates.keep_each("partials/anchors.html", anchors="anchor")
        templates.keep_each("partials/wordings.html", options="option")
        templates.keep("partials/cells.html", "cells")
        templates.keep("partials/changes.html", "told")
        templates.keep("partials/timeline.html", "picture")
        templates.keep("partials/wordings.html", "wordings")
        templates.outline("partials/history.html", "life")
        templates.keep("partials/history.html", "said")
        templates.draw("partials/history.html", "compared")
        templates.draw("partials/names.html", "names")
        templates.draw("partials/notices.html", "notices")
        templates.draw("partials/others.html", "others")
        return templates

    def _title(self, page: Page) -> str:
        if not page.title:
            return self.site.title
        return self.words.tell("title", page=page.title, site=self.site.title)

    def _notice(self, page: Page) -> str:
        reason = self.site.notices.get(f"/{page.address}")
        return self.words.say("kept.notice", reason=reason) if reason else ""

    def _canonical(self, page: Page) -> str:
        return self._address(page.address if page.canonical is None else page.canonical)

    def _address(self, address: str) -> str:
        """The whole address of a page, where it is known and there is just one."""
        return self.site.base_url + address if self.site.base_url and address != urls.NOT_FOUND else ""

    def _frame(self, address: str, root: str) -> Frame:
        """The frame of a page, which is the same for all pages as deep but those that it leads to itself."""
        here = address if address in FRAMED else None
        if (root, here) not in self.frames:
            link = partial(urls.link, root=root)
            header = self.templates.get_template("partials/site-header.html").render(
                navigation=self._navigation(address),
                has_title=here != urls.HOME,
                has_search=here not in (urls.HOME, urls.SEARCH),
                link=link,
            )
            footer = self.templates.get_template("partials/site-footer.html").render(link=link)
            self.frames[root, here] = Frame(header=Markup(header), footer=Markup(footer))  # noqa: S704
        return self.frames[root, here]

    def _navigation(self, address: str) -> tuple[Way, ...]:
        return tuple(Way(text=self.words.say(key), address=to, is_here=to == address) for key, to in NAVIGATION)


def _locale(language: str) -> str:
    """A language as previews of links call it; empty where no territory is named."""
    name, _, territory = language.partition("-")
    return f"{name}_{territory.upper()}" if len(territory) == 2 else ""
