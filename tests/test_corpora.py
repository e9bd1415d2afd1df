"""Real glossaries through the whole pipeline: the real changes from release to release, and no
others.

The expected changes were counted by hand from the documents (`seeds/README.md`,
`corpora/README.md`).
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from sites import read_site

from sitegen.site.site import Site

Changes = dict[str, dict[str, list[str]]]


def changes(site: Site, source: str) -> Changes:
    """Returns the names of the terms by release and kind of change."""
    found: Changes = {release.name: defaultdict(list) for release in site.source(source).releases}
    for life in site.lives:
        for change in life.changes:
            if change.source == source:
                found[change.release][change.kind].append(life.name)
    return found


def chained(tmp_path: Path, **releases: Path) -> Site:
    """Returns a glossary whose releases are these files, in this order."""
    order = [name.replace("_", ".") for name in releases]
    for name, path in zip(order, releases.values(), strict=True):
        folder = tmp_path / "glossary" / name
        folder.mkdir(parents=True)
        (folder / path.name).write_bytes(path.read_bytes())
    listed = "".join(f'[[release]]\nname = "{name}"\n' for name in order)
    (tmp_path / "site.toml").write_text(f'[[source]]\nid = "g"\nfolder = "glossary"\n{listed}')
    return read_site(tmp_path)


@pytest.fixture(scope="module")
def seeds(shared: Path) -> Site:
    return read_site(shared / "seeds")


def test_seeds_hold_42_terms(seeds: Site) -> None:
    """The four founding documents define 42 terms."""
    assert len(seeds.lives) == 42


def test_seeds_change_as_counted(seeds: Site) -> None:
    """The seeds have the additions, removals and rewordings counted independently."""
    reported = changes(seeds, "pytorch")
    assert len(reported["1.8.2"]["first-read"]) == 15
    assert reported["expanded"]["added"] == ["Model", "tensor"]
    assert reported["expanded"]["reworded"] == [
        "ATen",
        "Custom Operation",
        "Native Operation",
        "Operation",
    ]
    assert not reported["expanded"]["removed"]
    assert len(reported["tutorials"]["added"]) == 20
    assert reported["tutorials"]["removed"] == ["Model"]
    reworded = (
        "ATen;Compound Kernel;Custom Operation;JIT;Native Operation;Operation;tensor;TorchScript"
    )
    assert reported["tutorials"]["reworded"] == reworded.split(";")


def test_seeds_return_to_earlier_words(seeds: Site) -> None:
    """Four terms return in the last step to the words that they had in 1.8.2."""
    back = [
        life.name for life in seeds.lives for change in life.changes if change.same_as == "1.8.2"
    ]
    assert back == ["ATen", "Custom Operation", "Native Operation", "Operation"]


def test_seeds_ties_between_terms(seeds: Site) -> None:
    """Synonyms, mutual names and the replacement of a deprecated term are found in the words."""
    names = {life.name: life for life in seeds.lives}
    key = {name: life.key for name, life in names.items()}
    assert names["Composite Operation"].synonym_of == key["Compound Operation"]
    assert names["Non-Leaf Operation"].synonym_of == key["Compound Operation"]
    assert (names["TorchScript"].status, names["TorchScript"].replaced_by) == (
        "deprecated",
        key["torch.compile"],
    )
    assert names["CNN"].also_known_as == (key["Convolutional Neural Network"],)
    assert names["Convolutional Neural Network"].also_known_as == (key["CNN"],)
    assert names["Leaf Operation"].entry.definition.references[0].target == "Compound Operation"


def test_seeds_read_senses_and_mend_damage(seeds: Site) -> None:
    """Three numbered senses are a list of three, and the one damaged word is mended and
    reported."""
    tensor = next(life for life in seeds.lives if life.name == "tensor")
    entry = next(change.after for change in tensor.changes if change.release == "expanded")
    assert entry is not None
    assert entry.definition.html.count("<ol>") == 1
    assert entry.definition.html.partition("</ol>")[0].count("<li>") == 3
    assert "model’s" in entry.definition.text
    assert [problem.line for problem in seeds.problems] == [42]


def test_pytorch_releases_that_differ_in_nothing(shared: Path, tmp_path: Path) -> None:
    """PyTorch's glossary is the same in 1.13.1 and 2.6.0."""
    pytorch = shared / "corpora" / "pytorch"
    reported = changes(
        chained(
            tmp_path, a=pytorch / "1.13.1" / "GLOSSARY.md", b=pytorch / "2.6.0" / "GLOSSARY.md"
        ),
        "g",
    )
    assert not reported["b"]


def test_moving_from_restructured_text_to_myst_rewords_nothing(
    shared: Path, tmp_path: Path
) -> None:
    """PyTorch's glossary moved from Sphinx to MyST, and from Markdown to Sphinx, without another
    word."""
    pytorch = shared / "corpora" / "pytorch"
    rst, md = (
        next(pytorch.glob(f"stored/{name}*/docs/source/glossary.*")) for name in ("rst15", "md15")
    )
    reported = changes(chained(tmp_path, a=pytorch / "2.6.0" / "GLOSSARY.md", b=rst, c=md), "g")
    for release in ("b", "c"):
        assert set(reported[release]) <= {"reformatted"}, reported[release]


def test_redux_emphasis_and_link_targets_are_formatting(shared: Path) -> None:
    """Redux changed emphasis marks in 4.0.5; in 5.0.0 only two definitions have other words, the
    rest other links."""
    reported = changes(read_site(shared / "corpora" / "redux"), "glossary")
    assert not reported["v4.0.5"]["reworded"]
    assert reported["v5.0.0"]["reworded"] == ["Action Creator", "Reducer"]
    assert reported["v5.0.0"]["reformatted"] == ["Middleware", "Store", "Store enhancer"]


def test_sphinx_root_document_is_merged(shared: Path) -> None:
    """In 8.2.0 “root document” became the second name of an entry: merged, not removed."""
    reported = changes(read_site(shared / "corpora" / "sphinx"), "glossary")
    assert reported["8.2.0"]["merged"] == ["root document"]
    assert not reported["8.2.0"]["removed"]


@pytest.mark.parametrize(
    ("corpus", "counts"),
    [
        ("mercurial", [67, 69, 69, 69, 69]),
        ("redux", [10] * 13),
        ("twisted", [54, 53, 53]),
        ("vue", [38, 38, 39, 39]),
        ("cncf", [54, 72, 79]),
        ("sphinx", [5, 10, 10, 10, 11, 13, 13, 13, 13, 14, 14, 13]),
        ("django", [11, 11, 12, 12, 12, 12, 12]),
        ("pyramid", [140, 147, 160, 166]),
    ],
)
def test_entries_and_removals(shared: Path, corpus: str, counts: list[int]) -> None:
    """Each release has its entries, and none removes more than a few."""
    read = read_site(shared / "corpora" / corpus)
    (source,) = read.sources
    assert [len(release.entries) for release in source.releases] == counts
    reported = changes(read, "glossary")
    assert max(len(kinds["removed"]) for kinds in reported.values()) <= 4
