"""Writes `glossary.json`, the JSON files of terms and releases, and glossary.csv.

New versions may add keys and never remove one. The keys `before`, `same_as`, `other` and `identity`
of a change, and `metadata` of a definition, are optional: they are left out where they have no
value. The JSON Schemas in `templates/` document the keys.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sitegen import __version__
from sitegen.addresses import urls
from sitegen.model import Designation, Entry, File, Release
from sitegen.model.terms import Change, CourseState, DataStatus, Ids, Life
from sitegen.site.exports.escaping import fit_for_xml, one_line
from sitegen.site.site import Site
from sitegen.site.wording_runs import WordingRun, dated_runs, runs_of
from sitegen.text import compact_json
from sitegen.text.names import avoided, usable
from sitegen.text.prose import with_titles
from sitegen.text.summary import summary

Json = dict[str, Any]


def files(site: Site) -> Iterator[File]:
    """Yields `glossary.json`, in which each term has its own line, for readable diffs."""
    sources: list[Json] = []
    for source in site.sources:
        releases = []
        if not source.undated:
            releases = [_release(release) for release in source.releases]
        sources.append({"id": source.id, "title": source.title, "releases": releases})
    head = {
        "title": site.title,
        "base_url": site.base_url,
        "language": site.language,
        "generator": f"sitegen {__version__}",
        "sources": sources,
    }
    terms = []
    for life in site.lives:
        row = {**_term(life, site), "wordings": _wordings_with_releases(life, site)}
        terms.append(compact_json.text(row))
    yield File(path=urls.DATA, content=_encoded(_json_by_line(head, terms)))


def _json_by_line(head: Json, terms: Iterable[str]) -> str:
    """Returns the JSON text of `head` with the list "terms" at its end. `terms` are JSON texts, and
    each is on its own line."""
    without_end = compact_json.text({**head, "terms": []}).removesuffix("]}")
    return without_end + "\n" + ",\n".join(terms) + "\n]}"


def _release(release: Release) -> Json:
    """Returns the object of a release in the data."""
    day = release.date.isoformat() if release.date else None
    return {
        "name": release.name,
        "date": day,
        "link": release.link,
        "unreleased": release.unreleased,
    }


def release_files(site: Site) -> Iterator[File]:
    """Yields a file for each published release."""
    terms: dict[str, list[str]] = defaultdict(list)
    for run in dated_runs(site):
        text = compact_json.text({"slug": site.slugs[run.life.key], **_wording(run)})
        for release in run.releases:
            if release not in run.course.source.unreleased:
                terms[release].append(text)
    for name in site.published_releases:
        sources = [source.id for source, release in site.by_release[name] if not release.unreleased]
        text = _json_by_line({"release": name, "sources": sources}, terms[name])
        yield File(path=urls.release_data(name), content=_encoded(text))


def _wording(run: WordingRun) -> Json:
    """Returns the object of a wording: the names and the definition of a term in a source."""
    entry = run.entry
    definition = with_titles(entry.definition)
    return {
        "name": one_line(entry.name),
        "names": _names(entry.designations),
        "source": run.course.source.id,
        "since": run.since,
        "url": run.frozen or None,
        "text": definition.text,
        "code": definition.code,
    }


def _wordings_with_releases(life: Life, site: Site) -> Sequence[Json]:
    """Returns the wordings of a term, each with its first and last release. Runs that follow each
    other and differ only in markup are one wording."""
    rows: list[Json] = []
    previous_wording: Json = {}
    previous_past = 0  # the number of the release after the previous run
    for run in runs_of(life, site):
        # Without the summary: other markup may give another one.
        wording = {**_wording(run), "status": run.span.state}
        follows_previous = run.span.first == previous_past
        if follows_previous and wording == previous_wording:
            rows[-1]["last"] = run.releases[-1]
        else:
            summary_of_wording = summary(run.entry.definition)
            releases = {"first": run.releases[0], "last": run.releases[-1]}
            rows.append({**wording, "summary": summary_of_wording, **releases})
        previous_wording = wording
        previous_past = run.span.past
    return rows


def of_term(life: Life, site: Site, *, standing: str) -> bytes:
    """Returns the JSON file of a term: the term's object of `glossary.json`, the status sentence
    `standing`, and all releases by their HTML ids on the term's page."""
    ids = site.addresses.pages[site.slugs[life.key]].ids
    wordings = _wordings_with_releases(life, site)
    for row in wordings:
        source = row["source"]
        all_releases = life.course(source).releases
        first = all_releases.index(row["first"])
        last = all_releases.index(row["last"])
        releases = all_releases[first : last + 1]
        # The state of an undated document has no name, and no id.
        row["releases"] = {ids[source, release]: release for release in releases if release}

    term = {
        **_term(life, site),
        "language": site.language,
        "standing": standing,
        "wordings": wordings,
        "absent": _releases_in_state("absent", life, ids),
        "unread": _releases_in_state("unread", life, ids),
    }
    return _encoded(compact_json.text(term))


