"""XML: DocBook glossaries and TBX termbases."""
