"""site.toml becomes a value, or one error with a line for every mistake."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from textwrap import dedent

import pytest

from sitegen.config.parsing import Config, ConfigError, default, in_declared_order, parse
from sitegen.config.tables import Distinct, Rename, Same
from sitegen.config.toml import line_of
from sitegen.model import SitegenError
from sitegen.text.names import similar_names

SOURCE = """
[[source]]
id = "a"
folder = "a"
"""


def read(text: str) -> Config:
    return parse(dedent(text), path="site.toml")


def check(text: str, *mistakes: str) -> None:
    """Asserts that a text is refused with exactly these lines."""
    with pytest.raises(SitegenError) as caught:
        read(text)
    assert str(caught.value).splitlines() == [f"site.toml:{mistake}" for mistake in mistakes]


def test_everything_has_a_default():
    """An empty file means a source in this folder, with a folder for each release."""
    config = read("")
    assert (config.site.title, config.site.language, config.site.base_url) == ("Glossary", "en", "")
    assert [(source.id, source.folder, source.complete) for source in config.sources] == [
        ("glossary", ".", False)
    ]
    assert (config.releases, config.renames, config.verdicts, config.problems) == ((), (), (), ())


def test_a_folder_without_site_toml_gives_its_name_to_the_site():
    """A folder without site.toml differs from one with an empty file only in its title."""
    config = default("vocabulary\x1b")
    assert config.site.title == "vocabulary"
    assert config.sources == read("").sources
    assert default("").site.title == "Glossary"


def test_every_key_is_read():
    """Each key has its value, dates are dates, and base_url ends with a slash."""
    config = read("""
        [site]
        title = "Vocabulary"
        base_url = "https://example.org/vocabulary"
        language = "pt-BR"
        repository = "https://github.com/example/vocabulary"
        note = "In our own words."

        [[release]]
        name = "1.0"
        date = 2021-07-23
        link = "https://example.org/1.0"
        source = "main"

        [[source]]
        id = "main"
        title = "Main"
        files = { "1.0" = "GLOSSARY.md", "2.0" = "./docs//glossary.rst" }
        complete = true
        format = "markdown"
        section = "Terms"
        encoding = "latin-1"
        url = "https://example.org"
        license = "MIT"
        note = "The first."

        [[source]]
        id = "other"
        file = "page.html"
        retrieved = 2025-03-01
    """)
    main, other = config.sources
    assert config.site.base_url == "https://example.org/vocabulary/"
    assert (config.site.language, config.site.note) == ("pt-BR", "In our own words.")
    assert config.releases[0].date == date(2021, 7, 23)
    assert (config.releases[0].link, config.releases[0].source) == (
        "https://example.org/1.0",
        "main",
    )
    assert main.files == {"1.0": "GLOSSARY.md", "2.0": "docs/glossary.rst"}
    assert (main.title, main.complete, main.format) == (
        "Main",
        True,
        "markdown",
    )
    assert (main.section, main.encoding, main.url, main.license) == (
        "Terms",
        "latin-1",
        "https://example.org",
        "MIT",
    )
    assert (other.file, other.retrieved) == ("page.html", date(2025, 3, 1))


def test_a_persons_word_about_identity_becomes_values():
    """[[rename]], [[same]] and [[distinct]] become values with their lines."""
    config = read(
        SOURCE
        + """
        [[rename]]
        source = "a"
        from = "Variable"
        to = "Tensor"
        release = "0.4"
        reason = "merged"

        [[same]]
        source = "a"
        names = ["JIT", "just-in-time"]
        reason = "an abbreviation"

        [[distinct]]
        names = ["Module"]
    """.replace("        ", "")
    )
    assert config.renames == (
        Rename(source="a", old="Variable", new="Tensor", release="0.4", reason="merged"),
    )
    assert config.verdicts == (
        Same(names=("JIT", "just-in-time"), source="a", reason="an abbreviation"),
        Distinct(names=("Module",)),
    )
    assert [result.line for result in (*config.renames, *config.verdicts)] == [6, 13, 18]
    assert tuple(
        line_of(path, config.lines) for path in (("rename", 0), ("rename", 0, "to"), ("same", 0))
    ) == (
        6,
        9,
        13,
    )


def test_the_line_of_the_house():
    """An unknown format is reported with its line, the nearest known one, and the key's path."""
    check(
        SOURCE + 'format = "markdwon"',
        "5: unknown format 'markdwon'; did you mean 'markdown'? (source.format)",
    )