def _releases_in_state(state: CourseState, life: Life, ids: Ids) -> Json:
    """Returns the releases in which a term had a state, by their HTML ids on the term's page."""
    releases = {}
    for course in life.dated_courses:
        for span in course.spans:
            if span.state == state:
                for name in course.names_in(span):
                    releases[ids[course.source.id, name]] = name
    return releases


def _term(life: Life, site: Site) -> Json:
    """Returns the keys of a term that its object in `glossary.json` and its own file share."""
    slug, *former_slugs = site.slugs_of[life.key]
    place = life.entry.place
    definition: Json = {
        "text": with_titles(life.entry.definition).text,
        "summary": summary(life.entry.definition),
        "source": place.source,
        "release": place.release,
    }
    if life.entry.text.metadata:
        definition["metadata"] = dict(life.entry.text.metadata)

    former_names = []
    for name, release in life.former_names:
        former_names.append({"text": one_line(name), "until": release})
    term = {
        "slug": slug,
        "former_slugs": former_slugs,
        "name": one_line(life.name),
        "url": urls.term(slug),
        "status": _status(life),
        "names": _names(life.names),
        "former_names": former_names,
        **_relations(life, site),
        "related": [site.slugs[other] for other in site.linked_terms[life.key]],
        "definition": definition,
        "history": [_change(change, site.slugs) for change in life.changes],
    }
    if site.has_translations:
        term["translations"] = [*_translations(slug, site)]
    return term


def _translations(slug: str, site: Site) -> Iterator[Json]:
    """Yields the state of a term in each language. "revision" is the commit that last reworded the
    original, "since" the first one that the translation lacks."""
    for address, translation in site.translations.get(slug, ()):
        row: Json = {
            "language": translation.language,
            "name": None,
            "url": address,
            "state": translation.state,
            "since": None,
            "revision": None,
        }
        if translation.entry:
            row["name"] = translation.entry.name
        if translation.since:
            row["since"] = translation.since.commit
        if translation.reworded:
            row["revision"] = translation.reworded.commit
        yield row


def _names(names: Iterable[Designation]) -> list[Json]:
    """Returns names with their statuses."""
    return [{"text": one_line(name.text), "status": name.status} for name in names]


def _relations(life: Life, site: Site) -> Mapping[str, str | None]:
    """Returns the slugs of related terms by relation; None for a relation that the term does not
    have."""
    slugs: dict[str, str | None] = {"synonym_of": None, "merged_into": None, "replaced_by": None}
    # A merged term is a synonym of the same term, which is not in the data twice.
    if life.merged_into:
        slugs["merged_into"] = site.slugs[life.merged_into]
    elif life.synonym_of:
        slugs["synonym_of"] = site.slugs[life.synonym_of]
    if life.replaced_by:
        slugs["replaced_by"] = site.slugs[life.replaced_by]
    return slugs


def _status(life: Life) -> DataStatus:
    """Returns the status of a term in data. A term in use is "unread" if the newest release could
    not be read in any of its sources."""
    is_read = any(course.spans[-1].entry for course in life.courses)
    if life.status == "current" and not is_read:
        return "unread"
    return life.status


