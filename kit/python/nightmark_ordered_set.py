"""A set that keeps the order in which its items came, so that headers, data and graphs follow the config."""

__all__ = ['OrderedSet']


class OrderedSet(set):
    """Equality, membership and isinstance as for any set; iterating, printing and copying keep the order."""

    def __init__(self, items=()):
        super().__init__()
        self._order = {}
        self.update(items)

    def __iter__(self):
        return iter(self._order)

    def __reversed__(self):
        return reversed(list(self._order))

    def __repr__(self):
        return '{%s}' % ', '.join(map(repr, self)) if self else 'set()'

    def __reduce__(self):
        return (type(self), (list(self),))

    def copy(self):
        return type(self)(self)

    __copy__ = copy

    def add(self, item):
        super().add(item)
        self._order.setdefault(item)

    def discard(self, item):
        super().discard(item)
        self._order.pop(item, None)

    def remove(self, item):
        super().remove(item)
        self._order.pop(item, None)

    def pop(self):
        """Takes the first item."""
        if not self:
            raise KeyError('pop from an empty set')
        item = next(iter(self))
        self.remove(item)
        return item

    def clear(self):
        super().clear()
        self._order.clear()

    def update(self, *others):
        for other in others:
            for item in list(other):
                self.add(item)

    def _keep(self, items):
        items = list(items)
        self.clear()
        self.update(items)

    def union(self, *others):
        result = self.copy()
        result.update(*others)
        return result

    def intersection(self, *others):
        kept = set(self).intersection(*others)
        return type(self)(item for item in self if item in kept)

    def difference(self, *others):
        kept = set(self).difference(*others)
        return type(self)(item for item in self if item in kept)

    def symmetric_difference(self, other):
        other = type(self)(other)
        return self.difference(other).union(other.difference(self))

    def intersection_update(self, *others):
        self._keep(self.intersection(*others))

    def difference_update(self, *others):
        self._keep(self.difference(*others))

    def symmetric_difference_update(self, other):
        self._keep(self.symmetric_difference(other))

    def __or__(self, other):
        return self.union(other) if isinstance(other, (set, frozenset)) else NotImplemented

    def __and__(self, other):
        return self.intersection(other) if isinstance(other, (set, frozenset)) else NotImplemented

    def __sub__(self, other):
        return self.difference(other) if isinstance(other, (set, frozenset)) else NotImplemented

    def __xor__(self, other):
        return self.symmetric_difference(other) if isinstance(other, (set, frozenset)) else NotImplemented

    def __ior__(self, other):
        self.update(other)
        return self

    def __iand__(self, other):
        self.intersection_update(other)
        return self

    def __isub__(self, other):
        self.difference_update(other)
        return self

    def __ixor__(self, other):
        self.symmetric_difference_update(other)
        return self
