"""Relations that definitions state in words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from glossaries import entry, from_text

from sitegen.history.relations import also_known_as, is_deprecated, replacements, synonym_of
from sitegen.text.prose import from_html


@pytest.mark.parametrize(
    ("definition", "name"),
    [
        ("Same as Compound Operation.", "Compound Operation"),
        ("See 'Head, branch'.", "Head, branch"),
        ("Synonym for torch.compile.", "torch.compile"),
        ('<p>See <a href="term:Kernel">kernels</a>.</p>', "Kernel"),
        ('<p><a href="term:Kernel">kernels</a></p>', "Kernel"),
        ('<p><a href="term:Acme%20Inc.">Acme Inc.</a></p>', "Acme Inc."),
        ("See also: Kernel", None),
        ("A kernel. See Operation.", None),
    ],
)
def test_whole_definitions_that_point_elsewhere(definition: str, name: str | None):
    """Only a definition that is nothing but a pointer makes a synonym."""
    made = from_html(definition) if definition.startswith("<") else from_text(definition)
    assert synonym_of(made) == name


def test_a_link_says_what_to_use_instead() -> None:
    """Of words with a link, the target is the name."""
    definition = '<p>Deprecated. Use <a href="term:Kernel">kernels</a>.</p>'
    assert replacements(entry("a", definition, source="s", release="1")) == ["Kernel"]


def test_a_letter_is_no_acronym() -> None:
    """A word before a colon is no long form of a name of one letter."""
    assert also_known_as(entry("C", "Carbon: an element.", source="s", release="1")) == []


@pytest.mark.parametrize(
    ("definition", "names"),
    [
        ("A type of network. Also known as CNN.", ["CNN"]),
        ("Convolutional Neural Network: a type of network.", ["Convolutional Neural Network"]),
        ("An object, also called original, that was adapted.", ["original"]),
        ("Ingestion: the file was copied.", []),
        ("Nothing of the kind.", []),
    ],
)
def test_other_names_in_words(definition: str, names: list[str]):
    """Names after "also known as", and the long form of an abbreviation, can be other names."""
    assert also_known_as(entry("CNN", definition, source="s", release="1")) == names


@pytest.mark.parametrize(
    ("definition", "named"),
    [
        ("Deprecated. Use torch.compile instead.", ["torch.compile"]),
        ("Deprecated since 2.0; use torch.amp.autocast.", ["torch.amp.autocast"]),
        ("Deprecated in favor of torch.func.", ["torch.func"]),
        ("It was good.\n\nDeprecated: replaced by Y.", ["Y"]),
        ("This term is deprecated.", []),
        ("It held.\n\nStatus: Deprecated since 2\n\nReplaced by: Jig\n\nMore.", ["Jig"]),
        ("<p>It held.</p><ul><li>Status: obsolete<li>Replacement: Jig, for all</ul>", ["Jig"]),
        ("Deprecated. The replacement parts for pumps are sold.", []),
        ("The status of a part: deprecated or not.", None),
        ("It has a field.\n\nStatus: deprecated, or active", None),
        ("It has a field.\n\nStatus: deprecated parts are red", None),
        ("It held.\n\nStatus: Deprecated (2.0), see Jig", ["Jig"]),
        ("It held.\n\nStatus: superseded by Jig", ["Jig"]),
        ("It has a field.\n\nStatus: deprecated | active", None),
        ("<p>In a record:</p><pre><code>id: 1\nstatus: deprecated</code></pre>", None),
        ("<p>Status: <code>deprecated</code></p>", []),
        ("A deprecated function still works.", None),
        ("Deprecated functions live here.", None),
    ],
)
def test_deprecation_in_words(definition: str, named: list[str] | None):
    """A definition is deprecated if it, or a paragraph of it, begins by saying so."""
    read = entry("x", definition, source="s", release="1")
    assert is_deprecated(read) == (named is not None)
    assert replacements(read) == (named or [])


@pytest.mark.parametrize(("name", "expected"), [("fit", False), ("run", True), ("run()", True)])
def test_deprecation_of_a_part_is_not_that_of_the_term(name: str, expected: bool) -> None:
    """What follows "Deprecated since version 2.0:" in code is what is deprecated."""
    result = (
        '<p>Works.</p><div class="note"><p>Deprecated since version 2.0: <code>run()</code> '
        "waits.</p></div>"
    )
    assert is_deprecated(entry(name, result, source="s", release="1")) == expected


def test_a_marked_entry_is_deprecated_whatever_code_its_text_begins_with() -> None:
    """A record that is marked is deprecated, also if its text says that some code is."""
    read = entry("part", "<p>Deprecated: <code>fit</code> goes.</p>", source="s", release="1")
    marked = read._replace(text=replace(read.text, deprecated=True))
    assert is_deprecated(marked)
    assert replacements(marked) == []


def test_a_definition_of_the_word_says_nothing_about_its_term() -> None:
    """What "deprecation" means, and a reference to a page of that title, deprecates no term."""
    text = "The way out.\n\nDeprecated \u2014 Handbook"
    read = entry("deprecation", text, source="s", release="1")
    assert not is_deprecated(read)


def test_deprecated_directive_inside_a_list_is_about_that_item() -> None:
    """A deprecated item of a list does not make the definition deprecated."""
    note = '<div class="note"><p>Deprecated since version 1.2.</p></div>'
    listed = (
        f"<p>Tags of an estimator.</p><dl><dt>multilabel</dt><dd><p>Takes "
        f"several.</p>{note}</dd></dl>"
    )
    assert not is_deprecated(entry("estimator tags", listed, source="s", release="1"))
    assert is_deprecated(entry("estimator tags", listed + note, source="s", release="1"))
