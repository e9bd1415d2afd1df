"""Permanence: published addresses keep their meaning.

The archive has the words of every published release, and every published address. Sources are
completed by it before terms are matched, and terms keep the addresses that it has for them.
"""
