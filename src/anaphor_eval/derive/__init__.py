"""Conversations made at run time from sets of single questions.

    derived   consecutive questions on one article are a conversation: its first question names the title, and where a
              later one names it right after, the title gives way to a fitting pronoun or to nothing. Gold is the
              question as it was published and its passage; the article's other passages and all other articles are
              the distractors.
    spliced   the tail of one conversation put after the head of another: a topic switch that is known.

Rules per language are in ``chinese`` and ``japanese``; every choice is drawn from a seed and the question's id, so
that one question's form does not hang on any other's. What is natural about them and what is not:
docs/benchmarks/derived.md.
"""

from anaphor_eval.derive.make import DeriveError, derived, spliced

__all__ = ["DeriveError", "derived", "spliced"]
