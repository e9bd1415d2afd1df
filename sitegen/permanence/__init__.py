"""Permanence: published addresses keep their meaning.

The ledger has every published address and its meaning. Given the ledger and the addresses of a
site, the package finds the promises that the site would break, and what to do about each.
"""
