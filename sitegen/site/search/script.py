"""The scripts that hold what a search reads."""

from __future__ import annotations

from sitegen.text import compact_json


def script(name: str, value: object) -> bytes:
    """Returns a script that sets one property, from which `search-*.js` read it."""
    key, data = compact_json.text(name), compact_json.text(value)
    return f"(self.glossarySearch ||= {{}})[{key}] = {data};\n".encode("utf-8", "replace")
