"""The benchmark measures what it claims."""

from __future__ import annotations

import pytest
import wanted
from builds import Builds
from glossary import FORMATS, releases
from growing import SHAPES, Growth
from running import Cost
from wanted import Results

from sitegen import formats
from sitegen.model import Document


@pytest.mark.parametrize("name", FORMATS)
def test_a_glossary_reads_as_what_it_is_written_in(name: str) -> None:
    """Each generated glossary is recognized as its format, and every term and reference is read."""
    (release,) = releases(50, count=1)
    ((path, text),) = FORMATS[name].files(release.glossary)
    document = Document(source="s", release="1", path=path, name=path, text=text)
    format, reading = formats.recognize(document), formats.read(document)
    assert format is not None
    assert format.name == {"list": "sphinx"}.get(name, name)
    assert [entry.name for entry in reading.entries] == [term.name for term in release.glossary]
    assert reading.problems == ()
    assert any(entry.definition.references for entry in reading.entries) == (name != "text")


def measured(format: str, releases: int, seconds: float) -> Builds:
    cost = Cost(seconds=seconds, cpu_seconds=seconds, peak_megabytes=1)
    return Builds(
        terms=1_000,
        releases=releases,
        format=format,
        files=1,
        pages=1,
        megabytes=1,
        clean=cost,
        one_edit=cost,
    )


def test_each_format_is_held_to_what_is_wanted_of_many_releases() -> None:
    """The time for a hundred releases is compared with the time for ten in the same format."""
    builds = [
        measured("one", 10, 1),
        measured("other", 10, 2),
        measured("other", 100, 4),
        measured("one", 100, 3),
    ]
    judged = [one for one in wanted.judged(Results(builds=builds)) if "100 by" in one.what]
    assert [(one.what.rpartition(" ")[2], one.measured, one.is_reached) for one in judged] == [
        ("one", 3, False),
        ("other", 2, True),
    ]


def test_each_shape_is_held_to_growing_in_proportion() -> None:
    """For each shape, the time for twice the terms is compared with that for half of them."""
    growths = [Growth(shape="flat", small=2, large=4), Growth(shape="steep", small=2, large=8)]
    judged = [
        (one.what, one.measured, one.is_reached) for one in wanted.judged(Results(growths=growths))
    ]
    assert judged == [
        ("CPU of twice the terms, flat", 2, True),
        ("CPU of twice the terms, steep", 4, False),
    ]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_reads_as_what_it_is_meant_to_be(shape: str) -> None:
    """Each glossary of a shape is read whole, and ends with the targets of its links."""
    (release,) = releases(50, count=1)
    for number in range(2):
        text = SHAPES[shape](release.glossary, number)
        reading = formats.read(
            Document(source="s", release="1", path="g.md", name="g.md", text=text)
        )
        assert len(reading.entries) == 50
        assert reading.problems == ()
        assert "example.org" not in text or all(
            "example.org" in one.definition.html for one in reading.entries
        )
