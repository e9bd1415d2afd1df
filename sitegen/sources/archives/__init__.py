"""Reads glossaries from archives, one archive per release: sdists, release downloads, zip files.

`members` iterates over the members of any kind of archive, within limits, and selects the glossary's files;
`reading` finds the archives and combines the releases. Nothing is extracted to disk.
"""

from sitegen.sources.archives.reading import ArchiveSource, read_archives

__all__ = ["ArchiveSource", "read_archives"]
