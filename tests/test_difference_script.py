"""The script that compares two wordings gives the same differences as the Python code."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from glossaries import from_text

from sitegen.model import Prose
from sitegen.text.prose import from_html
from sitegen.text.words import difference

SCRIPT = Path(__file__).parent.parent / "templates/assets/js/word-difference.js"

ASK = """
globalThis.self = globalThis
require("vm").runInThisContext(require("fs").readFileSync(process.argv[1], "utf8"))
const pairs = JSON.parse(require("fs").readFileSync(0, "utf8"))
console.log(JSON.stringify(pairs.map(([before, after]) => glossaryWords.difference(before, after))))
"""

WORDS = (
    "the a of state, kept, (named) well-known x86-64 -1 −1 C++ c 50% » – “whole”. Straße naïve "
    "is is the".split()
    + "語 単語の カタ、".split()
)

HARD = (
    "",
    "…",
    "A fixed pointer to the state of a volume at one moment.",
    "A named pointer to the state of the volume, at one moment.",
    "one two big of small five six seven",
    "one two tiny of large five six seven",
    "some multi-part thing is here now",
    "some multi-lane thing is here now",
    "<p>call it as <code>f(x)</code> in all cases</p>",
    "<p>call it as <code>f[x]</code> in all cases</p>",
    "<p>call it as f(x) in all cases</p>",
    "<p>call it as <code>x</code><code>y</code> in all cases</p>",
    "<p>call it as <code>X</code><code>y</code> in all cases</p>",
    "<p>call it as <code>xy</code> in all <em>cases</em></p>",
    "<pre>if x:\n  y = -1</pre><p>More.</p>",
    "<pre>if x:\n    y = 1</pre><p>More.</p>",
)


def prose(text: str) -> Prose:
    return from_html(text) if text.startswith("<") else from_text(text)


def random_pairs() -> list[tuple[Prose, Prose]]:
    """Returns pairs of wordings made of few words, so that there are many ways to match them. The
    seed is fixed."""
    dice = random.Random(1)
    texts = [" ".join(dice.choices(WORDS, k=dice.randrange(1, 30))) for _ in range(300)]
    return [(from_text(one), from_text(two)) for one, two in pairwise(texts)]


def by_script(pairs: list[tuple[Prose, Prose]]) -> list[dict[str, object]]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not here: scripts cannot run alone")
    given = json.dumps([[{"text": one.text, "code": one.code} for one in pair] for pair in pairs])
    ran = subprocess.run(
        [node, "-e", ASK, SCRIPT], input=given, capture_output=True, text=True, check=True
    )
    answered: list[dict[str, object]] = json.loads(ran.stdout)
    return answered


def by_rule(before: Prose, after: Prose) -> dict[str, object]:
    found = difference(before, after)
    return {
        "segments": [
            {"kind": one.kind, "text": one.text, "code": [list(span) for span in one.code]}
            for one in found.segments
        ],
        "rewritten": found.rewritten,
        "added": found.added,
        "removed": found.removed,
    }


def test_the_script_finds_the_differences_that_the_pages_have() -> None:
    """For any pair of wordings, the script in the browser and the pages show the same
    difference."""
    pairs = [(prose(one), prose(two)) for one in HARD for two in HARD] + random_pairs()
    for pair, found in zip(pairs, by_script(pairs), strict=True):
        assert found == by_rule(*pair), [one.text for one in pair]
