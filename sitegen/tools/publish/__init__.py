"""Puts a site where it is read: on a branch of a repository, as one commit, or into a folder.

`keeper` runs git with the keeper's own settings, `branch` and `folder` are the places a site can go to, `plan` says
what publishing would change, `publishing` goes from the glossary to the place.
"""

from sitegen.tools.publish.publishing import Published, publish, target

__all__ = ["Published", "publish", "target"]
