"""Writes `glossary.json`, its JSON Schema, the JSON files of terms and releases, glossary.csv and renames.json.

New versions may add keys and never remove one. The keys `before`, `same_as`, `other` and `identity` of a change,
and `metadata` of a definition, are optional: they are left out where they have no value. The schema documents the
keys.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, get_args, get_type_hints

from sitegen import __version__
from sitegen.addresses import urls
from sitegen.model import Citation, File, Status
from sitegen.model.terms import Change, ChangeKind, Identity, Ids, Lane, LaneState, Life, TermStatus
from sitegen.site.exports.texts import fit, one_line
from sitegen.site.site import Site
from sitegen.site.wordings import runs
from sitegen.text import compact_json
from sitegen.text.names import fold

MAX_TEXTS = 200_000
"""If the product of terms and releases is larger, the files have names and addresses of wordings but no definitions:
10,000 terms in 100 releases would take 400 MB."""

Json = dict[str, Any]
DataStatus = Literal[TermStatus, "unread"]
"""The status of a term. `unread`: the newest release of no source that defines it could be read."""


def files(site: Site) -> Iterator[File]:
    """Yields `glossary.json`, in which each term has its own line, for readable diffs, and its schema."""
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
    }
    terms = (compact_json.text(_term(life, site.slugs)) for life in site.lives)
    yield File(path=urls.DATA, content=_encoded(json_by_line(head, "terms", terms)))
    yield File(path=urls.SCHEMA, content=_encoded(json.dumps(GLOSSARY, indent=2)))


def json_by_line(head: Json, key: str, values: Iterable[str]) -> str:
    """Returns the text of an object that ends with a list, whose values are JSON texts, one on each line."""
    return compact_json.text({**head, key: []}).removesuffix("]}") + "\n" + ",\n".join(values) + "\n]}"


def release_files(site: Site) -> Iterator[File]:
    """Yields a file for each published release."""
    has_texts = len(site.lives) * len(site.release_names()) <= MAX_TEXTS
    terms: dict[str, list[str]] = defaultdict(list)
    for life in site.lives:
        for lane in life.term.lanes:
            if lane.source.undated:
                continue
            for entry, since, releases in runs(life, lane):
                row = {
                    "slug": site.slugs[life.key],
                    "name": entry.name,
                    "names": [name.text for name in entry.designations[1:]],
                    "source": lane.source.id,
                    "since": since,
                    "url": site.wordings.get((life.key, lane.source.id, since)),
                    **({"text": entry.definition.text} if has_texts else {}),
                }
                text = compact_json.text(row)
                for release in releases:
                    if release not in lane.source.unreleased:
                        terms[release].append(text)
    for release in site.releases_out:
        sources = [source.id for source, one in site.releases(release) if not one.unreleased]
        text = json_by_line({"release": release, "sources": sources}, "terms", terms[release])
        yield File(path=urls.release_data(release), content=f"{text}\n".encode(errors="replace"))


def of_term(life: Life, site: Site, *, standing: str) -> bytes:
    """Returns the JSON file of a term: its object in `glossary.json`, its status sentence, every wording with its
    permanent address, and the releases in which it is absent or unread, by their HTML ids on the term's page.
    """
    ids = site.permanence.ids[site.slugs[life.key]]
    lanes = {lane.source.id: lane for lane in life.term.lanes}
    revisions = []
    for revision in life.revisions:
        lane = lanes[revision.source]
        begin, end = lane.releases.index(revision.first), lane.releases.index(revision.last) + 1
        row = {
            "source": revision.source,
            "first": revision.first,
            "last": revision.last,
            "name": revision.entry.name,
            "text": revision.entry.definition.text,
            "code": revision.entry.definition.code,
            "url": site.wordings.get((life.key, revision.source, revision.first)),
            "releases": _releases(lane, ("defined", "deprecated"), ids, begin, end),
        }
        revisions.append(row)
    values = {
        **_term(life, site.slugs),
        "language": site.language,
        "standing": standing,
        "revisions": revisions,
        "absent": {id: name for lane in life.term.lanes for id, name in _releases(lane, ("absent",), ids).items()},
        "unread": {id: name for lane in life.term.lanes for id, name in _releases(lane, ("unread",), ids).items()},
    }
    return _encoded(compact_json.text(values))


def _releases(lane: Lane, states: tuple[LaneState, ...], ids: Ids, begin: int = 0, end: int | None = None) -> Json:
    """Returns HTML id to name of the releases in which a term had a state. An undated document has no ids."""
    return {
        ids[lane.source.id, name]: name
        for span in (lane.spans if not lane.source.undated else ())
        if span.state in states
        for name in lane.releases[max(span.first, begin) : span.past if end is None else min(span.past, end)]
    }


def _term(life: Life, slugs: Mapping[str, str]) -> Json:
    slug, place = slugs[life.key], life.entry.place
    definition: Json = {"text": life.entry.definition.text, "source": place.source, "release": place.release}
    if life.entry.text.metadata:
        definition["metadata"] = dict(life.entry.text.metadata)
    return {
        "slug": slug,
        "name": life.name,
        "url": urls.term(slug),
        "status": _status(life),
        "names": [{"text": name.text, "status": name.status} for name in life.names],
        "former_names": [{"text": text, "until": release} for text, release in life.former_names],
        **{relation: other and slugs[other] for relation, other in _relations(life).items()},
        "definition": definition,
        "history": [_change(change, slugs) for change in life.changes],
    }


def _relations(life: Life) -> Mapping[str, str | None]:
    """Returns the keys of the terms to which a term leads, by relation."""
    return {
        "synonym_of": None if life.merged_into else life.synonym_of,
        "merged_into": life.merged_into,
        "replaced_by": life.replaced_by,
    }


def _status(life: Life) -> DataStatus:
    """Returns the status of a term in data."""
    is_read = any(lane.spans[-1].entry for lane in life.term.lanes)
    return "unread" if life.status == "current" and not is_read else life.status


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


COLUMNS = (
    "name slug url status other_names former_names definition source release synonym_of merged_into replaced_by"
).split()
# East Asian spreadsheets also accept the full-width forms of these signs.
_SIGN = re.compile(r"[=+\-@＝＋－＠]")
_FORMULA = re.compile(rf"""(?:^[\s"']*|[,;|\n\t][\s"']*)(?={_SIGN.pattern})""")
_MARK = "\ufeff"
"""The byte order mark, by which a spreadsheet detects UTF-8."""


def table(site: Site) -> Iterator[File]:
    """Yields the terms as a CSV table (RFC 4180) for spreadsheets. Several names in a cell are on a line each."""
    rows = (COLUMNS, *(_cells(life, site) for life in site.lives))
    lines = (",".join(f'"{harmless(cell)}"' for cell in cells) + "\r\n" for cells in rows)
    yield File(path=urls.SHEET, content=(_MARK + "".join(lines)).encode())


def _cells(life: Life, site: Site) -> Iterable[str]:
    slug, citation = site.slugs[life.key], life.entry.citation
    return (
        one_line(life.name),
        slug,
        site.base_url + urls.term(slug),
        _status(life),
        "\n".join(one_line(name.text) for name in life.names[1:]),
        "\n".join(one_line(name) for name, _ in life.former_names),
        fit(life.entry.definition.text),
        citation.source,
        citation.release,
        *(site.slugs[other] if other else "" for other in _relations(life).values()),
    )


def harmless(cell: str) -> str:
    """Returns the content of a quoted cell, escaped so that no spreadsheet evaluates any part of it.

    A spreadsheet evaluates a cell that begins with `=`, `+`, `-` or `@`, even a quoted one, and a program that
    expects semicolons or tabs finds cell boundaries inside our cells. So an apostrophe is inserted before each such
    sign at the beginning of a cell and after each possible separator.
    """
    if _SIGN.search(cell):
        cell = _FORMULA.sub(lambda match: f"{match[0]}'", cell.strip())
    return cell.strip().replace('"', '""')


def renames(site: Site) -> Iterator[File]:
    """Yields renames.json: a list of old names with the current ones, and an object from old to new addresses.

    The names are former ones and those of merged terms, except those that a term in force has today.
    """
    in_force = {fold(name.text) for life in site.lives if life.is_defined for name in life.names}
    names: dict[str, dict[str, str]] = {}
    addresses: dict[str, str] = {}
    for life in site.lives:
        present = site.defining_term(life.key) if life.merged_into else life
        to = site.slugs[present.key]
        addresses |= {urls.term(slug): urls.term(to) for slug in site.slugs_of[life.key] if slug != to}
        dropped = [*life.former_names]
        if life.merged_into:
            merged = next(change for change in reversed(life.changes) if change.kind == "merged")
            dropped += [(name.text, merged.release) for name in life.names]
        for name, release in dropped:
            names.setdefault(fold(name), {"from": name, "to": present.name, "slug": to, "release": release})
    listed = [row for name, row in sorted(names.items()) if name not in in_force]
    data = {"base_url": site.base_url, "names": listed, "addresses": addresses}
    yield File(path=urls.RENAMES, content=(json.dumps(data, indent=1) + "\n").encode())


Schema = dict[str, Any]


def _text(described: Schema | str) -> Schema:
    """Returns the schema of a text with a description; any other schema as it is."""
    return {"type": "string", "description": described} if isinstance(described, str) else described


def _text_or_null(description: str) -> Schema:
    return {"type": ["string", "null"], "description": description}


def _one_of(words: object, description: str) -> Schema:
    return {"enum": list(get_args(words)), "description": description}


def _list(items: Schema | str, description: str) -> Schema:
    return {"type": "array", "items": _text(items), "description": description}


def _object(
    description: str, /, *, optional: Mapping[str, Schema | str] | None = None, **required: Schema | str
) -> Schema:
    """Returns the schema of an object with these properties, by name. Later versions may add properties."""
    properties = {name: _text(described) for name, described in {**required, **(optional or {})}.items()}
    return {"type": "object", "description": description, "properties": properties, "required": list(required)}


CITATION: Schema = {
    "path": _text(
        "The document, relative to the folder that the site was built from, or `tag:path` in a repository."
    ),
    "line": {"type": "integer", "minimum": 0, "description": "The line of the name in the document, from 1."},
}

CHANGE = _object(
    "Something that happened to the term. A release that changed nothing has no row.",
    source="Id of the source in which it happened.",
    release="The release in which it happened.",
    previous=_text_or_null("The release it was compared with: the one before that could be read."),
    kind=_one_of(ChangeKind, "What happened."),
    citation=_object("The place of the entry; for a removal, of the last one.", **CITATION),
    optional={
        "before": _object(
            "What it was compared with, where there is something on both sides.",
            name="The preferred name then.",
            **CITATION,
        ),
        "same_as": "The last earlier release that had the same words.",
        "other": "Slug of the term merged into, or split off from.",
        "identity": _object(
            "The rule by which two names were matched as one term.",
            rule=_one_of(get_type_hints(Identity)["rule"], "Which rule was used."),
            reason="A person's reason, if any.",
        ),
    },
)

METADATA: Schema = {
    "type": "object",
    "additionalProperties": _list({"type": "string"}, "The texts of one key."),
    "description": "Further keys of the term's front matter, such as tags, author and weight.",
}

TERM = _object(
    "A term, whatever it was called at each release.",
    slug="The term's name in addresses.",
    name="The preferred name.",
    url="The term's page, relative to the site's root.",
    status=_one_of(
        DataStatus,
        "Whether the term is defined today, or was removed or merged; unread if the newest release could not be "
        "read, or does not have the glossary.",
    ),
    names=_list(
        _object("A name.", text="The name.", status=_one_of(Status, "Its status.")),
        "The names in force, the preferred one first.",
    ),
    former_names=_list(
        _object("A name.", text="The name.", until="The release that dropped it."),
        "Names that are no longer in force.",
    ),
    synonym_of=_text_or_null("Slug of the term whose definition this one shares."),
    merged_into=_text_or_null("Slug of the term that this one became part of."),
    replaced_by=_text_or_null("Slug of the term that is to be used instead."),
    definition=_object(
        "The definition in force; of a removed term, the last.",
        text="In plain text, blocks separated by blank lines.",
        source="Id of the source.",
        release="The newest release with this definition; empty for a source without releases.",
        optional={"metadata": METADATA},
    ),
    history=_list(CHANGE, "By source, oldest first."),
)

SOURCE = _object(
    "A glossary as its publisher keeps it.",
    id="The source's id.",
    title="The source's title.",
    releases=_list("A release.", "Its releases in order, oldest first; none for an undated document."),
    unreleased=_list("A release.", "Those of its releases that are not released yet: heads of branches."),
)

WORDING = _object(
    "A wording of a term in one source.",
    slug="Slug of the term today.",
    name="Its preferred name then.",
    names=_list("A name.", "Its other names then."),
    source="Id of the source.",
    since="The release that brought these words.",
    url=_text_or_null("Where these words have a page of their own."),
    optional={"text": "The words, in plain text; left out in a very large glossary."},
)

RELEASE = _object(
    "The glossary as of one release.",
    release="The release.",
    sources=_list("Id of a source.", "The sources that have this release."),
    terms=_list(WORDING, "Every term that was defined then, by its name of today."),
)
"""`release/…/index.json`, which is published as `$defs/release` of the schema."""

GLOSSARY: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Glossary with history",
    **_object(
        "Every term of a glossary, with everything that happened to it.",
        title="The site's title.",
        base_url="Where the site is published; empty when that is not known.",
        generator="The program that wrote this, and its version.",
        sources=_list(SOURCE, "The sources, in order of precedence."),
        terms=_list(TERM, "Every term, by name."),
    ),
    "$defs": {"release": RELEASE},
}
