"""Loads a glossary from a built site, from a glossary.json or its address, or from sources in
memory."""

from __future__ import annotations

import errno
import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from sitegen.addresses import urls
from sitegen.config.forges import is_address
from sitegen.integrations.glossary import Glossary
from sitegen.integrations.published_terms import DATA_KEYS
from sitegen.model import Notify, SitegenError, silent
from sitegen.text.credentials import shown_address

if TYPE_CHECKING:
    from pydantic_core import SchemaValidator, ValidationError

    from sitegen.config.parsing import Config

MAX_GLOSSARY_BYTES = 256 * 1024 * 1024
NEEDS_POSIX = (
    "reading sources needs Linux or macOS; name a built site, its glossary.json, or an "
    "address instead"
)
FAULTS = {
    "string_type": "is no text",
    "bool_type": "is neither true nor false",
    "int_type": "is no whole number",
    "tuple_type": "is no list",
    "too_short": "is an empty list",
    "dataclass_type": "is no object",
    "missing": "is missing",
}
"""The fault of a value, by the type of the error of `pydantic_core`."""


def load(source: str | Path) -> Glossary:
    """Returns the glossary of the folder of a built site, of a glossary.json, or of the https
    address of either.

    Nothing is read from the network unless an address is given. Raises `SitegenError` if the
    glossary cannot be read.
    """
    if is_address(str(source)):
        return parse(_fetched(str(source)), str(source))
    file = Path(source) / urls.DATA if Path(source).is_dir() else Path(source)
    return parse(_file_content(file), str(file))


def is_built(place: Path) -> bool:
    """Returns whether a path is that of a glossary.json or of the folder of a built site. False for
    a folder of sources."""
    if place.is_dir():  # sources may be in a glossary.json too, but have no assets beside it
        return (place / urls.DATA).is_file() and (place / "assets").is_dir()
    return place.suffix == ".json"


def parse(content: bytes, place: str) -> Glossary:
    """Returns the glossary of a glossary.json, which was read at `place`. Raises `SitegenError` if
    the content is no such glossary.

    Without a base_url in the file, the site is at the web address of the file.
    """
    glossary = _validated(content, shown_address(place))
    if glossary.base_url or not is_address(place):
        return glossary
    data_address, _, _query = _data_address(place).partition("?")
    site_address = data_address.removesuffix(urls.DATA)
    return replace(glossary, base_url=site_address)


def _validated(content: bytes, shown: str) -> Glossary:
    """Returns the glossary of a glossary.json. Raises `SitegenError` if it is none."""
    from pydantic_core import ValidationError

    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        found = f"{shown}: is no glossary.json of sitegen, as it is not JSON"
        raise SitegenError(f"{found}; name a built site, or its glossary.json") from None
    try:
        glossary: Glossary = _validator().validate_python(data)
    except ValidationError as error:
        found = f"{shown}: is no glossary.json that this version reads ({_first_fault(error)})"
        raise SitegenError(f"{found}; build the site with this version of sitegen") from None
    if glossary.base_url and not urls.is_web(glossary.base_url):
        raise SitegenError(f"{shown}: its base_url is no address of the web")
    return glossary


def _first_fault(error: ValidationError) -> str:
    """Returns a description of the first error in a document: `terms[3].name is no text`."""
    details = error.errors(include_url=False, include_input=False)[0]
    place = ""
    for key in details["loc"]:
        if isinstance(key, int):
            place += f"[{key}]"
        else:
            place += f".{key}"
    place = place.removeprefix(".") or "it"
    fault = FAULTS.get(details["type"], "is no value that belongs there")
    return f"{place} {fault}"


@cache
def _validator() -> SchemaValidator:
    """Returns the validator for the content of a glossary.json."""
    from sitegen.text.schema import validator

    return validator(Glossary, DATA_KEYS, allows_more=True)


def _file_content(file: Path) -> bytes:
    """Returns the content of a file. Raises `SitegenError` if it cannot be read."""
    try:
        return content_of(file, limit=MAX_GLOSSARY_BYTES)
    except OSError as error:
        advice = "name a built site, its glossary.json, or an address"
        place = shown_address(str(file))
        raise SitegenError(f"{place}: cannot be read ({error.strerror}); {advice}") from None


def content_of(file: Path, *, limit: int) -> bytes:
    """Returns the content of a regular file, on any system. Raises `OSError`, also for a file that
    is larger than the limit."""
    # A device or a pipe would be read without end.
    if file.exists() and not file.is_file():
        raise OSError(errno.EINVAL, "it is not a regular file")
    with file.open("rb") as opened:
        return limited(opened, limit=limit)


def limited(stream: BinaryIO, *, limit: int) -> bytes:
    """Returns the remaining bytes of a stream. Raises `OSError` if they are more than the limit."""
    content = stream.read(limit + 1)  # one byte more shows that there is too much
    if len(content) > limit:
        raise OSError(errno.EFBIG, f"it is larger than {limit:,} bytes")
    return content


def _fetched(address: str) -> bytes:
    """Returns the content of the glossary.json at a web address. Raises `SitegenError` if there is
    none."""
    from sitegen.sources import downloads  # loads urllib, which is not needed for a file

    wanted = _data_address(address)
    try:
        content = downloads.fetch(wanted, max_bytes=MAX_GLOSSARY_BYTES)
    except downloads.DownloadError as error:
        raise _not_fetched(wanted, str(error)) from None
    if content is None:
        raise _not_fetched(wanted, "the server answers that there is no such file")
    return content


def _not_fetched(address: str, reason: str) -> SitegenError:
    """Returns the error for a glossary.json at a web address."""
    advice = "name the address of a built site, or its folder"
    return SitegenError(f"{shown_address(address)}: cannot be fetched ({reason}); {advice}")


def _data_address(address: str) -> str:
    """Returns the address of the glossary.json of a site. The address of such a file is returned
    without its fragment.

    >>> _data_address("https://example.org/terms/?a#b")
    'https://example.org/terms/glossary.json?a'
    """
    without_fragment, _, _ = address.partition("#")
    place, mark, query = without_fragment.partition("?")
    if not place.endswith(".json"):
        place = f"{place.rstrip('/')}/{urls.DATA}"
    return place + mark + query


def from_sources(
    folder: Path, config: Config | None = None, *, notify: Notify | None = None
) -> Glossary:
    """Returns the glossary of the sources in a folder, as a build would publish it. Nothing is
    written.

    Without a `config`, the folder's site.toml is read. `notify` shows a few words about the
    progress. Raises `SitegenError` if there is no glossary, and where the system lacks what reading
    sources needs.
    """
    try:
        from sitegen.pipeline.site_build import read_site
        from sitegen.site.exports import data
        from sitegen.sources.projects import Project
    except ImportError:
        raise SitegenError(NEEDS_POSIX) from None
    project = Project(folder=folder, config=config)
    _inputs, site = read_site(project, notify=notify or silent)
    (file,) = data.files(site)
    return parse(file.content, str(folder))
