"""Measuring arena on this machine: everything in one run, and as ratios."""
