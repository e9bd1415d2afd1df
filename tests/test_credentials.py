"""Addresses with passwords and tokens: no message shows them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import Command
from repositories import Repository

from sitegen.api import SitegenError, load
from sitegen.text.credentials import shown_address, without_credentials, without_user

HOST = "127.0.0.1:1"
"""Nothing answers there."""
URLS = [
    f"https://ada:SECRET@{HOST}/x.json",
    f"https://SECRET@{HOST}/x.json",
    f"https://:SECRET@{HOST}/x.json",
    f"http://ada:SECRET@{HOST}/x.json",
    f"HTTPS://ada:SECRET@{HOST}/x.json",
    f"https:/ada:SECRET@{HOST}/x.json",
    f"https://ada:SEC/SECRET@{HOST}/x.json",
    f"https://ada:SEC@SECRET@{HOST}/x.json",
    f"https://ada:SEC?SECRET@{HOST}/x.json",
    f"https://ada:SEC#SECRET@{HOST}/x.json",
    f"https://ada:SEC SECRET@{HOST}/x.json",
    f"https://ada:SEC'SECRET@{HOST}/x.json",
    f"https://ada:{'SECRET' * 100}@{HOST}/x.json",
    "https://ada:SECRET@[::1/x.json",
    "https://ada:SECRET@127.0.0.1:port/x.json",
    f"https://{HOST}/x.json?token=SECRET",
    f"https://{HOST}/words/?a=b&token=SECRET#c",
    f"https://{HOST}/x.git?private_token='SECRET'",
    f"https://{HOST}/words/#SECRET",
    f"ftp://ada:SECRET@{HOST}/x.json",
    f"git://ada:SECRET@{HOST}/x.git",
    f"git+https://ada:SECRET@{HOST}/x.git",
    f"ssh://ada:SECRET@{HOST}/x.git",
    f"ssh://SECRET@{HOST}/x.git",
    f"file://ada:SECRET@{HOST}/x.git",
]
PATHS = ["ada:SECRET@127.0.0.1:x.git", "SECRET@127.0.0.1:x.git", f"{HOST}/x.json?token=SECRET"]
"""Addresses that look like paths."""
COMMANDS = [
    "build words --ledger ADDRESS",
    "build ADDRESS",
    "build --git ADDRESS --ledger ADDRESS",
    "build --git ADDRESS --json",
    "build --git ADDRESS --path words.md --no-ledger",
    "build of-address",
    "build of-address --json",
    "serve --git ADDRESS",
    "check --git ADDRESS",
    "diff --git ADDRESS",
    "init ADDRESS",
    "init --install ADDRESS",
    "link leaf --glossary ADDRESS",
    "check-text notes.md --glossary ADDRESS",
    "check-text ADDRESS --glossary words",
    "mcp ADDRESS",
    "publish words --remote ADDRESS",
    "publish --git ADDRESS --dry-run",
    "addresses words --push --remote ADDRESS",
    "translations ADDRESS",
]


def some(number: int) -> list[str]:
    """Returns one quarter of the addresses with a scheme, which has some of each kind, and those
    that look like paths."""
    return [*URLS[number % 4 :: 4], *PATHS]


@pytest.fixture
def project(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """The repository of the current folder, with a glossary and a document. Nothing is reached by
    ssh."""
    monkeypatch.setenv("GIT_SSH_COMMAND", "false")
    project = Repository(tmp_path / "project")
    files = {
        "words/site.toml": '[[source]]\nid = "words"\nfile = "GLOSSARY.md"\n',
        "words/GLOSSARY.md": "# Glossary\n\n## Leaf\n\nA leaf.\n",
        "notes.md": "A leaf.\n",
    }
    project.commit(files)
    monkeypatch.chdir(project.path)
    return project


@pytest.mark.parametrize("line", COMMANDS)
def test_no_command_shows_a_password(project: Repository, command: Command, line: str) -> None:
    """A command that cannot use an address says so without its password and token."""
    leaks = []
    for address in some(COMMANDS.index(line)):
        source = f'[[source]]\nid = "words"\npaths = ["words.md"]\ngit = {json.dumps(address)}\n'
        (project.path / "of-address").mkdir(exist_ok=True)
        (project.path / "of-address/site.toml").write_text(source)
        arguments = [part.replace("ADDRESS", address) for part in line.split()]
        result = command(*arguments)
        assert result.status in (1, 2) or line == COMMANDS[0], result  # which only leaves it out
        assert "Traceback" not in result.err
        if "SECRET" in result.out + result.err:
            leaks.append((address, result.out + result.err))
    assert leaks == []


def test_the_interface_shows_no_password() -> None:
    """The error of an address that cannot be loaded is without its password and token."""
    for address in (*URLS, *PATHS):
        with pytest.raises(SitegenError) as refused:
            load(address)
        assert "SECRET" not in str(refused.value)
        with pytest.raises(SitegenError) as refused:
            load(Path(address))
        assert "SECRET" not in str(refused.value)


SPHINX = """
import sys
from io import StringIO
from sphinx.application import Sphinx

