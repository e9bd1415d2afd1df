"""`sitegen mcp`: the glossary for assistants, asked with the client of the official SDK."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from commands import Command
from glossaries import source
from sites import data_of, site_of

from sitegen.config.tables import Rename

if TYPE_CHECKING:
    from mcp.client import Client

BASE = "https://example.org/words/"
RELEASES = {
    "1.0": {"master": "Leads.", "tape": "Slow.", "volume": "Holds files."},
    "1.1": {"primary; head": "Leads.", "volume": "Holds files."},
    "2.0": {
        "primary; head": "Leads the others.",
        "volume": "Deprecated. Use disk instead.",
        "disk": "Holds files.",
    },
}
WORDS = data_of(
    site_of(
        source("words", RELEASES),
        renames=(Rename(source="words", old="master", new="primary", release="1.1"),),
        base_url=BASE,
    )
)


def in_thread(run: Callable[[], Awaitable[Any]]) -> Any:
    """Returns a coroutine's result; a thread of its own has no event loop, which Playwright's tests
    leave behind."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(anyio.run, run).result()


def talk(ask: Callable[[Client], Awaitable[Any]]) -> Any:
    """Returns what a client of the SDK is answered in memory. The SDK takes a second to load, so
    only these tests do it."""
    from mcp.client import Client

    from sitegen.integrations.assistant_server import server

    async def run() -> Any:
        async with Client(server(WORDS)) as client:
            return await ask(client)

    return in_thread(run)


def answer(tool: str, **arguments: str) -> str:
    """Returns the text of an answer."""
    result = talk(lambda client: client.call_tool(tool, arguments))
    assert not result.is_error
    [content] = result.content
    return str(content.text)


def test_the_tools_only_read() -> None:
    """The server has three tools, which are marked as reading only, and says when to use them."""
    tools = talk(lambda client: client.list_tools()).tools
    assert [tool.name for tool in tools] == ["define", "history", "check"]
    assert all(tool.annotations.read_only_hint and tool.description for tool in tools)


def test_a_term_is_defined() -> None:
    """An answer has the name, the state, the definition and the address to cite."""
    assert answer("define", name="Heads").splitlines() == [
        "primary: since 1.0 or earlier, reworded in 2.0.",
        "Also called: head.",
        "Formerly: master (before 1.1).",
        "Leads the others.",
        f"{BASE}term/primary/",
    ]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("master", "“master” is a former name since 1.1; use “primary”."),
        ("Volumes", "volume: deprecated since 2.0; use “disk”."),
        ("tape", "tape: removed in 1.1."),
        ("dosk", "Similar: “disk”"),
        ("is", "No term has the name “is”."),
    ],
)
def test_a_name_that_is_not_in_force_says_what_to_use(name: str, line: str) -> None:
    """For a former, deprecated, removed or unknown name, the answer begins with what to write."""
    assert any(one.startswith(line) for one in answer("define", name=name).splitlines()[:2])


def test_a_term_is_defined_as_of_a_release() -> None:
    """With a release, the answer has the words, the name and the address of then."""
    lines = answer("define", name="primary", release="1.0").splitlines()
    assert lines[0].startswith("master, as of 1.0") and lines[-2:] == [
        "Leads.",
        f"{BASE}term/master/1.0/",
    ]
    assert answer("define", name="disk", release="1.0").startswith("“disk” was not defined in 1.0.")
    assert lines == answer("define", name="primary", release="v1.0").splitlines()
    assert answer("define", name="disk", release="9").startswith(
        "no source has the release 9; known: 1.0"
    )


def test_the_history_of_a_term() -> None:
    """Each change has its release, file and line, the newest first."""
    lines = answer("history", name="head").splitlines()
    changed = [line for line in lines if line.startswith("-")]
    assert changed[0] == "- 2.0: reworded, 2.0/GLOSSARY.md:1" and changed[-1].startswith(
        "- 1.0: first-read"
    )
    assert "- 1.1: renamed from “master”, 1.1/GLOSSARY.md:1" in changed


def test_a_text_is_checked() -> None:
    """Outdated names of a text are listed with what to write instead."""
    assert answer("check", text="Ask the master.\n").splitlines() == [
        "1 outdated name.",
        "- line 1, column 9: “master” is a former name since 1.1; use “primary”",
    ]
    assert answer("check", text="Ask the primary.") == "Nothing is outdated."
    assert answer("check", text="Ask the master.\n" * 50).endswith("\n… and 30 more")
    assert (
        answer("check", text="x", format="word")
        == "the format is markdown, rst or text, not “word”"
    )


def test_the_command_serves_on_standard_input(tmp_path: Path) -> None:
    """`sitegen mcp FOLDER` answers a client on standard input and output."""
    (tmp_path / "GLOSSARY.md").write_text(
        "# Glossary\n\n## Anchor\n\nHolds the boat.\n\n## Boat\n\nFloats.\n"
    )
    from mcp import StdioServerParameters, stdio_client
    from mcp.client import Client

    arguments = ["-m", "sitegen", "mcp", str(tmp_path)]
    command = StdioServerParameters(command=sys.executable, args=arguments, env={**os.environ})

    async def run() -> Any:
        async with Client(stdio_client(command)) as client:
            return await client.call_tool("define", {"name": "anchors"})

    assert "Holds the boat." in in_thread(run).content[0].text


def test_without_the_extra_the_command_names_it(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the SDK, one line says what to install."""
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    monkeypatch.delitem(sys.modules, "sitegen.integrations.assistant_server")
    outcome = command("mcp")
    assert (outcome.status, outcome.err) == (
        2,
        'mcp: needs a library: pip install "mcp>=2", in the environment of sitegen\n',
    )