def _change(change: Change, slugs: Mapping[str, str]) -> Json:
    """Returns the object of a change. Optional keys without a value are left out."""
    row: Json = {
        "source": change.source,
        "release": change.release,
        "previous": change.previous,
        "kind": change.kind,
        "citation": _citation(change.entry),
    }
    # A removal has only an entry before it, which is the citation already.
    if change.before and change.after:
        row["before"] = {"name": one_line(change.before.name), **_citation(change.before)}
    if change.same_as:
        row["same_as"] = change.same_as
    if change.other:
        row["other"] = slugs[change.other]
    if change.identity:
        row["identity"] = {"rule": change.identity.rule, "reason": change.identity.reason}
    return row


def _citation(entry: Entry) -> Json:
    """Returns the object of an entry's place."""
    return {"path": entry.place.path, "line": entry.line}


def _encoded(text: str) -> bytes:
    """Returns the bytes of a file."""
    # Python represents invalid UTF-8 in a file name by surrogates, which JSON can escape.
    return f"{text}\n".encode(errors="backslashreplace")


COLUMNS = (
    "name slug url status other_names avoid former_names definition source release synonym_of "
    "merged_into replaced_by"
).split()
# East Asian spreadsheets also accept the full-width forms of these signs.
_FORMULA_SIGN = re.compile(r"[=+\-@＝＋－＠]")
_FORMULA_START = re.compile(rf"""(?:^[\s"']*|[,;|\n\t][\s"']*)(?={_FORMULA_SIGN.pattern})""")
_BYTE_ORDER_MARK = "\ufeff"
"""The beginning of the table, from which a spreadsheet knows that the text is UTF-8."""


def table(site: Site) -> Iterator[File]:
    """Yields the terms as a CSV table (RFC 4180) for spreadsheets. If a cell has several names,
    each is on its own line."""
    columns = COLUMNS
    rows = [_cells(life, site) for life in site.lives]
    if site.has_translations:
        columns = [*COLUMNS, "language"]
        for cells in rows:
            cells["language"] = site.language
        rows += _translated_cells(site)

    header = {column: column for column in columns}
    text = _BYTE_ORDER_MARK
    for cells in (header, *rows):
        quoted = [f'"{harmless(cells.get(column, ""))}"' for column in columns]
        text += ",".join(quoted) + "\r\n"
    yield File(path=urls.SHEET, content=text.encode())


def _cells(life: Life, site: Site) -> dict[str, str]:
    """Returns the row of a term: the content of each column."""
    relations = {relation: slug or "" for relation, slug in _relations(life, site).items()}
    return {
        **_cells_of_entry(life.entry, life.names),
        "slug": site.slugs[life.key],
        "url": site.base_url + site.address(life.key),
        "status": _status(life),
        "former_names": _on_lines(name for name, _ in life.former_names),
        "release": life.entry.place.release,
        **relations,
    }


def _cells_of_entry(entry: Entry, names: Sequence[Designation]) -> dict[str, str]:
    """Returns the cells with the names of a term and its definition. The first of `names` is the
    preferred name."""
    preferred, *others = names
    return {
        "name": one_line(preferred.text),
        "other_names": _on_lines(usable(others)),
        "avoid": _on_lines(avoided(others)),
        "definition": fit_for_xml(with_titles(entry.definition).text),
        "source": entry.place.source,
    }


def _on_lines(names: Iterable[str]) -> str:
    """Returns a text with each name on its own line."""
    return "\n".join(map(one_line, names))


def _translated_cells(site: Site) -> Iterator[dict[str, str]]:
    """Yields a row for each translated term. The columns that a translation does not have are left
    out."""
    for slug, address, translation, entry in site.translated_terms():
        yield {
            **_cells_of_entry(entry, entry.designations),
            "slug": slug,
            "url": site.base_url + address,
            "status": translation.state,
            "language": translation.language,
        }


def harmless(cell: str) -> str:
    """Returns the content of a quoted cell, escaped so that no spreadsheet evaluates any part of
    it.

    >>> harmless("=1+1"), harmless("a; =b")
    ("'=1+1", "a; '=b")

    A spreadsheet evaluates a cell that begins with `=`, `+`, `-` or `@`, even a quoted one, and a
    program that expects semicolons or tabs finds cell boundaries inside our cells. So an apostrophe
    is inserted before each such sign that begins a cell or follows a possible separator.
    """
    if _FORMULA_SIGN.search(cell):
        cell = _FORMULA_START.sub(lambda match: f"{match[0]}'", cell.strip())
    return cell.strip().replace('"', '""')
