"""Shared helpers of the suite."""
