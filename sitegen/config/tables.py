"""The tables of site.toml: their keys, the validation of each value, and the defaults.

Each class is a table, and its fields are the table's keys. Checks that involve several tables are in `parsing`. The
class and field docstrings are printed in the reference of site.toml.
"""

from __future__ import annotations

import difflib
import re
import reprlib
import unicodedata
from collections.abc import Collection
from dataclasses import fields
from datetime import date
from pathlib import PurePosixPath
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, Strict
from pydantic.dataclasses import dataclass

from sitegen.config import contrast
from sitegen.config.hosts import HOSTS
from sitegen.config.repositories import PROTOCOLS, is_address, protocol
from sitegen.formats import all_formats
from sitegen.text.decoding import MAX_BYTES, SEPARATORS, character_set, is_plain, visible


class UnfitError(ValueError):
    """Raised for a value that is not valid for its key."""

    def __init__(self, found: str, wanted: str) -> None:
        super().__init__(found)
        self.found, self.wanted = found, wanted


def _name(text: str) -> str:
    if not text or text != text.strip() or not is_plain(text):
        raise UnfitError(f"{shown(text)} is no name", "use a line of visible characters")
    return unicodedata.normalize("NFC", text)


def as_name(text: str) -> str:
    """Returns the text as a valid name, without unprintable characters; empty if none are left."""
    return unicodedata.normalize("NFC", "".join(filter(str.isprintable, text)).strip())


def _id(text: str) -> str:
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", text):
        raise UnfitError(f"{shown(text)} is no id", f"use small letters, digits and hyphens, such as '{as_id(text)}'")
    return text


