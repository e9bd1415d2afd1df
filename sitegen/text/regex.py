"""Regular expressions that are compiled when they are first used.

A build uses few of the expressions of the modules that it loads. Compiling all of them took a tenth of the time of a
build with nothing to do.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _Regex:
    def __init__(self, *arguments: Any) -> None:
        self._arguments = arguments

    def __getattr__(self, name: str) -> Any:
        """Returns an attribute of the compiled expression, which is found without this method from then on."""
        attribute = getattr(re.compile(*self._arguments), name)
        setattr(self, name, attribute)
        return attribute


def regex(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Returns what is used like a compiled expression, but not as an argument of the functions of `re`."""
    return cast(re.Pattern[AnyStr], _Regex(text, flags))
