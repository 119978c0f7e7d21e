"""Where what stands in the row of a claim's word; the weights in verify.npz depend on this order."""

from __future__ import annotations

SCALARS = (
    *("near", "next", "same_near", "held", "held_best", "held_pair", "rarity"),
    *("number", "name", "negator", "direction", "qualifier", "function"),
    *("context", "same_context", "in_best", "at_best", "jump", "nearest", "best_mean", "pair_mean"),
    *("place", "length", "agree", "alike", "denial"),
)
"""What is measured of every word, in order; features.py says how."""
COLUMN = {name: place for place, name in enumerate(SCALARS)}
"""By name the column of what is measured of every word."""
SENSES = slice(COLUMN["agree"], len(SCALARS))
FIGURE_FAULTS = ("missing", "unit", "clash", "qualifier", "worded")
"""What may be wrong with a figure, in order; a column behind these is for a name that the source hasn't."""
FAULTS = slice(len(SCALARS), len(SCALARS) + len(FIGURE_FAULTS) + 1)
FIT = slice(FAULTS.stop, FAULTS.stop + 4)
"""For a figure how like its context is to that of the same figure, and by how much more than to others';
for a name the same."""
FLAGS = slice(FIT.stop, FIT.stop + 2)
"""Denied on one side only; turned."""
