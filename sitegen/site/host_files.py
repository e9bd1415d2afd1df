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
    host = site.settings.host
    if not host or not HOSTS[host].reads_redirects:
        return

    headers = "".join(f"  {name}: {value}\n" for name, value in HEADERS.items())
    yield File(path="_headers", content=f"/*\n{headers}".encode())

    rules = ""
    for old, new in redirects(site):
        # 302 is a temporary redirect: the release may get a page later.
        rules += f"{quote(old, safe='/~')} {quote(new, safe='/~')} 302\n"
    yield File(path="_redirects", content=rules.encode())


def redirects(site: Site) -> list[tuple[str, str]]:
    """Returns the redirects of all languages, each as the address and its target. A release that
    kept the words of a term has no page for them, so `/term/tensor/1.1/` leads to
    `/term/tensor/1.0/`."""
    rules = []
    for language_site in (site, *site.language_sites):
        root = f"/{language_site.folder}"
        for address, (age, target) in _targets_by_address(language_site).items():
            rules.append((age, root + address, root + target))
    # The newest releases come first, because Cloudflare ignores redirects beyond its limits.
    return [(address, target) for _, address, target in sorted(rules)]


def _targets_by_address(site: Site) -> Mapping[str, tuple[int, str]]:
    """Returns the redirects of one language: each address with the age of its release, and the
    target. The newest release has the age 0."""
    published_addresses = {frozen.address for frozen in site.addresses.frozen}
    published_addresses |= site.addresses.archive.by_address.keys()

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
            if address not in published_addresses:
                age = ages[run.course.source.id, name]
                targets.setdefault(address, (age, run.frozen))
    return targets
