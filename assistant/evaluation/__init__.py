"""How good answers are: test sets, metrics, reports, comparisons of two runs."""
