"""The glossary where people write: the Python API, documents, Sphinx and assistants, all on
glossary.json."""