def as_id(text: str) -> str:
    """Derives an id from a text."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "glossary"


def _web_address(text: str) -> str:
    try:
        parts = urlsplit(text)
        good = parts.scheme in {"http", "https"} and bool(parts.hostname) and re.fullmatch(r"[!-~]+", text)
    except ValueError:
        good = None
    if text and (not good or re.search(r'["<>\\^`{|}]', text)):
        raise UnfitError(f"{shown(text)} is no web address", "it begins with https:// or http:// and a host")
    return text


def _base_address(text: str) -> str:
    if re.search(r"[?#]", _web_address(text)):
        raise UnfitError(f"{shown(text)} is no place for pages", "leave out what follows '?' or '#'")
    return f"{text.rstrip('/')}/" if text else ""


def _language(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*", text):
        raise UnfitError(f"{shown(text)} is no language tag", "use one such as 'en' or 'pt-BR'")
    return text


def _interface_language(text: str) -> str:
    """Validates the language of a site, which must have a translated interface."""
    known = {name.lower() for name in LANGUAGES}
    name = _language(text).lower()
    if name not in known and name.partition("-")[0] not in {one.partition("-")[0] for one in known}:
        raise UnfitError(f"there is no interface in {shown(text)}", f"use one of {', '.join(LANGUAGES)}")
    return text


def _picture(text: str) -> str:
    if not text.lower().endswith((".svg", ".png")):
        raise UnfitError(f"{shown(text)} is not a picture", "name a file that ends with .svg or .png")
    return text


def _accent(text: str) -> str:
    return _legible(text, on=contrast.LIGHT)


def _accent_dark(text: str) -> str:
    return _legible(text, on=contrast.DARK)


def _legible(text: str, *, on: str) -> str:
    """Validates a text colour and its contrast on a background colour."""
    if not text:
        return ""
    if not re.fullmatch("#[0-9A-Fa-f]{6}", text):
        raise UnfitError(f"{shown(text)} is not a colour", "write it as in '#1e4eac'")
    if (ratio := contrast.ratio(text, on)) < contrast.LEAST:
        darker = "darker" if on == contrast.LIGHT else "lighter"
        raise UnfitError(
            f"{shown(text)} has a contrast of {ratio:.2f} on {on}",
            f"use a {darker} colour: {contrast.LEAST} is needed",
        )
    return text


def _place(text: str, inside: str = "the folder of site.toml") -> str:
    """Validates a path or pattern, which must be below the folder of site.toml."""
    path = PurePosixPath(text)
    if path.is_absolute() or ".." in path.parts or re.match("[A-Za-z]:", text):
        raise UnfitError(f"{shown(text)} lies outside {inside}", "name a place in it, without '..'")
    if not text or "\\" in text or not is_plain(text):
        raise UnfitError(f"{shown(text)} is no path", "write it with '/' between the names")
    return str(path)


def _place_in_release(text: str) -> str:
    return _place(text, inside="the release")


def _repository(text: str) -> str:
    if text and not is_plain(text):
        raise UnfitError(f"{shown(text)} is no place", "name the folder of a repository, or an address to clone")
    if is_address(text) and protocol(text) not in PROTOCOLS:
        known = ", ".join(f"{one}://" for one in PROTOCOLS)
        raise UnfitError(f"{shown(text)} begins with {protocol(text)}://", f"an address begins with one of {known}")
    return text


def _several(value: object) -> object:
    """Converts a single text to a list with one item."""
    return (value,) if isinstance(value, str) else value


def _format(text: str) -> str:
    known = [format.name for format in all_formats()]
    if text and text not in known:
        raise UnfitError(f"unknown format {shown(text)}", did_you_mean(text, known))
    return text


def _host(text: str) -> str:
    if text and text not in HOSTS:
        raise UnfitError(f"unknown host {shown(text)}", did_you_mean(text, HOSTS))
    return text


def _period(text: str) -> str:
    if text and text not in PERIODS:
        raise UnfitError(f"unknown period {shown(text)}", did_you_mean(text, PERIODS))
    return text


def _versions(text: str) -> str:
    if text and text.count("{version}") != 1:
        raise UnfitError(
            f"{shown(text)} does not name versions", "write {version} once, as in docs/{version}/terms.md"
        )
    return _place_in_release(text) if text else ""


def _encoding(text: str) -> str:
    if text and not character_set(text):
        raise UnfitError(f"unknown encoding {shown(text)}", "use a name such as 'windows-1252' or 'shift_jis'")
    return text


def _old_page(text: str) -> str:
    """Validates the address of a page of an earlier glossary, relative to the root of the site."""
    address = _place(text, inside="the site") + ("/" if text.endswith("/") else "")
    if not address.endswith((".html", "/")):
        raise UnfitError(f"{shown(text)} is not a page", "a page ends with '.html', or with '/'")
    if address.partition("/")[0] in OWN_PAGES:
        raise UnfitError(f"{shown(text)} is a page of this site", "name the page of the earlier glossary")
    return address


OWN_PAGES = frozenset("404.html a-z about assets compare index.html release releases search section term".split())
"""The first path components of the pages that a site has itself."""


def _text(text: str) -> str:
    return SEPARATORS.sub(" ", visible(text).replace("\r", ""))


Text = Annotated[str, AfterValidator(_text)]
Name = Annotated[str, AfterValidator(_name)]
WebAddress = Annotated[str, AfterValidator(_web_address)]
Place = Annotated[str, AfterValidator(_place)]
Day = Annotated[date, Strict()]
Flag = Annotated[bool, Strict()]
Names = Annotated[tuple[Name, ...], BeforeValidator(_several)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_several)]
Id = Annotated[str, AfterValidator(_id)]
Paths = Annotated[tuple[Annotated[str, AfterValidator(_place_in_release)], ...], BeforeValidator(_several)]

LANGUAGES = ("ar", "de", "en", "es", "fr", "ja", "pt-BR", "ru", "zh-Hans")
"""Languages of the interface: the files in `sitegen/site/messages/locale/`."""

PERIODS = ("auto", "day", "week", "month", "quarter", "year")
"""Periods by which commits of a glossary without tags are grouped."""

KEYS = {"old": "from", "new": "to", "addresses": "address", "releases": "release", "terms": "term", "texts": "text"}
"""TOML keys that are not valid Python names, or singular where the field is plural."""

TABLE = ConfigDict(extra="forbid", alias_generator=lambda name: KEYS.get(name, name))


@dataclass(frozen=True, slots=True, kw_only=True, config=TABLE)
class SiteTable:
    """[site]: the site as a whole."""

    title: Name = "Glossary"
    """The title of the site."""
    base_url: Annotated[str, AfterValidator(_base_address)] = ""
    """The address at which the site is published. Feeds, the sitemap and copied links need it."""
    language: Annotated[str, AfterValidator(_interface_language)] = "en"
    """The language of the glossary and of the interface, as in `en`, `de` or `pt-BR`."""
    repository: WebAddress = ""
    """The repository on a forge, for “Edit source” and “Report a problem”. If site.toml is not at its top, the
    address of its folder there: `https://github.com/example/vocabulary/tree/main/content`."""
    note: Text = ""
    """A text for the about page, such as where the wording comes from."""
    output: Annotated[str, AfterValidator(lambda text: text and _place(text))] = ""
    """The folder that the site is written to; empty: `site`."""
    host: Annotated[str, AfterValidator(_host)] = ""
    """The host. For `netlify` and `cloudflare` the site has `_headers` and `_redirects`."""


@dataclass(frozen=True, slots=True, kw_only=True, config=TABLE)
class ReleaseTable:
    """[[release]]: what a release's name does not tell. The order of these tables is the order of the releases."""

    name: Name
    """The release."""
    date: Day | None = None
    """Its date, where git or the name does not tell it."""
    link: WebAddress = ""
    """The address of its announcement."""
    unreleased: Flag = False
    """True if it is still to come: nothing about it is promised."""
    source: str = ""
    """The id of the source. Empty: every source that has a release of this name."""


