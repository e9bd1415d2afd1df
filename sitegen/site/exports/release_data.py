"""Writes `release/…/index.json`: the glossary as of one release, every term with the wording then in force.

Most terms are the same in many releases. So each term is serialised once for each run of equal releases, and the file
of a release is joined from these texts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from sitegen.addresses import urls
from sitegen.model import File
from sitegen.model.terms import Lane, Life
from sitegen.site.pages.wordings import runs
from sitegen.site.site import Site
from sitegen.text import compact_json

MOST_TEXTS = 200_000
"""If the product of terms and releases is larger, the files have names and addresses of wordings but no definitions:
10,000 terms in 100 releases would take 400 MB."""


def files(site: Site) -> Iterator[File]:
    """Yields a file for each published release."""
    terms = _terms(site)
    for release in site.releases_out:
        head = {
            "release": release,
            "sources": [source.id for source, one in site.releases(release) if not one.unreleased],
            "terms": [],
        }
        text = compact_json.text(head).removesuffix("]}") + "\n" + ",\n".join(terms[release]) + "\n]}\n"
        yield File(path=urls.release_data(release), content=text.encode(errors="replace"))


def _terms(site: Site) -> Mapping[str, Sequence[str]]:
    """Returns, for each release, a JSON text for each term in each of its sources."""
    has_texts = len(site.lives) * len(site.release_names()) <= MOST_TEXTS
    terms: dict[str, list[str]] = defaultdict(list)
    for life in site.lives:
        for lane in life.term.lanes:
            if not lane.source.undated:
                for text, releases in _runs(life, lane, site, has_texts=has_texts):
                    for release in releases:
                        terms[release].append(text)
    return terms


def _runs(life: Life, lane: Lane, site: Site, *, has_texts: bool) -> Iterator[tuple[str, Sequence[str]]]:
    """Yields the JSON texts of a term in one source, each with the releases in which it applies."""
    for entry, since, releases in runs(life, lane):
        said: dict[str, object] = {
            "slug": site.slugs[life.key],
            "name": entry.name,
            "names": [name.text for name in entry.designations[1:]],
            "source": lane.source.id,
            "since": since,
            "url": site.wordings.get((life.key, lane.source.id, since)),
        }
        if has_texts:
            said["text"] = entry.definition.text
        yield compact_json.text(said), [release for release in releases if release not in lane.source.unreleased]