def test_all_mistakes_are_reported_at_once():
    """One error holds every mistake of the file, in the order of their lines."""
    check(
        """\
        [site]
        titel = "x"
        base_url = "ftp://example.org"
        [[release]]
        date = "2021-07-23"
        [[source]]
        id = "My Source"
        folder = "../elsewhere"
        complete = "yes"
        [[source]]
        id = "b"
        file = "b.html"
        files = { "1.0" = 3 }
        [[source]]
        id = "b"
        title = 3
        [[rename]]
        source = "c"
        from = "x"
        to = "x"
        [sources]
        """,
        "2: unknown key 'titel'; did you mean 'title'? (site.titel)",
        "3: 'ftp://example.org' is no web address; it begins with https:// or http:// and a host "
        "(site.base_url)",
        "4: 'name' is missing; add a line that begins name = (release.name)",
        "5: date is '2021-07-23'; write a date without quotes, such as 2021-07-23 (release.date)",
        "7: 'My Source' is no id; use small letters, digits and hyphens, such as 'my-source' "
        "(source.id)",
        "8: '../elsewhere' lies outside the folder of site.toml; name a place in it, without "
        "'..' (source.folder)",
        "9: complete is 'yes'; write true or false, without quotes (source.complete)",
        "10: both files and file; say folder, files, file or git (source)",
        "13: 1.0 is 3; write text in quotes (source.files.'1.0')",
        "14: a source that names no place; say folder, files, file or git (source)",
        "15: a second source with the id 'b'; give each source an id of its own (source.id)",
        "16: title is 3; write text in quotes (source.title)",
        "18: unknown source 'c'; known: My Source, b; if its id was changed, write the new one "
        "here, and "
        "formerly = 'c' in its [[source]] (rename.source)",
        "21: unknown key 'sources'; did you mean 'source'? (sources)",
    )


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('id = "b"', "not valid TOML: cannot overwrite a value"),
        ("folder", "not valid TOML: expected '=' after a key in a key/value pair"),
        ('title = "x', "not valid TOML: illegal character '\\n'"),
        ('"a\\q" = 1', "not valid TOML: unescaped '\\' in a string"),
        ("[[source]", "not valid TOML: expected ']]' at the end of an array declaration"),
    ],
)
def test_what_is_not_toml_is_refused_with_its_line(line: str, found: str):
    """A syntax error is reported with its line and the correct form."""
    with pytest.raises(ConfigError) as caught:
        read(f'[[source]]\nid = "a"\n{line}\n')
    assert str(caught.value).startswith(f"site.toml:3: {found}; ")


def test_a_file_that_ends_too_early_is_refused_with_its_last_line():
    """A syntax error at the end of the file has the number of its last line."""
    with pytest.raises(ConfigError, match=r"^site\.toml:2: not valid TOML: invalid value; "):
        read("[site]\ntitle =")


def test_a_release_of_files_is_named_in_its_mistake():
    """The mistake about the name of a release in `files` has its path in the table."""
    with pytest.raises(ConfigError, match=r"^site\.toml:3: .*\(source\.files\.' x'\)$"):
        read('[[source]]\nid = "a"\nfiles = { " x" = "y" }')


def test_a_table_may_name_the_default_source():
    """Without a [[source]], a table may name the source `glossary`; an id that is no text is one
    mistake."""
    rename = '[[rename]]\nsource = "glossary"\nfrom = "a"\nto = "b"\n'
    assert read(rename).renames[0].source == "glossary"
    with pytest.raises(ConfigError) as caught:
        read(f'{rename}[[source]]\nid = ["glossary"]\nfolder = "x"\n')
    assert "site.toml:6: id is ['glossary']; write text in quotes (source.id)" in str(caught.value)


def test_lists_without_end_are_refused():
    """A file that would exhaust the parser is a mistake."""
    with pytest.raises(ConfigError, match="nested more than 32 deep"):
        read("x = " + "[" * 100_000)


@pytest.mark.parametrize(
    ("table", "advice"),
    [
        ('[source]\nid = "a"', "1: source is not a list of tables; write [[source]] (source)"),
        ("[[site]]", "1: site is not a table; write [site] (site)"),
        ('site = "x"', "1: site is not a table; write [site] (site)"),
        ('rename = ["x"]', "1: rename is not a table; write [[rename]] (rename)"),
        ("source = 3", "1: source is not a list of tables; write [[source]] (source)"),
    ],
)
def test_brackets_are_easily_confused(table: str, advice: str):
    """A table in the wrong brackets is reported with the right ones."""
    check(table, advice)


