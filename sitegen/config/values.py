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
from urllib.parse import quote, urlsplit

from sitegen import formats
from sitegen.config.forges import PROTOCOLS, is_address, protocol
from sitegen.config.hosts import HOSTS
from sitegen.text.colors import LIGHT, MIN_CONTRAST, contrast
from sitegen.text.credentials import shown_address, without_user
from sitegen.text.decoding import SEPARATORS, character_set, is_plain, visible
from sitegen.text.file_names import is_portable_name
from sitegen.text.names import did_you_mean
from sitegen.text.release_names import PERIODS
from sitegen.text.schema import After, Before
from sitegen.text.words import case_folded

UNWRITTEN = ("…", "...")
"""The placeholders for the reason in the tables that messages print to be pasted."""
MAX_ADDRESS = 1_000
"""The maximum length of an address in bytes. Systems limit the length of a whole path, and the
address is its end."""
MAX_SLUG = 200
ON_EVERY_DISK = (
    'use short names without \\ : * ? " < > |, a dot or space at the end, or Windows '
    "devices such as con"
)
OWN_PAGES = frozenset(
    """
    404.html a-z about assets compare image index.html release releases search section term
    """.split()
)
"""The first path components of the pages that a site has itself."""
EXPORTS = ("abbreviations", "links")
"""Files for other tools that a site has only where site.toml asks for them."""
AUTO = "auto"
"""The value of `by` for a period that fits the number of commits."""

Day = date
"""The type of a date. In a table, `date` is the name of a field."""


class UnfitError(ValueError):
    """Raised for a value that is not valid for its key."""

    def __init__(self, found: str, wanted: str) -> None:
        super().__init__(found)
        self.found, self.wanted = found, wanted


def shown(value: object) -> str:
    """Formats a value for a message, as in TOML: shortened, on one line, with invisible characters
    escaped."""
    if not isinstance(value, str | list | dict):
        return str(value).lower()  # `true`, not `True`
    brief = reprlib.Repr()
    brief.maxstring = 60
    return brief.repr(value)


# Texts.


def written_name(text: str) -> str:
    """Validates a name or a reason, and returns it without invisible characters."""
    name = visible(text)  # invisible characters are removed from documents too
    if not name or name != name.strip() or not is_plain(name):
        raise UnfitError(f"{shown(text)} is no name", "use a line of visible characters")
    return unicodedata.normalize("NFC", name)


WrittenName = Annotated[str, After(written_name)]
WrittenReason = Annotated[WrittenName, After(lambda text: "" if text in UNWRITTEN else text)]
"""A reason; empty as long as it is the placeholder."""


def as_name(text: str) -> str:
    """Returns the text as a valid name, without unprintable characters; empty if none are left."""
    return unicodedata.normalize("NFC", "".join(filter(str.isprintable, text)).strip())


def _plain_text(text: str) -> str:
    """Returns a text without invisible characters, and with spaces for line separators."""
    return SEPARATORS.sub(" ", visible(text).replace("\r", ""))


PlainText = Annotated[str, After(_plain_text)]


def _id(text: str) -> str:
    """Validates the id of a source."""
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", text):
        raise UnfitError(
            f"{shown(text)} is no id",
            f"use small letters, digits and hyphens, such as '{as_id(text)}'",
        )
    return text


Id = Annotated[str, After(_id)]