@dataclass(frozen=True, slots=True, kw_only=True, config=TABLE)
class SourceTable:
    """[[source]]: where a glossary is kept (`folder`, `files`, `file`, `git` or `archives`) and how to read it."""

    id: Id
    """A short name that stays, of letters, digits and hyphens."""
    title: Text = ""
    """Its title on pages. Empty: the id."""
    folder: Place = ""
    """A folder that holds a folder for each release."""
    files: dict[Name, Place] = Field(default_factory=dict)
    """The file or folder of each release, by the release's name."""
    file: Place = ""
    """One undated document, which has no history."""
    git: Annotated[str, AfterValidator(_repository)] = ""
    """A repository, each of whose tags is a release: a folder, or an address to clone."""
    archives: Place = ""
    """A pattern for archives, each of which is a release."""
    paths: Paths = ()
    """In git and archives: files, folders or patterns, of which the first is read that a release has."""
    tags: Names = ()
    """Patterns for the tags that are releases. None: the versions among the tags that are the project's own."""
    exclude: Names = ()
    """Patterns for tags that are none."""
    prereleases: Flag = False
    """True if release candidates are releases too."""
    head: str = ""
    """A branch that is read as a release still to come; `HEAD` is the current one."""
    by: Annotated[str, AfterValidator(_period)] = ""
    """The releases are dated states of a branch, one for each day, week, month, quarter or year with a change.
    `auto`: only where there are no tags, with a period that gives at most 60 of them."""
    branches: Names = ()
    """Patterns for branches, each of which is a release."""
    versions: Annotated[str, AfterValidator(_versions)] = ""
    """A path with `{version}` for the folders that are releases: `docs/{version}/glossary.md`."""
    retrieved: Day | None = None
    """The day on which an undated document was taken."""
    order: tuple[Name, ...] = ()
    """Releases from oldest to newest, where neither names nor [[release]] tables tell."""
    complete: Flag = False
    """The first release is the glossary's very first."""
    format: Annotated[str, AfterValidator(_format)] = ""
    """The format, where it is recognised wrongly."""
    section: Text = ""
    """The heading of the section that is read of a larger file."""
    encoding: Annotated[str, AfterValidator(_encoding)] = ""
    """The character set of files that neither declare one nor are UTF-8."""
    max_bytes: Annotated[int, Strict(), Field(ge=1, le=1024 * MAX_BYTES)] = MAX_BYTES
    """The largest file that is read."""
    formerly: Annotated[tuple[Id, ...], BeforeValidator(_several)] = ()
    """Ids that it had before, under which addresses were published."""
    url: WebAddress = ""
    """The address of the source, for the about page."""
    licence: Text = ""
    """Its licence, for the about page."""
    note: Text = ""
    """A text for the about page."""


