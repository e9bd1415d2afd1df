"""The types of values in site.toml, each with its validation. An error says what was found and what
to write."""

from __future__ import annotations

import re
import reprlib
import unicodedata
from collections.abc import Collection
from datetime import date
from pathlib import PurePosixPath
from typing import Annotated
from urllib.parse import urlsplit

from sitegen.config.forges import PROTOCOLS, is_address, protocol
from sitegen.config.hosts import HOSTS
from sitegen.model.glossary_sources import MAX_ENTRIES
from sitegen.text.credentials import shown_address, without_user
from sitegen.text.decoding import MAX_DOCUMENT_BYTES, SEPARATORS, character_set, is_plain, visible
from sitegen.text.file_names import folded_path, is_portable_name
from sitegen.text.names import did_you_mean
from sitegen.text.schema import After, Before

UNWRITTEN = ("…", "...")
"""What a printed remedy has in place of a reason."""


class UnfitError(ValueError):
    """Raised for a value that is not valid for its key."""

    def __init__(self, found: str, wanted: str) -> None:
        super().__init__(found)
        self.found, self.wanted = found, wanted


def _name(text: str) -> str:
    name = visible(text)  # invisible characters are removed from documents too
    if not name or name != name.strip() or not is_plain(name):
        raise UnfitError(f"{shown(text)} is no name", "use a line of visible characters")
    return unicodedata.normalize("NFC", name)


def as_name(text: str) -> str:
    """Returns the text as a valid name, without unprintable characters; empty if none are left."""
    return unicodedata.normalize("NFC", "".join(filter(str.isprintable, text)).strip())


def _id(text: str) -> str:
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", text):
        raise UnfitError(
            f"{shown(text)} is no id",
            f"use small letters, digits and hyphens, such as '{as_id(text)}'",
        )
    return text


