"""The bars of a graph and their labels, as scripts know them from matplotlib, so that they can be moved.

Places are in units of one x entry: entry number 2 is at 2, and the bars around it share 0.8."""

__all__ = ['Axes']

GROUP_WIDTH = 0.8


class Axes:
    """`containers`: the bars, for each legend entry; `texts`: the labels of the bars that have one, in that order."""

    def __init__(self, chart):
        self.containers = [Container(bars) for bars in _bars(chart)]
        self.texts = [bar.label for container in self.containers for bar in container.get_children() if bar.label]

    def move(self, chart):
        """Puts the moves into the data of the chart."""
        if chart['chart'] == 'bar':
            for entry, bar in zip(chart['bars'], self.containers[0].get_children()):
                if bar.moved:
                    entry['offset'] = bar.moved
        elif chart['chart'] == 'grouped-bar':
            for series, container in zip(chart['series'], self.containers):
                bars = container.get_children()
                labels = [bar.label.moved if bar.label else None for bar in bars]
                if any(bar.moved for bar in bars) or any(labels):
                    series['offsets'] = [bar.moved for bar in bars]
                    series['labelOffsets'] = labels


class Container:
    def __init__(self, bars):
        self._bars = bars

    def get_children(self):
        return list(self._bars)

    def __iter__(self):
        return iter(self._bars)

    def __len__(self):
        return len(self._bars)


class Bar:
    def __init__(self, x, width, height):
        self._own = self._x = x
        self._width = width
        self._height = height
        self.label = Label(x + width / 2, height) if height else None

    @property
    def moved(self):
        return self._x - self._own

    def get_x(self):
        return self._x

    def set_x(self, x):
        self._x = x

    def get_width(self):
        return self._width

    def get_height(self):
        return self._height


class Label:
    def __init__(self, x, y):
        self._own = self._x = x
        self._y = y

    @property
    def moved(self):
        return self._x - self._own

    def get_position(self):
        return (self._x, self._y)

    def set_x(self, x):
        self._x = x


def _bars(chart):
    if chart['chart'] == 'bar':
        return [[Bar(place - GROUP_WIDTH / 2, GROUP_WIDTH, bar['value']) for place, bar in enumerate(chart['bars'])]]
    if chart['chart'] != 'grouped-bar':
        return []
    width = GROUP_WIDTH / len(chart['series'])
    return [[Bar(group - GROUP_WIDTH / 2 + index * width, width, value) for group, value in enumerate(entry['values'])]
            for index, entry in enumerate(chart['series'])]
