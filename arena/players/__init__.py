"""Players: whoever answers for a seat, behind one method (`arena.model.Player`)."""
