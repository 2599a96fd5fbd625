"""Rating models: one pure file each, from results to ratings with intervals."""
