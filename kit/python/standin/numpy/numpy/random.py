"""numpy.random, as far as seeds go."""

from random import seed

__all__ = ['seed']
