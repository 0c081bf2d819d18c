"""One metric a file: what it is, its formula, its symbols, where it comes from.

Every function takes one turn's (or question's) values and returns a number, or a ``Share`` whose parts are added up
over turns before they are divided. Means, intervals and comparisons are ``statistics``' business.
"""
