"""Slugs, URLs, the ledger of published addresses, and the gate that protects them."""