PLACES = ("folder", "files", "file", "git", "archives")
"""The keys for the location of a source; each source has exactly one of them."""

PLACES_OF = {
    "paths": ("git", "archives"),
    "tags": ("git",),
    "exclude": ("git",),
    "prereleases": ("git",),
    "head": ("git",),
    "by": ("git",),
    "branches": ("git",),
    "versions": ("git",),
    "retrieved": ("file",),
    "order": ("folder", "files", "git", "archives"),
    "complete": ("folder", "files", "git", "archives"),
}
"""The kinds of location that a key of a source is valid for, if not all."""


@dataclass(frozen=True, slots=True, kw_only=True, config=TABLE)
class RenameTable:
    """[[rename]]: a term was renamed, which the texts alone do not show."""

    source: str
    """The id of the source."""
    old: Name
    """The name before."""
    new: Name
    """The name after."""
    release: str = ""
    """The release with the new name. With it, another term may have the old name from there on."""
    reason: Text = ""
    """A reason, which the page shows."""


@dataclass(frozen=True, slots=True, kw_only=True, config=TABLE)
class SameTable:
    """[[same]]: these names mean one term."""

    names: Annotated[tuple[Name, ...], Field(min_length=2)]
    """The names."""
    source: str = ""
    """The id of the source. Empty: every source."""
    reason: Text = ""
    """A reason, which the page shows."""


@dataclass(frozen=True, slots=True, kw_only=True, config=TABLE)
class DistinctTable:
    """[[distinct]]: these names mean different terms. A single name means a different term in each source."""

    names: Annotated[tuple[Name, ...], Field(min_length=1)]
    """The names."""
    source: str = ""
    """The id of the source. Empty: every source."""
    reason: Text = ""
    """A reason, which the page shows."""


@dataclass(frozen=True, slots=True, kw_only=True, config=TABLE)
class RetiredTable:
    """[[retired]]: published addresses without content. Each keeps a page that says why."""

    reason: Name
    """The reason, which the page shows."""
    addresses: Texts = ()
    """Addresses as in the ledger. `/term/aten/` stands for all addresses below it too."""
    source: str = ""
    """Every address that only this source could fill; with `release`, in those releases."""
    releases: Texts = ()
    """Every address that only these releases could fill."""


@dataclass(frozen=True, slots=True, kw_only=True, config=TABLE)
class CorrectedTable:
    """[[corrected]]: a published release whose words were corrected since."""

    source: str
    """The id of the source."""
    release: str
    """The release."""
    words: str
    """The digest of the words that are there now, as the build that found the correction printed it."""
    reason: Name
    """The reason, which the page shows."""


@dataclass(frozen=True, slots=True, kw_only=True, config=TABLE)
class SlugTable:
    """[[slug]]: the part of a term's address that is chosen for a name before it is published."""

    name: Name
    """The name of the term."""
    slug: Id
    """The part of the address: `/term/SLUG/`."""
    source: str = ""
    """The id of the source. Empty: every source."""


@dataclass(frozen=True, slots=True, kw_only=True, config=TABLE)
class WithheldTable:
    """[[withheld]]: words that must not be shown any more, at any release."""

    reason: Name
    """The reason, which the page shows in place of a definition."""
    terms: Names = ()
    """Names of terms whose definitions are withheld."""
    texts: Names = ()
    """Texts, such as the name of a person, that are withheld wherever they are."""


