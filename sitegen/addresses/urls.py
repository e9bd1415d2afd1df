"""Every address of the site, and how one page links to another.

An address is relative to the site's root and clean: `term/aten/`, `term/aten/#r1.8.2`. Links
between pages spell out `index.html`, because a site opened from disk has no server to resolve
folders; copied, recorded and canonical addresses stay clean. `term_slugs` assigns term slugs;
this module makes all other names safe.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

from sitegen.addresses.slugs import slug

HOME = ""
A_TO_Z = "a-z/"
RELEASES = "release/"
COMPARE = "compare/"
ABOUT = "about/"
OVERVIEWS = (A_TO_Z, RELEASES, ABOUT)
"""The pages about the whole glossary, which every language has, and search engines may list."""
SEARCH = "search/"
TRANSLATIONS = "translations/"
LANGUAGES_STYLE = "assets/languages.css"
NOT_FOUND = "404.html"
DATA = "glossary.json"
SCHEMA = "glossary.schema.json"
TURTLE = "glossary.ttl"
SHEET = "glossary.csv"
LLMS = "llms.txt"
DOWNLOADS = (DATA, SCHEMA, SHEET, TURTLE, LLMS)
"""The files that the page about the site lists. The message `form.` and the name says what is in
each."""
ABBREVIATIONS = "abbreviations.md"
LINKS = "links.md"
SITEMAP = "sitemap.xml"
EMBED = "assets/embed.js"
INVENTORY = "objects.inv"
ARCHIVE = "archive.jsonl"
STYLE = "assets/site.css"
SCRIPT = "assets/site.js"
SEARCH_SCRIPT = "assets/js/search.js"
SEARCH_INDEX = "assets/js/search-index.js"
PANELS = "assets/panels.js"

ANY_ROOT = "\0"
"""The placeholder for the root in HTML that several pages share. Each page puts its own root in its
place. No text has this character."""

_PLAIN_RELEASE = re.compile(r"[a-z0-9]([a-z0-9._-]{0,78}[a-z0-9])?")
"""Matches `1.8.2` and `2024-03`, which are safe in paths."""
_PLAIN_SECTION = re.compile(r"[a-z0-9]+( [a-z0-9]+){0,12}")
"""Matches `core terms`, whose slug is `core-terms`."""
# Windows opens a device for these, with any extension; `index.…` are files of the site.
_DEVICE_OR_INDEX = re.compile(r"(con|prn|aux|nul|com\d|lpt\d|index)(\..*)?")


def term(slug: str, *, anchor: str = "") -> str:
    return f"term/{slug}/#{anchor}" if anchor else f"term/{slug}/"


def term_data(slug: str) -> str:
    return f"term/{slug}/index.json"


def term_markdown(slug: str) -> str:
    return f"term/{slug}/index.md"


def term_feed(slug: str) -> str:
    return feed(term(slug))


def frozen(slug: str, release: str) -> str:
    """Returns the address of one wording of a term; `release` must be safe in a path."""
    return f"term/{slug}/{release}/"


def release(name: str) -> str:
    return f"release/{release_slug(name)}/"


def release_terms(name: str) -> str:
    """Returns the address of the glossary as of a release: every term with the wording then in
    force."""
    return release(name) + "terms/"


def part_of_release(source: str) -> str:
    """Returns the id of a part of the page of a release: that with the changes of one source."""
    return f"source-{source}"


def feed(address: str) -> str:
    """Returns the address of the feed of a page."""
    return f"{address}feed.xml"


def release_data(name: str) -> str:
    """Returns the path of the data of the glossary as of a release."""
    return release(name) + "index.json"


def release_inventory(name: str) -> str:
    return release(name) + INVENTORY


def comparison(release: str) -> str:
    """Returns the address of what changed since a release."""
    return f"{COMPARE}{release_slug(release)}/"


def extra_page(name: str) -> str:
    """Returns the address of a page that the site's editors wrote.

    `name` is the path of its file without the suffix; for an index page, the path of its folder.

    >>> extra_page("guide/start")
    'pages/guide/start/'
    """
    address = "pages/"
    for part in filter(None, name.lower().split("/")):
        address += f"{release_slug(part)}/"
    return address


def section(heading: str) -> str:
    return f"section/{section_slug(heading)}/"


def release_slug(name: str) -> str:
    """Returns a release's name as a part of a path. A name that is not safe on every disk is
    replaced by a safe one.

    Distinct names give distinct slugs, even on a disk that ignores case.

    >>> release_slug("1.8.2"), release_slug("v 1/2")
    ('1.8.2', 'v-1-2~a835dbd53d')
    """
    if _PLAIN_RELEASE.fullmatch(name) and not _DEVICE_OR_INDEX.fullmatch(name):
        return name
    return _replacement_for(name)


def section_slug(heading: str) -> str:
    """Returns a section's heading as a part of a path. Headings that differ only in case and space
    have the same slug.

    >>> section_slug("Core  Terms")
    'core-terms'
    """
    folded = section_key(heading)
    if _PLAIN_SECTION.fullmatch(folded) and not _DEVICE_OR_INDEX.fullmatch(folded):
        return folded.replace(" ", "-")
    return _replacement_for(folded)


def section_key(heading: str) -> str:
    """Returns the key of a section: headings with equal keys are one section."""
    return " ".join(unicodedata.normalize("NFC", heading).casefold().split())


def _replacement_for(name: str) -> str:
    """Returns a safe replacement for an unsafe name: its readable part, a `~`, and a digest.

    A name that stays as it is has no `~`, so the replacement is never the same as another name.
    """
    words = re.sub(r"[^a-z0-9]+", "-", _in_ascii(name).lower()).strip("-")
    if not words:  # a name in another script
        words = slug(name)
    readable = words[:40].strip("-")
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{readable}~{digest}"


def _in_ascii(name: str) -> str:
    """Returns the characters of a name that are in ASCII without their accents."""
    return unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()


def revision_anchor(release: str, *, source: str = "") -> str:
    """Returns the id of a release on a term's page.

    Pass `source` for a release of another source than the page's own.

    >>> revision_anchor("1.8"), revision_anchor("1.8", source="course")
    ('r1.8', 's-course~1.8')
    """
    if source:
        return f"s-{release_slug(source)}~{release_slug(release)}"
    return f"r{release_slug(release)}"


def sphinx_anchors(name: str) -> tuple[str, ...]:
    """Returns the ids that Sphinx gives a term in its glossary: the one with capitals, and the one
    in small letters that Sphinx gave before version 3.

    >>> sphinx_anchors("Data Frame")
    ('term-Data-Frame', 'term-data-frame')
    """
    in_ascii = _in_ascii(" ".join(name.split()))
    words_today = re.sub(r"[^a-zA-Z0-9._]+", "-", in_ascii).strip("-")
    words_before_3 = re.sub(r"[^a-z0-9]+", "-", in_ascii.lower()).strip("-")
    ids = [f"term-{words}" for words in (words_today, words_before_3) if words]
    return tuple(dict.fromkeys(ids))


def address(path: str) -> str:
    """Returns the address of a file: `term/aten/` of `term/aten/index.html`. The inverse of
    `path`."""
    folder, slash, name = path.rpartition("/")
    return folder + slash if name == "index.html" else path


def slug_in(path: str) -> str:
    """Returns the slug in a path or address below that of a term: `aten` in `term/aten/1.0/`;
    empty for any other."""
    folder, _, rest = path.partition("/")
    slug, _, _ = rest.partition("/")
    return slug if folder == "term" else ""


def is_of_term(address: str) -> bool:
    """True for the address of the page of a term, `term/aten/`."""
    slug = slug_in(address)
    return slug != "" and address == term(slug)


def is_of_wording(address: str) -> bool:
    """True for the address of the page of a frozen wording, `term/aten/1.0/`."""
    return slug_in(address) != "" and not is_of_term(address)


def with_slash(address: str) -> str:
    """Returns the address `term/aten/` as messages and the file of the archive have it:
    `/term/aten/`. The address of a whole site, `https://…/`, stays as it is."""
    return address if is_web(address) else f"/{address}"


def is_web(place: str) -> bool:
    """True for an HTTP or HTTPS address, False for a file path."""
    return place.lower().startswith(("https://", "http://"))


def path(address: str) -> str:
    """Returns the path of the file for a page's address."""
    return f"{address}index.html" if address == "" or address.endswith("/") else address


def root(address: str, *, base_path: str = "/") -> str:
    """Returns the relative path from a page to the site's root, with a slash at its end.

    The 404 page is served at any depth, so its root is `base_path`, the path of the site on its
    host.

    >>> root("term/aten/1.0/")
    '../../../'
    """
    if address == NOT_FOUND:
        return base_path
    return "../" * address.count("/") or "./"


def link(address: str, root: str) -> str:
    """Returns the link to an address from a page with this `root`.

    >>> link("term/aten/#r1.8", "../")
    '../term/aten/index.html#r1.8'
    """
    before_anchor, _, _ = address.partition("#")
    page, _, _ = before_anchor.partition("?")
    query_or_anchor = address.removeprefix(page)
    return root + path(page) + query_or_anchor