@pytest.mark.parametrize(
    ("line", "mistake"),
    [
        (
            'folder = "/etc"',
            "3: '/etc' lies outside the folder of site.toml; name a place in it, without '..'",
        ),
        (
            'folder = "C:/x"',
            "3: 'C:/x' lies outside the folder of site.toml; name a place in it, without '..'",
        ),
        (
            'folder = "a/../../b"',
            "3: 'a/../../b' lies outside the folder of site.toml; name a place in it, without '..'",
        ),
        ('folder = "a\\\\b"', "3: 'a\\\\b' is no path; write it with '/' between the names"),
        ('folder = ""', "3: '' is no path; write it with '/' between the names"),
        ('folder = "a\\u202eb"', "3: 'a\\u202eb' is no path; write it with '/' between the names"),
    ],
)
def test_places_lie_below_site_toml(line: str, mistake: str):
    """No path can be outside the folder of site.toml."""
    check(f'[[source]]\nid = "a"\n{line}\n', f"{mistake} (source.folder)")


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "//example.org/",
        "https://",
        "https://exa mple.org",
        'https://example.org/"onclick="',
        "https://[x",
    ],
)
def test_addresses_are_web_addresses(address: str):
    """Links on pages must be web addresses."""
    with pytest.raises(ConfigError, match=r"is no web address|, which no address has"):
        read(f"[site]\nrepository = '{address}'")


def test_an_address_is_written_with_escapes() -> None:
    """An address with an umlaut is refused with the escape to write instead."""
    with pytest.raises(ConfigError, match="has 'ö', which no address has; write it as '%C3%B6'"):
        read("[site]\nbase_url = 'https://example.org/wörter/'")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('base_url = "https://example.org/?x"', "is no place for pages"),
        ('language = "english please"', "is no language tag"),
        ('host = "netlfy"', "unknown host 'netlfy'; did you mean 'netlify'?"),
        ('title = " "', "is no name"),
        ('title = "a\\nb"', "is no name"),
        ("title = true", "title is true; write text in quotes"),
        ("title = 2021-01-01", "title is 2021-01-01; write text in quotes"),
    ],
)
def test_values_that_a_key_cannot_have(line: str, words: str):
    """Each mistake in [site] is answered with the valid form."""
    with pytest.raises(ConfigError) as caught:
        read(f"[site]\n{line}")
    assert words in str(caught.value)
    assert str(caught.value).startswith("site.toml:2: ")


@pytest.mark.parametrize(
    ("lines", "mistake"),
    [
        (
            'file = "x"\ncomplete = true',
            "4: complete beside file; it goes with folder, files or git (source.complete)",
        ),
        (
            'file = "x"\ncomplete = true',
            "4: complete beside file; it goes with folder, files or git (source.complete)",
        ),
        (
            'folder = "x"\nretrieved = 2025-01-01',
            "4: retrieved beside folder; it goes with file (source.retrieved)",
        ),
        (
            'folder = "x"\nencoding = "rot13"',
            "4: unknown encoding 'rot13'; use a name such as 'windows-1252' or 'shift_jis' "
            "(source.encoding)",
        ),
        (
            "files = {}",
            '3: no release is named; write a table, such as { "1.8.2" = "GLOSSARY.md" } '
            "(source.files)",
        ),
        (
            'git = "."',
            '3: paths is missing; name its files, such as paths = ["docs/glossary.rst", '
            '"GLOSSARY.md"]; '
            "`sitegen init` finds them (source.git)",
        ),
        (
            'file = "a.md"\nretrieved = 2024-01-01\nhead = "main"',
            "5: head beside file; it goes with git (source.head)",
        ),
        (
            'folder = "x"\npaths = ["a.md"]',
            "4: paths beside folder; it goes with git (source.paths)",
        ),
        (
            'git = "."\npaths = ["../a.md"]',
            "4: '../a.md' lies outside the release; name a place in it, without '..' "
            "(source.paths)",
        ),
        (
            'git = "."\npaths = ["a.md"]\ntag = "v*"',
            "5: unknown key 'tag'; did you mean 'tags'? (source.tag)",
        ),
        (
            'git = "http://example.org/x.git"\npaths = ["a.md"]',
            "3: 'http://example.org/x.git' begins with http://; "
            "an address begins with one of https://, ssh://, git://, file:// (source.git)",
        ),
        (
            'git = "."\npaths = ["a.md"]\nby = "years"',
            "5: unknown period 'years'; did you mean 'year'? (source.by)",
        ),
        (
            'git = "."\nversions = "docs/terms.md"',
            "4: 'docs/terms.md' does not name versions; write {version} once, as in "
            "docs/{version}/terms.md "
            "(source.versions)",
        ),
        (
            'git = "a\\u202eb"\npaths = ["a.md"]',
            "3: 'a\\u202eb' is no place; name the folder of a repository, or an address to clone "
            "(source.git)",
        ),
        (
            'folder = "x"\n[[same]]\nnames = "1.0"',
            '5: names is \'1.0\'; write a list, such as ["one", "two"] (same.names)',
        ),
    ],
)
def test_keys_of_a_source_that_do_not_fit(lines: str, mistake: str):
    """A source has no keys that do not apply to its kind of place."""
    check(f'[[source]]\nid = "a"\n{lines}\n', mistake)


