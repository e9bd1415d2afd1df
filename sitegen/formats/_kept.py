"""How what formats made is written down, to be kept: a key that tells what it was made of, and JSON."""

from __future__ import annotations

import json
import marshal
from typing import Any

from sitegen.digests import digest
from sitegen.fingerprints import FORM

ENCODER = json.JSONEncoder(ensure_ascii=False, check_circular=False)


def key(given: Any) -> bytes:
    """Returns what tells plain things, such as texts and tuples of them, from any others."""
    return digest(marshal.dumps(given, FORM))


def dump(data: object) -> bytes:
    """Returns what JSON can hold in bytes; texts may be damaged ones."""
    return ENCODER.encode(data).encode(errors="surrogatepass")


def load(data: bytes) -> Any:
    """Returns what JSON has made of it: tuples are lists."""
    return json.loads(data.decode(errors="surrogatepass"))
