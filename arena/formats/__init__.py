"""Tournament formats: one pure file each, from entrants and earlier results to the next round."""