def test_patterns_are_a_text_or_a_list():
    """A key that accepts several patterns also accepts a single one."""
    config = read("""
        [[source]]
        id = "a"
        git = "https://example.org/a.git"
        tags = "v*"
        exclude = ["*-docs", "nightly"]
        paths = "docs/glossary.rst"
        """)
    (source,) = config.sources
    assert (source.tags, source.exclude) == (("v*",), ("*-docs", "nightly"))
    assert source.paths == ("docs/glossary.rst",)


def test_names_that_mean_one_term_are_two_or_more():
    """[[same]] needs at least two names; [[distinct]] can have one, for a name with several
    meanings."""
    check(
        SOURCE + '[[same]]\nnames = ["A"]\n[[distinct]]\nnames = []',
        "6: names is ['A']; it takes more names (same.names)",
        "8: names is []; it takes more names (distinct.names)",
    )


def test_a_language_is_that_of_a_translation():
    """A table about a translation names the language of one, and a pair of names."""
    translation = f'{SOURCE}[[translation]]\nof = "a"\nlanguage = "pt-BR"\n'
    (problem,) = read(
        f'{translation}[[current]]\nlanguage = "pt-br"\nterm = "x"\nrelease = "1"'
    ).problems
    assert str(problem) == (
        "site.toml:9: no [[translation]] has the language 'pt-br'; did you mean 'pt-BR'? "
        "(current.language)"
    )
    check(
        f'{translation}[[same]]\nlanguage = "pt-BR"\nnames = ["x", "y", "z"]',
        "10: more than two names; write the name of an original, then that of its translation "
        "(same.names)",
    )


def test_a_release_that_only_a_folder_tells_is_asked_for_later():
    """After reading, `unknown_releases` reports releases in site.toml that no source has."""
    config = read(
        SOURCE
        + '[[release]]\nname = "1.0"\n[[rename]]\nsource = "a"\nfrom = "x"\nto = "y"\nrelease = '
        '"2.1"\n[[retired]]\nrelease = "3"\nreason = "r"\n[[corrected]]\nsource = "a"\n'
        'release = "4"\nreason = "r"\n[[continues]]\nsource = "a"\nrelease = "5"\nreason = "r"'
    )
    assert config.unknown_releases({"a": ["1.0", "2.1", "3", "4", "5"]}) == ()
    assert [str(problem) for problem in config.unknown_releases({"a": ["2.0"]})] == [
        "site.toml:6: unknown release '1.0'; known: 2.0 (release.name)",
        "site.toml:11: unknown release '2.1'; known: 2.0 (rename.release)",
        "site.toml:13: unknown release '3'; known: 2.0 (retired.release)",
        "site.toml:17: unknown release '4'; known: 2.0 (corrected.release)",
        "site.toml:21: unknown release '5'; known: 2.0 (continues.release)",
    ]


def test_a_release_listed_twice_is_a_problem_and_no_more():
    """The first mention counts, the second is reported, and the site builds. Another source's is
    another release."""
    config = read(
        '[[release]]\nname = "1"\n[[release]]\nname = "1"\n[[release]]\nname = "1"\nsource = "a"\n'
        '[[source]]\nid = "a"\nfolder = "a"'
    )
    assert [str(problem) for problem in config.problems] == [
        "site.toml:3: release '1' is listed twice; the first [[release]] of that name counts "
        "(release)",
    ]


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ('[site]\ntags = "v*"', "2: unknown key 'tags'; it is a key of [[source]] (site.tags)"),
        ('base_url = "https://a.org/"', "1: unknown key 'base_url'; it is a key of [site]"),
        ('[site]\nexclude = "x"', "it is a key of [check-text], [[source]]"),
        (
            '[[same]]\nname = "x"\nnames = ["a", "b"]',
            "unknown key 'name'; it is a key of [[release]], [[slug]]; or did you mean 'names'?",
        ),
    ],
)
def test_key_of_another_table_is_recognized(text: str, advice: str) -> None:
    """An unknown key that another table has comes with the name of that table."""
    with pytest.raises(ConfigError) as caught:
        read(text)
    assert advice in str(caught.value)