def as_id(text: str) -> str:
    """Derives an id from a text."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "glossary"


def _slug(text: str) -> str:
    """Validates a slug: an id that every disk can hold as the name of a folder."""
    if not is_portable_name(_id(text)) or len(text) > MAX_SLUG:
        raise UnfitError(f"{shown(text)} is a name that not every disk can hold", ON_EVERY_DISK)
    return text


Slug = Annotated[str, After(_slug)]


def _language_tag(text: str) -> str:
    """Validates the form of a language tag."""
    if not re.fullmatch(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*", text):
        raise UnfitError(f"{shown(text)} is no language tag", "use one such as 'en' or 'pt-BR'")
    return text


Language = Annotated[str, After(_language_tag)]


def _encoding(text: str) -> str:
    """Validates the name of a character set, which may be empty."""
    if text and not character_set(text):
        raise UnfitError(
            f"unknown encoding {shown(text)}", "use a name such as 'windows-1252' or 'shift_jis'"
        )
    return text


Encoding = Annotated[str, After(_encoding)]


def _text_color(text: str) -> str:
    """Validates a text color and its contrast on a light page."""
    if not text:
        return text
    if not re.fullmatch("#[0-9A-Fa-f]{6}", text):
        raise UnfitError(f"{shown(text)} is not a color", "write it as in '#1e4eac'")
    on_light = contrast(text, LIGHT)
    if on_light < MIN_CONTRAST:
        raise UnfitError(
            f"{shown(text)} has a contrast of {on_light:.2f} on {LIGHT}",
            f"use a darker color: {MIN_CONTRAST} is needed",
        )
    return text


Accent = Annotated[str, After(_text_color)]


def _one_of(known: Collection[str], *, kind: str) -> After:
    """Returns a validator for a text that is one of the known names, or empty."""

    def validate(text: str) -> str:
        if text and text not in known:
            raise UnfitError(f"unknown {kind} {shown(text)}", did_you_mean(text, known))
        return text

    return After(validate)


FormatName = Annotated[str, _one_of(formats.names(), kind="format")]
HostName = Annotated[str, _one_of(HOSTS, kind="host")]
PeriodName = Annotated[str, _one_of((AUTO, *PERIODS), kind="period")]
ExportName = Annotated[str, _one_of(EXPORTS, kind="export")]


# Addresses.


UNFIT_IN_ADDRESS = re.compile(r'[^!-~]|["<>\\^`{|}]')
"""A character that is not in ASCII, is not visible, or has to be escaped."""


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
    if not has_host:
        raise UnfitError(
            f"{place} is no web address", "it begins with https:// or http:// and a host"
        )
    unfit = UNFIT_IN_ADDRESS.search(text)
    if unfit:
        raise UnfitError(
            f"{place} has {shown(unfit[0])}, which no address has",
            f"write it as {quote(unfit[0])!r} in a path, and a host as in 'xn--bcher-kva.example'",
        )
    if without_user(text) != text:
        raise UnfitError(f"{place} has a user or a password", "leave it out, as pages show it")
    return text


WebAddress = Annotated[str, After(_web_address)]


def _page_address(text: str) -> str:
    """Validates an address in which `{version}` and `{name}` may occur."""
    _web_address(text.replace("{version}", "1").replace("{name}", "x"))
    return text


PageAddress = Annotated[str, After(_page_address)]


def _base_address(text: str) -> str:
    """Validates the address of a site, and returns it with one slash at the end."""
    address = _web_address(text)
    if "?" in address or "#" in address:
        raise UnfitError(
            f"{shown(shown_address(text))} is no place for pages",
            "leave out what follows '?' or '#'",
        )
    if not address:
        return ""
    return f"{address.rstrip('/')}/"


BaseAddress = Annotated[str, After(_base_address)]


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


RepositoryAddress = Annotated[str, After(_repository)]


# Paths.


def _relative_path(text: str, inside: str = "the folder of site.toml") -> str:
    """Validates a path or pattern, which must be below a folder: `inside`, as messages name it."""
    path = PurePosixPath(text)
    has_drive = re.match("[A-Za-z]:", text) is not None  # of Windows
    if path.is_absolute() or ".." in path.parts or has_drive:
        raise UnfitError(f"{shown(text)} lies outside {inside}", "name a place in it, without '..'")
    if not text or "\\" in text or not is_plain(text):
        raise UnfitError(f"{shown(text)} is no path", "write it with '/' between the names")
    return str(path)


RelativePath = Annotated[str, After(_relative_path)]
OutputPath = Annotated[str, After(lambda text: text and _relative_path(text))]


def _picture(text: str) -> str:
    """Validates the suffix of a picture."""
    if not text.lower().endswith((".svg", ".png")):
        raise UnfitError(
            f"{shown(text)} is not a picture", "name a file that ends with .svg or .png"
        )
    return text


PicturePath = Annotated[RelativePath, After(_picture)]


def _pages_path(text: str) -> str:
    """Validates a folder, which may also be beside that of site.toml, as in `../docs`."""
    if text.startswith("../"):
        return f"../{_relative_path(text.removeprefix('../'))}"
    return _relative_path(text)


PagesPath = Annotated[str, After(_pages_path)]


def _path_in_release(text: str) -> str:
    """Validates a path or pattern below the root of a release."""
    return _relative_path(text, inside="the release")


PathInRelease = Annotated[str, After(_path_in_release)]


def _versions(text: str) -> str:
    """Validates the path of version folders, with `{version}` in the place of the version."""
    if not text:
        return text
    if text.count("{version}") != 1:
        advice = "write {version} once, as in docs/{version}/terms.md"
        raise UnfitError(f"{shown(text)} does not name versions", advice)
    return _path_in_release(text)


Versions = Annotated[str, After(_versions)]


def _old_page(text: str) -> str:
    """Validates the address of a page of an earlier glossary, relative to the root of the site:
    an HTML file or a folder that every disk can hold, not hidden, and no page of this site."""
    address = _relative_path(text, inside="the site")
    if text.endswith("/"):
        address += "/"  # it marks an index page, and a path has none
    if not address.endswith((".html", "/")):
        raise UnfitError(f"{shown(text)} is not a page", "a page ends with '.html', or with '/'")
    parts = PurePosixPath(address).parts
    is_long = len(address.encode()) > MAX_ADDRESS
    if is_long or not all(map(is_portable_name, parts)):
        raise UnfitError(f"{shown(text)} is a path that not every disk can hold", ON_EVERY_DISK)
    if any(part.startswith(".") for part in parts):
        raise UnfitError(
            f"{shown(text)} is hidden, and not published",
            "name a page that does not begin with a dot",
        )
    is_root = not parts
    if is_root or case_folded(parts[0]) in OWN_PAGES:
        raise UnfitError(
            f"{shown(text)} is a page of this site", "name the page of the earlier glossary"
        )
    return address


OldPage = Annotated[str, After(_old_page)]


# Lists.


def _as_tuple(value: object) -> object:
    """Converts a single text to a list with one item."""
    return (value,) if isinstance(value, str) else value


NameList = Annotated[tuple[WrittenName, ...], Before(_as_tuple)]
TextList = Annotated[tuple[str, ...], Before(_as_tuple)]
IdList = Annotated[tuple[Id, ...], Before(_as_tuple)]
Paths = Annotated[tuple[PathInRelease, ...], Before(_as_tuple)]
OldPages = Annotated[tuple[OldPage, ...], Before(_as_tuple)]
ExportNames = Annotated[tuple[ExportName, ...], Before(_as_tuple)]
