"""Matches entries of different releases and sources to terms, and computes the history of each
term."""