@dataclass(frozen=True, slots=True, kw_only=True, config=TABLE)
class RedirectTable:
    """[[redirect]]: pages of an earlier glossary, which lead on to the terms."""

    old: Annotated[tuple[Annotated[str, AfterValidator(_old_page)], ...], BeforeValidator(_several)]
    """Addresses from the site's root: `glossary.html`, `docs/glossary/`."""


@dataclass(frozen=True, slots=True, kw_only=True, config=TABLE)
class LinkTable:
    """A link of the header or the footer: { text = "Project", url = "https://example.org/" }."""

    text: Name
    url: WebAddress


@dataclass(frozen=True, slots=True, kw_only=True, config=TABLE)
class ThemeTable:
    """[theme]: the look of the site. Files and folders are beside site.toml."""

    logo: Annotated[Place, AfterValidator(_picture)] = ""
    """A picture for the header."""
    favicon: Annotated[Place, AfterValidator(_picture)] = ""
    """A picture for the browser's tab."""
    accent: Annotated[str, AfterValidator(_accent)] = ""
    """The colour of links and bars on white, as #rrggbb."""
    accent_dark: Annotated[str, AfterValidator(_accent_dark)] = ""
    """The same on a dark page. Empty: a lighter tint of `accent`."""
    header: tuple[LinkTable, ...] = ()
    """Links before ours, the project's home first."""
    footer: tuple[LinkTable, ...] = ()
    """Links in the footer."""
    footer_text: str = ""
    """A text in the footer."""
    style: Place = ""
    """A style sheet, which follows ours."""
    templates: Place = ""
    """A folder of templates, each in place of ours of the same name."""
    pages: Place = ""
    """A folder of Markdown files, each a page at `pages/NAME/`."""


@dataclass(frozen=True, slots=True, kw_only=True, config=TABLE)
class Tables:
    """The whole file."""

    site: SiteTable = Field(default_factory=SiteTable)
    theme: ThemeTable = Field(default_factory=ThemeTable)
    release: tuple[ReleaseTable, ...] = ()
    source: tuple[SourceTable, ...] = (SourceTable(id="glossary", folder="."),)
    rename: tuple[RenameTable, ...] = ()
    same: tuple[SameTable, ...] = ()
    distinct: tuple[DistinctTable, ...] = ()
    retired: tuple[RetiredTable, ...] = ()
    redirect: tuple[RedirectTable, ...] = ()
    withheld: tuple[WithheldTable, ...] = ()
    corrected: tuple[CorrectedTable, ...] = ()
    slug: tuple[SlugTable, ...] = ()


def did_you_mean(word: str, known: Collection[str]) -> str:
    """Returns advice for a message: the most similar of the known words, or all of them."""
    if near := nearest(word, known):
        return f"did you mean '{near}'?"
    return f"known: {', '.join(known)}" if known else "there is none"


def nearest(word: str, known: Collection[str]) -> str:
    """Returns the most similar known word, ignoring case; empty if none is similar."""
    by_folded = {one.casefold(): one for one in known}
    near = difflib.get_close_matches(word.casefold(), by_folded, n=1)
    return by_folded[near[0]] if near else ""


def shown(value: object) -> str:
    """Formats a value for a message: on one line, with invisible characters escaped, and shortened."""
    brief = reprlib.Repr()
    brief.maxstring = 60
    return brief.repr(value) if isinstance(value, str | list | dict) else str(value).lower()


def keys_of(path: tuple[str | int, ...]) -> tuple[str, ...]:
    """Returns the valid keys of the table at a path such as `("source", 0)`; at `()`, those of the whole file."""
    kinds = {
        "site": SiteTable,
        "release": ReleaseTable,
        "source": SourceTable,
        "rename": RenameTable,
        "same": SameTable,
        "distinct": DistinctTable,
        "retired": RetiredTable,
        "corrected": CorrectedTable,
        "slug": SlugTable,
        "redirect": RedirectTable,
        "withheld": WithheldTable,
        "theme": ThemeTable,
    }
    table = kinds[str(path[0])] if path else Tables
    return tuple(KEYS.get(field.name, field.name) for field in fields(table))
