"""MyST: `{glossary}` directives in Markdown."""
