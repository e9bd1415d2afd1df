"""Writes `glossary.json`, its JSON Schema, and the JSON file of each term and of each release.

New versions may add keys and never remove one. The keys `before`, `same_as`, `other` and `identity` of a change,
and `metadata` of a definition, are optional: they are left out where they have no value.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sitegen import __version__
from sitegen.addresses import urls
from sitegen.model import Citation, Entry, File
from sitegen.model.terms import Change, Lane, Life, Revision
from sitegen.site.exports.schema import GLOSSARY, DataStatus
from sitegen.site.pages.wordings import runs
from sitegen.site.site import Site
from sitegen.text import compact_json

MAX_TEXTS = 200_000
"""If the product of terms and releases is larger, the files have names and addresses of wordings but no definitions:
10,000 terms in 100 releases would take 400 MB."""


def release_files(site: Site) -> Iterator[File]:
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
    has_texts = len(site.lives) * len(site.release_names()) <= MAX_TEXTS
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
        row: dict[str, object] = {
            "slug": site.slugs[life.key],
            "name": entry.name,
            "names": [name.text for name in entry.designations[1:]],
            "source": lane.source.id,
            "since": since,
            "url": site.wordings.get((life.key, lane.source.id, since)),
        }
        if has_texts:
            row["text"] = entry.definition.text
        yield compact_json.text(row), [release for release in releases if release not in lane.source.unreleased]


Json = dict[str, Any]
ReleaseIds = Mapping[tuple[str, str], str]
"""(source id, release) to the HTML id of the release on the term's page."""


def files(site: Site) -> Iterator[File]:
    """Yields `glossary.json` and its schema."""
    terms = ",\n".join(compact_json.text(_term(life, site.slugs)) for life in site.lives)
    yield File(path=urls.DATA, content=_encoded(f"{_head(site)}\n{terms}\n]}}"))
    yield File(path=urls.SCHEMA, content=_encoded(json.dumps(GLOSSARY, indent=2)))


def of_term(life: Life, site: Site, *, standing: str) -> bytes:
    """Returns the JSON file of a term: its object in `glossary.json`, its status sentence, every wording with its
    permanent address, and the releases in which it is absent or unread, by their HTML ids on the term's page.
    """
    ids = site.anchors(site.slugs[life.key])
    whole = {
        **_term(life, site.slugs),
        "language": site.language,
        "standing": standing,
        "revisions": [_revision(revision, life, site, ids) for revision in life.revisions],
        "absent": {id: name for lane in life.term.lanes for id, name in _in_state("absent", lane, ids)},
        "unread": {id: name for lane in life.term.lanes for id, name in _in_state("unread", lane, ids)},
    }
    return _encoded(compact_json.text(whole))


def _head(site: Site) -> str:
    """Returns the text of `glossary.json` up to its terms. Each term has its own line, which keeps diffs readable."""
    head = {
        "title": site.title,
        "base_url": site.base_url,
        "generator": f"sitegen {__version__}",
        "sources": [
            {
                "id": source.id,
                "title": source.title,
                "releases": [] if source.undated else [release.name for release in source.releases],
                "unreleased": sorted(source.unreleased),
            }
            for source in site.sources
        ],
        "terms": [],
    }
    return compact_json.text(head).removesuffix("]}")


def _term(life: Life, slugs: Mapping[str, str]) -> Json:
    slug = slugs[life.key]
    return {
        "slug": slug,
        "name": life.name,
        "url": urls.term(slug),
        "status": status(life),
        "names": [{"text": name.text, "status": name.status} for name in life.names],
        "former_names": [{"text": text, "until": release} for text, release in life.former_names],
        "synonym_of": slugs[life.synonym_of] if life.synonym_of and not life.merged_into else None,
        "merged_into": slugs[life.merged_into] if life.merged_into else None,
        "replaced_by": slugs[life.replaced_by] if life.replaced_by else None,
        "definition": _definition(life.entry),
        "history": [_change(change, slugs) for change in life.changes],
    }


def status(life: Life) -> DataStatus:
    """Returns the status of a term in data."""
    is_read = any(lane.turned[-1].state == "defined" for lane in life.term.lanes)
    return "unread" if life.status == "current" and not is_read else life.status


def _revision(revision: Revision, life: Life, site: Site, ids: ReleaseIds) -> Json:
    return {
        "source": revision.source,
        "first": revision.first,
        "last": revision.last,
        "name": revision.entry.name,
        "text": revision.entry.definition.text,
        "code": revision.entry.definition.code,
        "url": site.wordings.get((life.key, revision.source, revision.first)),
        "releases": _run(revision, life, ids),
    }


def _run(revision: Revision, life: Life, ids: ReleaseIds) -> Json:
    """Returns the releases of a revision in which the term was read, by HTML id."""
    lane = next(lane for lane in life.term.lanes if lane.source.id == revision.source)
    ends = lane.releases.index(revision.first), lane.releases.index(revision.last) + 1
    return dict(_in_state("defined", lane, ids, *ends))


def _in_state(
    state: str, lane: Lane, ids: ReleaseIds, begin: int = 0, end: int | None = None
) -> Iterator[tuple[str, str]]:
    """Yields HTML id and name of the releases in which a term had a state. An undated document has no ids."""
    if lane.source.undated:
        return
    for step, first, past in lane.runs():
        if step.state == state:
            names = lane.releases[max(first, begin) : past if end is None else min(past, end)]
            yield from ((ids[lane.source.id, name], name) for name in names)


def _definition(entry: Entry) -> Json:
    row: Json = {"text": entry.definition.text, "source": entry.place.source, "release": entry.place.release}
    if entry.text.metadata:
        row["metadata"] = dict(entry.text.metadata)
    return row


def _change(change: Change, slugs: Mapping[str, str]) -> Json:
    row: Json = {
        "source": change.source,
        "release": change.release,
        "previous": change.previous,
        "kind": change.kind,
        "citation": _citation(change.citation),
    }
    if change.before and change.after:
        row["before"] = {"name": change.before.name, **_citation(change.before.citation)}
    if change.same_as:
        row["same_as"] = change.same_as
    if change.other:
        row["other"] = slugs[change.other]
    if change.identity:
        row["identity"] = {"rule": change.identity.rule, "reason": change.identity.reason}
    return row


def _citation(citation: Citation) -> Json:
    return {"path": citation.path, "line": citation.line}


def _encoded(text: str) -> bytes:
    # A file name may contain bytes that are not valid UTF-8 (surrogates here); JSON can escape them.
    return f"{text}\n".encode(errors="backslashreplace")
