"""The ruler: data sets, metrics and statistics that say whether conversations are understood.

Imports anaphor, never the reverse. What anything here measures is defined here and nowhere else: the token counter,
the words a rewrite is compared by and the metrics are the evaluator's own; no change of the product can move them.
"""
