"""What is ruled, but no board: forms, puzzles, tiles and toys, by what is drawn in the cells and lies round them."""

from poradek_vision.find.form.labelled import labelled_side
from poradek_vision.find.form.rim import RimSettings, on_papers_edge
from poradek_vision.find.form.telling import Form, FormSettings, tell_form

__all__ = ["Form", "FormSettings", "RimSettings", "labelled_side", "on_papers_edge", "tell_form"]
