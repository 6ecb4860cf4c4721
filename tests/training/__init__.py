"""How the reader of single characters was trained: glyphs from fonts and from pen strokes, spoilt as photos spoil them.

``python -m training.train --help`` (in ``tests/``) trains it anew; that takes torch, which nothing else needs.
"""
