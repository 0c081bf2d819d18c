"""A model that is slow, on a port of its own."""

from page.slow import model

__all__ = ["model"]
