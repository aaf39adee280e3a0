"""The data of a plot, checked, and turned into the data of a chart description."""

import datetime
import enum
import logging
import math
import numbers

__all__ = ['PlotType', 'PlotScale', 'UnitType', 'chart_data', 'chart_color', 'in_unit', 'is_number']


COLORS = {'b': '#0000ff', 'g': '#008000', 'r': '#ff0000', 'c': '#00bfbf', 'm': '#bf00bf', 'y': '#bfbf00', 'k': '#000000',
          'w': '#ffffff', 'blue': '#0000ff', 'green': '#008000', 'red': '#ff0000', 'black': '#000000',
          'white': '#ffffff', 'orange': '#ffa500', 'purple': '#800080', 'gray': '#808080', 'grey': '#808080',
          'tab:blue': 'C0', 'tab:orange': 'C1', 'tab:green': 'C2', 'tab:red': 'C3', 'tab:purple': 'C4',
          'tab:brown': 'C5', 'tab:pink': 'C6', 'tab:gray': 'C7', 'tab:olive': 'C8', 'tab:cyan': 'C9'}


class PlotType(enum.Enum):
    BAR = 0
    MULTI_BAR = 1
    LONGITUDINAL = 2

    def is_bar_variant(self):
        return self in (PlotType.BAR, PlotType.MULTI_BAR)


class PlotScale(enum.Enum):
    LINEAR = 'linear'
    LOG = 'log'

    def as_plt_arg(self):
        return self.value


class UnitType(enum.Enum):
    """What the numbers are. Seconds are drawn as milliseconds, the others as they are."""
    SECONDS = 0
    MILLISECONDS = 1
    COMPARATIVE = 2


def chart_data(plot_type, raw):
    """The part of a chart description that comes from the data; RuntimeError if there is nothing to draw."""
    read = {PlotType.BAR: _bars, PlotType.MULTI_BAR: _groups, PlotType.LONGITUDINAL: _line}.get(plot_type)
    if read is None:
        raise RuntimeError('unknown plot type "{}"'.format(plot_type))
    if not raw:
        raise RuntimeError('no data to plot')
    if not isinstance(raw, dict):
        raise RuntimeError('non-numeric value given')
    return read(raw)


def in_unit(chart, unit_type):
    """A copy of that part with the values as they are drawn."""
    factor = 1000 if unit_type == UnitType.SECONDS else 1
    if chart['chart'] == 'bar':
        return {**chart, 'bars': [{**bar, 'value': bar['value'] * factor} for bar in chart['bars']]}
    key = 'y' if chart['chart'] == 'line' else 'values'
    return {**chart, 'series': [{**series, key: [None if value is None else value * factor for value in series[key]]}
                                for series in chart['series']]}


def chart_color(name):
    """A colour as matplotlib names it; chart files know C0 to C9 and #rrggbb."""
    return COLORS.get(name, name)


def is_number(value):
    return isinstance(value, numbers.Real)


def _bars(raw):
    values = {str(bar): _checked(value, bar) for bar, value in raw.items()}
    bars = [{'label': bar, 'value': value} for bar, value in values.items() if value is not None]
    if not bars:
        raise RuntimeError('no data to plot')
    return {'chart': 'bar', 'bars': bars}


def _groups(raw):
    if not all(isinstance(entries, dict) for entries in raw.values()):
        raise RuntimeError('non-numeric value given')
    groups = list(dict.fromkeys(group for entries in raw.values() for group in entries))
    series = []
    for legend, entries in raw.items():
        if not entries:
            raise RuntimeError('no data to plot')
        values = [_checked(entries[group], '{}, {}'.format(legend, group)) if group in entries else None
                  for group in groups]
        series.append({'label': str(legend), 'values': values})
    if all(value is None for entry in series for value in entry['values']):
        raise RuntimeError('no data to plot')
    return {'chart': 'grouped-bar', 'groups': [str(group) for group in groups], 'series': series}


def _line(raw):
    pairs = [(x, _checked(y, x)) for x, y in zip(raw.get('x', []), raw.get('y', []))]
    points = [(_place(x), y) for x, y in pairs if y is not None]
    if not points:
        raise RuntimeError('no data to plot')
    series = {'x': [x for x, _ in points], 'y': [y for _, y in points]}
    if len({isinstance(x, str) for x in series['x']}) > 1:
        raise RuntimeError('non-numeric value given')
    scale = 'time' if isinstance(series['x'][0], str) else 'linear'
    return {'chart': 'line', 'series': [series], 'points': True, 'xScale': scale}


def _checked(value, name):
    """The number as a float, or None, with a warning, where there is none to draw."""
    if value is not None and not is_number(value):
        raise RuntimeError('non-numeric value given')
    try:
        number = math.nan if value is None else float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        logging.warning('%s is %s: left out of the graph', name, str(value)[:40])
        return None
    return number


def _place(x):
    if isinstance(x, (datetime.datetime, datetime.date)):
        return x.isoformat()
    if is_number(x) and math.isfinite(x):
        return x if isinstance(x, int) else float(x)
    raise RuntimeError('non-numeric value given')
