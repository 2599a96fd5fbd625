"""Conformance checks for whatever can be plugged in; usable by plug-in authors, without pytest."""
