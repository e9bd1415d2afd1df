"""Finds the glossaries of a repository, and all earlier paths of each of them, for `sitegen init`."""

from sitegen.sources.discovery.choice import FoundGlossary, LeftOut
from sitegen.sources.discovery.search import SearchResult, find_glossaries
from sitegen.sources.discovery.texts import language_of

__all__ = ["FoundGlossary", "LeftOut", "SearchResult", "find_glossaries", "language_of"]
