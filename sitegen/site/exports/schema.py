"""The JSON Schema of `glossary.json`, which documents its keys. It is published with the data."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_type_hints

from sitegen.model import Status
from sitegen.model.terms import ChangeKind, Identity, TermStatus

Schema = dict[str, Any]
DataStatus = Literal[TermStatus, "unread"]
"""The status of a term. `unread`: the newest release of no source that defines it could be read."""


def _text(description: str) -> Schema:
    return {"type": "string", "description": description}


def _text_or_null(description: str) -> Schema:
    return {"type": ["string", "null"], "description": description}


def _one_of(words: object, description: str) -> Schema:
    return {"enum": list(get_args(words)), "description": description}


def _list(items: Schema, description: str) -> Schema:
    return {"type": "array", "items": items, "description": description}


def _object(description: str, properties: Schema, *, optional: Schema | None = None) -> Schema:
    """Returns the schema of an object. Later versions may add properties."""
    return {
        "type": "object",
        "description": description,
        "properties": {**properties, **(optional or {})},
        "required": list(properties),
    }


CITATION: Schema = {
    "path": _text(
        "The document, relative to the folder that the site was built from, or `tag:path` in a repository."
    ),
    "line": {"type": "integer", "minimum": 0, "description": "The line of the name in the document, from 1."},
}

CHANGE = _object(
    "Something that happened to the term. A release that changed nothing has no row.",
    {
        "source": _text("Id of the source in which it happened."),
        "release": _text("The release in which it happened."),
        "previous": _text_or_null("The release it was compared with: the one before that could be read."),
        "kind": _one_of(ChangeKind, "What happened."),
        "citation": _object("Where the entry stands; for a removal, where it last stood.", CITATION),
    },
    optional={
        "before": _object(
            "What it was compared with, where there is something on both sides.",
            {"name": _text("The preferred name then."), **CITATION},
        ),
        "same_as": _text("The last earlier release that had the same words."),
        "other": _text("Slug of the term merged into, or split off from."),
        "identity": _object(
            "How we know that this is the same term under another name.",
            {
                "rule": _one_of(get_type_hints(Identity)["rule"], "Which rule was used."),
                "reason": _text("A person's reason, if any."),
            },
        ),
    },
)

TERM = _object(
    "A term, whatever it was called at each release.",
    {
        "slug": _text("The term's name in addresses."),
        "name": _text("The preferred name."),
        "url": _text("The term's page, relative to the site's root."),
        "status": _one_of(
            DataStatus,
            "Whether the term is defined today, or was removed or merged; unread if the newest release could not be "
            "read, or does not have the glossary.",
        ),
        "names": _list(
            _object("A name.", {"text": _text("The name."), "status": _one_of(Status, "Its standing.")}),
            "The names in force, the preferred one first.",
        ),
        "former_names": _list(
            _object("A name.", {"text": _text("The name."), "until": _text("The release that dropped it.")}),
            "Names that are no longer in force.",
        ),
        "synonym_of": _text_or_null("Slug of the term whose definition this one shares."),
        "merged_into": _text_or_null("Slug of the term that this one became part of."),
        "replaced_by": _text_or_null("Slug of the term that is to be used instead."),
        "definition": _object(
            "The definition in force; of a removed term, the last.",
            {
                "text": _text("In plain text, blocks separated by blank lines."),
                "source": _text("Id of the source that says so."),
                "release": _text("The newest release that says so; empty for a source without releases."),
            },
            optional={
                "metadata": {
                    "type": "object",
                    "additionalProperties": _list({"type": "string"}, "The texts of one key."),
                    "description": "Further keys of the term's front matter, such as tags, author and weight.",
                }
            },
        ),
        "history": _list(CHANGE, "By source, oldest first."),
    },
)

SOURCE = _object(
    "A glossary as its publisher keeps it.",
    {
        "id": _text("The source's id."),
        "title": _text("The source's title."),
        "releases": _list(_text("A release."), "Its releases in order, oldest first; none for an undated document."),
        "unreleased": _list(_text("A release."), "Those of its releases that are still to come: heads of branches."),
    },
)

RELEASE: Schema = _object(
    "The glossary as of one release.",
    {
        "release": _text("The release."),
        "sources": _list(_text("Id of a source."), "The sources that have this release."),
        "terms": _list(
            _object(
                "What a source said of a term.",
                {
                    "slug": _text("Slug of the term today."),
                    "name": _text("Its preferred name then."),
                    "names": _list(_text("A name."), "Its other names then."),
                    "source": _text("Id of the source."),
                    "since": _text("The release that brought these words."),
                    "url": _text_or_null("Where these words have a page of their own."),
                },
                optional={"text": _text("The words, in plain text; left out in a very large glossary.")},
            ),
            "Every term that was defined then, by its name of today.",
        ),
    },
)
"""`release/…/index.json`, which is published as `$defs/release` of the schema."""

GLOSSARY: Schema = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Glossary with history",
    **_object(
        "Every term of a glossary, with everything that happened to it.",
        {
            "title": _text("The site's title."),
            "base_url": _text("Where the site is published; empty when that is not known."),
            "generator": _text("The program that wrote this, and its version."),
            "sources": _list(SOURCE, "The sources, in the order in which they speak for a term."),
            "terms": _list(TERM, "Every term, by name."),
        },
    ),
    "$defs": {"release": RELEASE},
}
