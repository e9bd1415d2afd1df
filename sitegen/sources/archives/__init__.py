"""Glossaries in archives, one archive for each release: sdists, release downloads, zip files.

`members` opens an archive of any kind and hands out what it holds, one after the other and within limits; `contents`
picks the glossary; `reading` finds the archives and puts the releases together. Nothing is extracted to disk.
"""

from sitegen.sources.archives.reading import ArchiveSource, read_archives

__all__ = ["ArchiveSource", "read_archives"]