folder, *addresses = sys.argv[1:]
for address in addresses:
    for output in ("", "words"):
        warnings = StringIO()
        settings = {
            "extensions": ["sitegen.sphinx"],
            "sitegen_glossary": address,
            "sitegen_output": output,
        }
        places = folder, None, f"{folder}/out", f"{folder}/doctrees"
        Sphinx(*places, "html", settings, status=None, warning=warnings)
        print(warnings.getvalue())
"""


def test_sphinx_shows_no_password(tmp_path: Path) -> None:
    """The warning of an address that cannot be loaded is one line without its password and
    token."""
    command = [sys.executable, "-c", SPHINX, tmp_path, *some(0)]
    outcome = subprocess.run(command, capture_output=True, text=True, check=True)
    assert outcome.stdout.count("[sitegen.glossary]") == 2 * len(some(0))
    assert "SECRET" not in outcome.stdout + outcome.stderr


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://example.org/words/", "https://example.org/words/"),
        (
            "https://example.org:8080/@scope/words@2.0/",
            "https://example.org:8080/@scope/words@2.0/",
        ),
        ("https://ada:secret@example.org/words/", "https://example.org/words/"),
        ("https://example.org/words/?token=secret#leaf", "https://example.org/words/"),
        ("https://ada:secret@example.org", "https://example.org"),
        ("git@example.org:words.git", "example.org:words.git"),
        ("ssh://git@example.org/words.git", "ssh://example.org/words.git"),
        ("../words@2.0/site", "../words@2.0/site"),
        ("C:/words@2.0/what?.md", "C:/words@2.0/what?.md"),
        ("words #2/GLOSSARY.md", "words #2/GLOSSARY.md"),
        ("file:///srv/words 2", "file:///srv/words%202"),
    ],
)
def test_an_address_is_shown_without_what_is_secret(address: str, shown: str) -> None:
    """An address is shown without user, password, query and fragment, and a path as it is."""
    assert shown_address(address) == shown


def test_texts_of_git_keep_all_but_what_is_secret() -> None:
    """Users and queries leave a text of git; tags, paths and times stay."""
    told = "fatal: unable to access 'https://ada:SECRET@example.org/x?token=SECRET/': no rights"
    assert without_credentials(told) == (
        "fatal: unable to access 'https://example.org/x': no rights"
    )
    assert without_credentials("SECRET@example.org: denied") == "example.org: denied"
    for text in ("HEAD@{1}: commit", "words@2.0.md, what? #3", "at 10:20: a/b@c"):
        assert without_credentials(text) == text


def test_users_leave_a_message() -> None:
    """Users and passwords leave any text, whose other words stay."""
    assert (
        without_user("see https://ada:secret@example.org/?a#b!") == "see https://example.org/?a#b!"
    )
    assert without_user("words.md:3: #4 @ada") == "words.md:3: #4 @ada"
    assert without_user("https://ada:x@y/z ada:b@x") == "https://y/z ada:b@x"


@pytest.mark.parametrize("end", ["", "@", " @"])
def test_a_long_text_of_addresses_takes_linear_time(end: str) -> None:
    """A name can be as long as its file; it took hours when each address was compared with all
    after it."""
    began = time.process_time()
    without_user("https://a:b" * 50_000 + end)
    assert time.process_time() - began < 5
