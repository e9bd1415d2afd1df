"""Reads and writes the lines of an archive: `{"edition":{…},"sum":"…"}`.

Each line is a JSON object that ends with a digest of the rest, so that an edited line is found. The
lines are sorted, and their order means nothing: git may merge two versions line by line.
`archived_releases` converts releases to lines, and back.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import date
from functools import cache
from typing import Any

from pydantic_core import SchemaValidator, ValidationError

from sitegen.addresses import urls
from sitegen.model import SitegenError
from sitegen.permanence.archive import (
    READING,
    Archive,
    ArchivedDocument,
    ArchivedEdition,
    ArchivedPage,
    ArchivedText,
    FormerSource,
    Line,
)
from sitegen.text.decoding import visible
from sitegen.text.memo import memo
from sitegen.text.schema import validator

LINE_TYPES: Mapping[str, type[Line]] = {
    "document": ArchivedDocument,
    "edition": ArchivedEdition,
    "page": ArchivedPage,
    "source": FormerSource,
    "text": ArchivedText,
}
"""The first key of a line, to what the line is."""
KEY_OF_TYPE = {kind: key for key, kind in LINE_TYPES.items()}

SUM_LENGTH = 16
"""The number of characters of a sum."""
LINE = re.compile(r'\{"([a-z]+)":(\{.*\}),"sum":"([0-9a-f]{16})"\}')
"""Matches `{"source":{"id":"a","present":"b"},"sum":"21c28d262c2165fa"}`."""
CONFLICT = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
"""The beginnings of the lines with which git marks a conflict."""

ADDRESSES = (
    r"https?://\S+/"
    r"|(?:/[a-z0-9-]+)?/term/[^/]+/(?:[^/]+/)?"
    r"|(?:/[a-z0-9-]+)?/(?:section|a-z)/[^/]+/"
    r"|(?:/[a-z0-9-]+)?/compare/[^/]+/[^/]+/"
)
"""The forms of the addresses that are kept: of the site, of terms and wordings, of sections and
letters, and in earlier archives of comparisons of two releases."""

TAKE_BACK = "take it back from git"
UPGRADE = "it was written by a newer sitegen; upgrade this one"


class ArchiveError(SitegenError):
    """The archive cannot be used."""


class DamagedArchiveError(ArchiveError):
    """The text of an archive is damaged."""

    def __init__(self, path: str, line: int, found: str) -> None:
        place = f"{path}:{line}" if line else path
        super().__init__(f"{place}: {found}")


@memo
def parse(text: str, path: str, *, cure: str = TAKE_BACK) -> Archive:
    """Returns the archive in a file's text. Raises `DamagedArchiveError`.

    `path` is the file as messages name it, `cure` what they say to do.
    """
    lines: dict[str, Line] = {}
    # Not splitlines(): a name may have what Python takes for the end of a line, and git does not.
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            sum, value = _parsed(line.removesuffix("\r"), cure)
        except ValueError as error:
            raise DamagedArchiveError(path, number, str(error)) from None
        lines[sum] = value
    archive = Archive(lines)
    if missing := _missing(archive):
        raise DamagedArchiveError(path, 0, f"{missing}; {cure}")
    return archive


def _parsed(line: str, cure: str) -> tuple[str, Line]:
    """Returns the sum and the content of a line. Raises `ValueError` with what is wrong."""
    if line.startswith(CONFLICT):
        raise ValueError(
            "a merge conflict is unresolved; keep the lines of both sides, drop the marks, and "
            "commit it"
        )

    # Is it a line, as it was written?
    if (match := LINE.fullmatch(line)) is None:
        raise ValueError(f"no line of an archive could be read here; {cure}")
    key, content, sum = match.groups()
    if sum != sum_of(key, content):
        raise ValueError(f"the line was changed (its sum is wrong); {cure}")

    # Does this version know it?
    if key not in LINE_TYPES:
        raise ValueError(f"the kind of line {key!r} is not known: {UPGRADE}")
    try:
        value = _validator(key).validate_json(content)
    except ValidationError:
        raise ValueError(f"the line is not understood: {UPGRADE}") from None
    if isinstance(value, ArchivedEdition) and value.reading > READING:
        raise ValueError(f"{value.source} {value.release} was read otherwise: {UPGRADE}")

    if fault := _fault(value):
        raise ValueError(f"{fault}; {cure}")
    if isinstance(value, ArchivedPage):
        value = replace(value, address=value.address.removeprefix("/"))
    return sum, value


@cache
def _validator(key: str) -> SchemaValidator:
    """Returns the validator for the content of lines with a first key."""
    return validator(LINE_TYPES[key])


def _fault(line: Line) -> str:
    """Returns what is wrong with a line that no version can have written, such as an address that
    no site has; empty if nothing is. The address of a page still begins with the slash that it has
    in the file."""
    if isinstance(line, ArchivedText) and not line.names:
        return "a text without a name"
    for text in _shown_texts(line):
        if visible(text) != text:
            return f"{text!a} has characters that cannot be shown"
    if isinstance(line, ArchivedDocument) and not re.fullmatch("([0-9a-f]{2})*", line.digest):
        return f"{line.name!a} has a digest that is none"
    if isinstance(line, ArchivedPage):
        if not _is_address(line.address):
            return f"{line.address!a} is no address of a site"
        if urls.is_of_wording(line.address.removeprefix("/")) and not line.entries:
            return f"{line.address} is the page of a wording, and has no entry"
    return ""


def _shown_texts(line: Line) -> Iterator[str]:
    """Yields the texts of a line that pages show as they are."""
    if isinstance(line, ArchivedText):
        yield line.section
        for name in line.names:
            yield name.text
    if isinstance(line, ArchivedDocument):
        yield line.name
    if isinstance(line, ArchivedEdition):
        yield line.release
        for correction in line.corrections:
            yield correction.reason
    if isinstance(line, ArchivedPage):
        yield line.name


def _is_address(address: str) -> bool:
    """True if a site can have an address."""
    is_plain = visible(address) == address and ".." not in address.split("/")
    return is_plain and re.fullmatch(ADDRESSES, address) is not None


def _missing(archive: Archive) -> str:
    """Returns a document, text or release that has no line, though another line refers to it. If
    nothing is missing, the result is empty."""
    for edition in archive.editions.values():
        if not archive.documents.keys() >= set(edition.documents):
            return f"a document of {edition.source} {edition.release} is missing"
    for document in archive.documents.values():
        if not archive.texts.keys() >= set(document.texts):
            return f"a text of {document.name} is missing"
    for page in archive.pages.values():
        for entry in page.entries:
            if entry.at not in archive.editions_of:
                return f"{entry.source} {entry.release} is missing, which /{page.address} shows"
    return ""


def dump(archive: Archive) -> str:
    """Returns the text of the file."""
    lines = sorted(line_of(value) for value in archive.lines.values())
    return "".join(f"{line}\n" for line in lines)


@memo
def line_of(value: Line) -> str:
    """Returns the line of a part of an archive.

    >>> line_of(FormerSource(id="a", present="b"))
    '{"source":{"id":"a","present":"b"},"sum":"21c28d262c2165fa"}'
    """
    key, content = KEY_OF_TYPE[type(value)], _content(value)
    return f'{{"{key}":{content},"sum":"{sum_of(key, content)}"}}'


def sum_of_line(value: Line) -> str:
    """Returns the digest with which the line of a value ends."""
    return line_of(value).removesuffix('"}')[-SUM_LENGTH:]


def _content(value: Line) -> str:
    """Returns the JSON of a line between its kind and its sum."""
    if isinstance(value, ArchivedPage):
        value = replace(value, address=urls.with_slash(value.address))
    text = json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"))
    # A lone surrogate, which a file name can have, is written as JSON escapes it.
    return text.encode(errors="backslashreplace").decode()


def _plain(value: Any) -> Any:
    """Returns a value for JSON, without the fields that have their defaults."""
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, date):
        return value.isoformat()
    if not is_dataclass(value):
        return value
    plain = {}
    for field in fields(value):
        content = getattr(value, field.name)
        if content != field.default:
            plain[field.name] = _plain(content)
    return plain


def sum_of(key: str, content: str) -> str:
    """Returns the digest with which a line ends."""
    return hashlib.sha256(f"{key}{content}".encode()).hexdigest()[:SUM_LENGTH]


def archive_of(lines: Iterable[Line]) -> Archive:
    """Returns the archive that has these lines."""
    return Archive({sum_of_line(line): line for line in lines})
