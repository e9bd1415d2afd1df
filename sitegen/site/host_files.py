"""What Netlify and Cloudflare read from a site: `_headers`, to be sent with every page, and `_redirects`.

A page is frozen where a wording begins. Who names a release in which it was in force still is sent on to that page,
which other hosts leave to the page for lost addresses. No address that was ever published is sent on anywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from sitegen.addresses import urls
from sitegen.config.hosts import HOSTS
from sitegen.model import File, Problem
from sitegen.model.terms import Life
from sitegen.site.promises import promises
from sitegen.site.site import Site

HEADERS = {
    # All that a page may load it says itself; this is the one thing that only a header can say.
    "Content-Security-Policy": "frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    # Other sites may show a term's data; there is nothing here that is not for everyone.
    "Access-Control-Allow-Origin": "*",
}

MAX_REDIRECTS = 2_000
"""The rules that Cloudflare reads (developers.cloudflare.com, Pages, "Redirects")."""
MAX_REDIRECT_BYTES = 100_000
"""The size of `_redirects` of which Cloudflare reads all; it drops the rest without a word."""
MAX_FILES = {"cloudflare": 20_000}
"""Files of a site, by host (Cloudflare Pages, "Limits", free plan)."""
MAX_FILES_IN_FOLDER = {"netlify": 54_000}
"""Files of one folder, by host (docs.netlify.com, "Site deploys overview")."""


def files(site: Site) -> Iterator[File]:
    """Yields what the host of a site wants to find in it, if anything."""
    if site.host and HOSTS[site.host].reads_site:
        headers = "".join(f"  {name}: {value}\n" for name, value in HEADERS.items())
        yield File(path="_headers", content=f"/*\n{headers}".encode())
        lines = (f"{address} {target} 302\n" for address, target in redirects(site))
        yield File(path="_redirects", content="".join(lines).encode())


def problems(site: Site, paths: Collection[str], *, path: str) -> Iterator[Problem]:
    """Yields the limits of the host that a site with these files exceeds. `path` is that of site.toml."""
    wanted = "fewer releases or terms, or a host without this limit"
    most = MAX_FILES.get(site.host, len(paths))
    if len(paths) > most:
        yield Problem(path=path, found=f"the site has {len(paths)} files; {site.host} takes {most}", wanted=wanted)
    folders = Counter(one.rpartition("/")[0] for one in paths)
    folder, files = max(folders.items(), key=lambda item: item[1], default=("", 0))
    if files > MAX_FILES_IN_FOLDER.get(site.host, files):
        yield Problem(path=path, found=f"{folder}/ has {files} files, which {site.host} does not take", wanted=wanted)
    if site.host and HOSTS[site.host].reads_site:
        left_out = len(_all_redirects(site)) - len(redirects(site))
        if left_out:
            found = f"{left_out} addresses of terms at older releases are in no redirect, because _redirects is full"
            yield Problem(path=path, found=found, wanted="nothing: the page for lost addresses leads on from there")


def redirects(site: Site) -> list[tuple[str, str]]:
    """Returns addresses of terms at releases that have no page, each with the page of the wording then in force.

    Where they are too many, those of the newest releases are kept.
    """
    kept: list[tuple[str, str]] = []
    size = 0
    for address, target in _all_redirects(site)[:MAX_REDIRECTS]:
        size += len(f"{address} {target} 302\n")
        if size > MAX_REDIRECT_BYTES:
            break
        kept.append((address, target))
    return sorted(kept)


def _all_redirects(site: Site) -> list[tuple[str, str]]:
    """Returns the same without a limit, those of the newest releases first."""
    published = promises(site)
    ages = {
        (source.id, release.name): age for source in site.sources for age, release in enumerate(source.releases[::-1])
    }
    found: dict[str, tuple[int, str]] = {}
    for life in site.lives:
        for source, first, release in _in_force(life):
            address = f"/{urls.frozen(site.slugs[life.key], urls.release_slug(release))}"
            target = site.wordings.get((life.key, source, first))
            if target and address not in published:
                found.setdefault(address, (ages[source, release], f"/{target}"))
    newest = sorted(found, key=lambda address: (found[address][0], address))
    return [(address, found[address][1]) for address in newest]


def _in_force(life: Life) -> Iterator[tuple[str, str, str]]:
    """Every release of every source in which a wording was read: source, where the wording began, release."""
    for revision in life.revisions:
        lane = next(lane for lane in life.term.lanes if lane.source.id == revision.source)
        order = lane.releases
        for step in lane.steps[order.index(revision.first) : order.index(revision.last) + 1]:
            if step.state == "defined":
                yield revision.source, revision.first, step.release
