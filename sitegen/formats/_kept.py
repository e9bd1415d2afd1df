"""What tells apart what formats make something of, so that what was made can be kept by it."""

from __future__ import annotations

import marshal
from typing import Any

from sitegen.digests import digest
from sitegen.fingerprints import FORM


def key(given: Any) -> bytes:
    """Returns what tells plain things, such as texts and tuples of them, from any others."""
    return digest(marshal.dumps(given, FORM))