def as_id(text: str) -> str:
    """Derives an id from a text."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "glossary"


def _slug(text: str) -> str:
    if not is_portable_name(_id(text)) or len(text) > MAX_SLUG:
        raise UnfitError(f"{shown(text)} is a name that not every disk can hold", ON_EVERY_DISK)
    return text


def _web_address(text: str) -> str:
    """Validates a web address, which may be empty. It has no user or password, as pages show it."""
    if not text:
        return text
    place = shown(shown_address(text))
    try:
        parts = urlsplit(text)
        has_host = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        has_host = False
    if not has_host or re.search(r'[^!-~]|["<>\\^`{|}]', text):
        raise UnfitError(
            f"{place} is no web address", "it begins with https:// or http:// and a host"
        )
    if without_user(text) != text:
        raise UnfitError(f"{place} has a user or a password", "leave it out, as pages show it")
    return text


def _page_address(text: str) -> str:
    """Validates an address in which `{version}` and `{name}` may occur."""
    _web_address(text.replace("{version}", "1").replace("{name}", "x"))
    return text


def _base_address(text: str) -> str:
    if re.search(r"[?#]", _web_address(text)):
        raise UnfitError(
            f"{shown(shown_address(text))} is no place for pages",
            "leave out what follows '?' or '#'",
        )
    return f"{text.rstrip('/')}/" if text else ""


def _language_tag(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*", text):
        raise UnfitError(f"{shown(text)} is no language tag", "use one such as 'en' or 'pt-BR'")
    return text


def _picture(text: str) -> str:
    if not text.lower().endswith((".svg", ".png")):
        raise UnfitError(
            f"{shown(text)} is not a picture", "name a file that ends with .svg or .png"
        )
    return text


MIN_CONTRAST = 4.5
"""The minimum contrast for text of normal size (WCAG 2.2, 1.4.3)."""
LIGHT, DARK = "#f5f7f9", "#191d24"
"""The background colors with the least contrast in the light and the dark theme (`tokens.css`)."""


def _text_color(text: str) -> str:
    """Validates a text color and its contrast on a light page."""
    if not text:
        return text
    if not re.fullmatch("#[0-9A-Fa-f]{6}", text):
        raise UnfitError(f"{shown(text)} is not a color", "write it as in '#1e4eac'")
    contrast = _contrast(text, LIGHT)
    if contrast < MIN_CONTRAST:
        raise UnfitError(
            f"{shown(text)} has a contrast of {contrast:.2f} on {LIGHT}",
            f"use a darker color: {MIN_CONTRAST} is needed",
        )
    return text


def lightened(color: str) -> str:
    """Returns the color mixed with the least amount of white that gives it enough contrast on a
    dark page."""
    parts = bytes.fromhex(color.removeprefix("#"))
    for white in range(20):
        mixed = bytes(round(part + (255 - part) * white / 20) for part in parts)
        if _contrast(f"#{mixed.hex()}", DARK) >= MIN_CONTRAST:
            return f"#{mixed.hex()}"
    return "#ffffff"


def _contrast(first: str, second: str) -> float:
    """Returns the contrast of two colors `#rrggbb`, between 1 and 21, as WCAG 2 defines it."""
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: str) -> float:
    """Returns the relative luminance of a color `#rrggbb`, between 0 and 1, as WCAG 2 defines
    it."""
    luminance = 0.0
    parts = bytes.fromhex(color.removeprefix("#"))
    for part, weight in zip(parts, (0.2126, 0.7152, 0.0722), strict=True):
        share = part / 255
        linear = share / 12.92
        if share > 0.04045:
            linear = ((share + 0.055) / 1.055) ** 2.4
        luminance += weight * linear
    return luminance


def _relative_path(text: str, inside: str = "the folder of site.toml") -> str:
    """Validates a path or pattern, which must be below the folder of site.toml."""
    path = PurePosixPath(text)
    if path.is_absolute() or ".." in path.parts or re.match("[A-Za-z]:", text):
        raise UnfitError(f"{shown(text)} lies outside {inside}", "name a place in it, without '..'")
    if not text or "\\" in text or not is_plain(text):
        raise UnfitError(f"{shown(text)} is no path", "write it with '/' between the names")
    return str(path)


def _pages_path(text: str) -> str:
    """Validates a folder, which may also be beside the folder `content`, as in `../docs`."""
    if text.startswith("../"):
        return f"../{_relative_path(text.removeprefix('../'))}"
    return _relative_path(text)


def _path_in_release(text: str) -> str:
    return _relative_path(text, inside="the release")


def _repository(text: str) -> str:
    """Validates the folder or the address of a repository."""
    place = shown(shown_address(text))
    if text and not is_plain(text):
        raise UnfitError(
            f"{place} is no place", "name the folder of a repository, or an address to clone"
        )
    if is_address(text) and protocol(text) not in PROTOCOLS:
        names = ", ".join(f"{one}://" for one in PROTOCOLS)
        raise UnfitError(
            f"{place} begins with {protocol(text)}://", f"an address begins with one of {names}"
        )
    return text


def _as_tuple(value: object) -> object:
    """Converts a single text to a list with one item."""
    return (value,) if isinstance(value, str) else value


EXPORTS = ("abbreviations", "links")
"""Files for other tools that a site has only where site.toml asks for them."""
AUTO = "auto"
"""The period that fits the number of the commits."""
PERIODS = (AUTO, "day", "month", "year")
"""Periods by which commits of a glossary without tags are grouped."""


def _one_of(known: Collection[str], *, kind: str) -> After:
    def validate(text: str) -> str:
        if text and text not in known:
            raise UnfitError(f"unknown {kind} {shown(text)}", did_you_mean(text, known))
        return text

    return After(validate)


def _versions(text: str) -> str:
    if text and text.count("{version}") != 1:
        advice = "write {version} once, as in docs/{version}/terms.md"
        raise UnfitError(f"{shown(text)} does not name versions", advice)
    return _path_in_release(text) if text else ""


def _encoding(text: str) -> str:
    if text and not character_set(text):
        raise UnfitError(
            f"unknown encoding {shown(text)}", "use a name such as 'windows-1252' or 'shift_jis'"
        )
    return text


def _old_page(text: str) -> str:
    """Validates the address of a page of an earlier glossary, relative to the root of the site."""
    address = _relative_path(text, inside="the site")
    if text.endswith("/"):
        address += "/"
    if not address.endswith((".html", "/")):
        raise UnfitError(f"{shown(text)} is not a page", "a page ends with '.html', or with '/'")
    parts = PurePosixPath(address).parts
    is_long = len(address.encode(errors="surrogatepass")) > MAX_ADDRESS
    if is_long or not all(map(is_portable_name, parts)):
        raise UnfitError(f"{shown(text)} is a path that not every disk can hold", ON_EVERY_DISK)
    if any(part.startswith(".") for part in parts):
        raise UnfitError(
            f"{shown(text)} is hidden, and not published",
            "name a page that does not begin with a dot",
        )
    if folded_path(parts[0]) in OWN_PAGES:
        raise UnfitError(
            f"{shown(text)} is a page of this site", "name the page of the earlier glossary"
        )
    return address


OWN_PAGES = frozenset(
    """
    404.html a-z about assets compare image index.html release releases search section term
    """.split()
)
"""The first path components of the pages that a site has itself."""


def _plain_text(text: str) -> str:
    return SEPARATORS.sub(" ", visible(text).replace("\r", ""))


PlainText = Annotated[str, After(_plain_text)]
WrittenName = Annotated[str, After(_name)]
WebAddress = Annotated[str, After(_web_address)]
PageAddress = Annotated[str, After(_page_address)]
RelativePath = Annotated[str, After(_relative_path)]
Day = date
WrittenReason = Annotated[WrittenName, After(lambda text: "" if text in UNWRITTEN else text)]
NameList = Annotated[tuple[WrittenName, ...], Before(_as_tuple)]
TextList = Annotated[tuple[str, ...], Before(_as_tuple)]
Id = Annotated[str, After(_id)]
Slug = Annotated[str, After(_slug)]
Paths = Annotated[tuple[Annotated[str, After(_path_in_release)], ...], Before(_as_tuple)]
BaseAddress = Annotated[str, After(_base_address)]
Language = Annotated[str, After(_language_tag)]
PagesPath = Annotated[str, After(_pages_path)]
OutputPath = Annotated[str, After(lambda text: text and _relative_path(text))]
HostName = Annotated[str, _one_of(HOSTS, kind="host")]
RepositoryAddress = Annotated[str, After(_repository)]
ExportNames = Annotated[
    tuple[Annotated[str, _one_of(EXPORTS, kind="export")], ...], Before(_as_tuple)
]
PeriodName = Annotated[str, _one_of(PERIODS, kind="period")]
Versions = Annotated[str, After(_versions)]
Encoding = Annotated[str, After(_encoding)]
IdList = Annotated[tuple[Id, ...], Before(_as_tuple)]
OldPages = Annotated[tuple[Annotated[str, After(_old_page)], ...], Before(_as_tuple)]
PicturePath = Annotated[RelativePath, After(_picture)]
Accent = Annotated[str, After(_text_color)]
Bytes = Annotated[int, ("ge", 1), ("le", 1024 * MAX_DOCUMENT_BYTES)]
EntryNumber = Annotated[int, ("ge", 1), ("le", 1024 * MAX_ENTRIES)]

MAX_ADDRESS = 1_000
"""The maximum length of an address in bytes: systems have limits on whole paths, of which it is the
end."""
MAX_SLUG = 200
ON_EVERY_DISK = (
    'use short names without \\ : * ? " < > |, a dot or space at the end, or Windows '
    "devices such as con"
)


def shown(value: object) -> str:
    """Formats a value for a message: on one line, with invisible characters escaped, and
    shortened."""
    if not isinstance(value, str | list | dict):
        return str(value).lower()
    brief = reprlib.Repr()
    brief.maxstring = 60
    return brief.repr(value)
