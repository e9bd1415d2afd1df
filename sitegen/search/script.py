"""The scripts that hold what a search reads."""

from __future__ import annotations

import json


def script(name: str, value: object) -> bytes:
    """Returns a script that sets one property, from where `search-*.js` read it."""
    return f"(self.glossarySearch ||= {{}})[{_json(name)}] = {_json(value)};\n".encode("utf-8", "replace")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
