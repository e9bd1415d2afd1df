"""Finds the glossaries of a repository, and all earlier paths of each of them, for `sitegen init`."""

from sitegen.sources.discovery.choice import FoundGlossary, LeftOut
from sitegen.sources.discovery.search import SearchResult, find_glossaries
from sitegen.sources.discovery.texts import detected_language

__all__ = ["FoundGlossary", "LeftOut", "SearchResult", "detected_language", "find_glossaries"]
