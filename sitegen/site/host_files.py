"""Writes configuration files of Netlify and Cloudflare: `_headers`, sent with every page, and
`_redirects`.

A frozen page exists only for the first release of a wording. `_redirects` sends the addresses of
later releases in which the wording was still in force to that page; on other hosts, the 404 page
does this. An address that was ever published is never redirected.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import quote

from sitegen.addresses import urls
from sitegen.config.hosts import HOSTS
from sitegen.model import File
from sitegen.site.site import Site
from sitegen.site.wording_runs import dated_runs

HEADERS = {
    # Pages have their policy in a <meta> element; this directive works only in a header.
    "Content-Security-Policy": "frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    # Other sites may load the data of terms; everything on the site is public.
    "Access-Control-Allow-Origin": "*",
}


def files(site: Site) -> Iterator[File]:
    """Yields the configuration files for the site's host, if it reads any."""
    if site.settings.host and HOSTS[site.settings.host].reads_site:
        headers = "".join(f"  {name}: {value}\n" for name, value in HEADERS.items())
        yield File(path="_headers", content=f"/*\n{headers}".encode())
        rules = ""
        for old, new in redirects(site):
            rules += f"{quote(old, safe='/~')} {quote(new, safe='/~')} 302\n"
        yield File(path="_redirects", content=rules.encode())


def redirects(site: Site) -> list[tuple[str, str]]:
    """Returns addresses of terms at releases without a page, in all languages, each with the page
    of the wording in force: `/term/tensor/1.1/` with `/term/tensor/1.0/`.

    Those of the newest releases are first: Cloudflare ignores what is beyond its limits.
    """
    rules = []
    for one in (site, *site.language_sites):
        root = f"/{one.folder}"
        for address, (age, target) in _targets_by_address(one).items():
            rules.append((age, root + address, root + target))
    return [(address, target) for _, address, target in sorted(rules)]


def _targets_by_address(site: Site) -> Mapping[str, tuple[int, str]]:
    """Returns what `redirects` does, for one language and from its root: by each address the age of
    its release, which is 0 for the newest, and the page."""
    published = {one.address for one in site.addresses.frozen}
    published |= site.addresses.archive.by_address.keys()
    ages = {}
    for source in site.sources:
        for age, release in enumerate(reversed(source.releases)):
            ages[source.id, release.name] = age
    targets: dict[str, tuple[int, str]] = {}
    for run in dated_runs(site):
        if not run.frozen:
            continue
        for name in run.releases:
            address = urls.frozen(site.slugs[run.life.key], urls.release_slug(name))
            if address not in published:
                age = ages[run.course.source.id, name]
                targets.setdefault(address, (age, run.frozen))
    return targets