def test_an_unknown_kind_of_place_is_refused_in_a_clear_line():
    """An unknown kind of place is an unknown key, with a list of keys."""
    with pytest.raises(ConfigError) as caught:
        read('[[source]]\nid = "a"\nmercurial = "../a"')
    assert (
        "site.toml:3: unknown key 'mercurial'; known: id, title, folder, files, file, git, paths"
        in str(caught.value)
    )


def test_the_line_of_a_table_is_no_key():
    """The number of a table's line is computed, and cannot be written."""
    found = r"^site\.toml:4: unknown key 'line'; known: name, slug, source \(slug\.line\)$"
    with pytest.raises(ConfigError, match=found):
        read('[[slug]]\nname = "a b"\nslug = "ab"\nline = 7')


def test_names_are_compared_in_normal_form():
    """A name written with a separate accent is the same name."""
    config = read('[[source]]\nid = "a"\nfiles = { "e\u0301" = "x" }')
    assert list(config.sources[0].files) == ["\u00e9"]


def test_the_nearest_word():
    """Similar names are suggested in any case, and none if nothing is similar."""
    assert similar_names("GLOSARY.md", ["README.md", "glossary.md"]) == ["glossary.md"]
    assert similar_names("x", ["README.md"]) == []


def test_the_founding_configuration_is_accepted(shared: Path):
    """The configuration of the seeds is valid."""
    config = parse((shared / "seeds" / "site.toml").read_text(encoding="utf-8"), path="site.toml")
    assert [source.id for source in config.sources] == ["pytorch", "tutorialspoint"]
    assert [release.name for release in config.releases] == ["1.8.2", "expanded", "tutorials"]
    assert config.problems == ()


def test_a_retirement_names_what_is_retired():
    """A [[retired]] table names a source, releases, or both."""
    check(
        SOURCE + '[[retired]]\nreason = "gone"\n',
        "5: nothing is named that is retired; say source or release, or both (retired)",
    )


def test_releases_are_retired_one_by_one_or_together():
    """A table may retire one release or several; each table knows its line."""
    config = read("""
        [[retired]]
        release = "1.0"
        reason = "gone"

        [[retired]]
        release = ["2.0", "3.0"]
        reason = "gone too"
        """)
    assert [(table.releases, table.line) for table in config.retired] == [
        (("1.0",), 2),
        (("2.0", "3.0"), 6),
    ]


def test_source_may_have_had_other_ids():
    """Former ids of a source are a text or a list; an id in use, now or formerly, is not one of
    them."""
    config = read("""
        [[source]]
        id = "a"
        folder = "a"
        formerly = "b"

        [[source]]
        id = "c"
        folder = "c"
        formerly = ["d", "e"]

        [[retired]]
        source = "b"
        release = "1.0"
        reason = "withdrawn before the source was called otherwise"
        """)
    assert config.former_ids == {"b": "a", "d": "c", "e": "c"}
    assert config.retired[0].source == "a"
    two = (
        '[[source]]\nid = "a"\nfolder = "a"\nformerly = "c"\n[[source]]\nid = "b"\nfolder = '
        '"b"\nformerly = {}\n'
    )
    wanted = "is the id of another source, or was; name an id that is free now (source.formerly)"
    check(two.format('"c"'), f"8: 'c' {wanted}")
    check(two.format('["d", "a"]'), f"8: 'a' {wanted}")


def test_a_release_table_of_one_source_keeps_the_order_of_the_list() -> None:
    """Of a release with a table for all sources and two for its source, the date in the first of
    these counts where the list is newest first."""
    releases = "".join(
        f'[[release]]\nname = "{name}"\ndate = {day}\n{source}'
        for name, day, source in (
            ("2.0", "2023-01-01", ""),
            ("1.0", "2022-01-01", ""),
            ("2.0", "2024-01-01", 'source = "a"\n'),
            ("2.0", "2021-01-01", 'source = "a"\n'),
        )
    )
    config = parse(f'[[source]]\nid = "a"\nfolder = "a"\n{releases}', path="site.toml")
    declared = config.declared_releases("a")
    assert in_declared_order(["1.0", "2.0", "3.0"], declared) == ("1.0", "2.0", "3.0")
