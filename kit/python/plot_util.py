"""Graphs: bars, groups of bars and values over time, drawn by `nightmark chart`.

    from plot_util import PlotBuilder, PlotType

    (PlotBuilder().set_title('Sorting').set_y_label('Time (ms)')
     .make(PlotType.BAR, {'meta': ['Algorithm', 'Time (ms)'], 'raw': {'quick': 0.0021, 'merge': 0.0024}})
     .save(output_dir, 'sorting.png'))

Values are seconds, drawn as milliseconds, unless set_unit_type says otherwise. A graph is drawn by save, not before.
"""

import hashlib
import os

from common import METADATA, gather_stats
from nightmark_axes import Axes
from nightmark_charts import draw, drawn_together
from nightmark_json import prepare_out_file
from nightmark_plot_data import PlotScale, PlotType, UnitType, chart_color, chart_data, in_unit, is_number

__all__ = ['PlotBuilder', 'PlotType', 'PlotScale', 'UnitType', 'NUM_SIG_FIGS', 'UNIT_TYPE',
           'generate_longitudinal_comparisons']

NUM_SIG_FIGS = 3
UNIT_TYPE = UnitType.SECONDS

# Heights are given in inches. So many pixels to one keep the text of a graph of 3 inches beside its axes.
PIXELS_PER_INCH = 144
FIGURE_HEIGHT = 4.8
ASPECT_RATIO = 1.5

# Names may have 255 bytes: what is longer has 13 of a digest, 4 of the ending, and room for a temporary one.
LONGEST_STEM = 200

ENDINGS = ('.png', '.svg', '.jpg', '.jpeg', '.pdf')


class PlotBuilder:
    """A graph in the making. Every set_ function gives the builder back; what is not set has a default."""

    def __init__(self):
        self._spec = {}
        self._chart = None
        self._meta = []
        self._height = None
        self._aspect = None
        self._unit_type = UNIT_TYPE
        self._axes = None

    def _set(self, key, value):
        self._spec[key] = value
        return self

    def set_title(self, title):
        return self._set('title', str(title))

    def set_x_label(self, label):
        return self._set('xTitle', str(label))

    def set_y_label(self, label):
        return self._set('yTitle', str(label))

    def set_x_scale(self, scale):
        return self._set('xScale', scale.as_plt_arg())

    def set_y_scale(self, scale):
        return self._set('yScale', scale.as_plt_arg())

    def set_sig_figs(self, num):
        return self._set('significantFigures', num)

    def set_font_scale(self, scale):
        return self._set('fontScale', scale)

    def set_bar_colors(self, colors):
        """Colours of the bars, or of the legend's entries: 'C0' to 'C9' of the default cycle, or '#rrggbb'."""
        names = [colors] if isinstance(colors, str) else colors
        return self._set('colors', [chart_color(name) for name in names])

    def set_aspect_ratio(self, ratio):
        """Width divided by height."""
        self._aspect = ratio
        return self

    def set_figure_height(self, height):
        """In inches."""
        self._height = height
        return self

    def set_unit_type(self, unit_type):
        self._unit_type = unit_type
        return self

    def make(self, plot_type, data):
        """Checks the data and keeps a copy, which save draws. RuntimeError if it cannot be drawn."""
        self._chart = chart_data(plot_type, data.get('raw'))
        self._meta = list(data.get('meta', []))
        self._axes = None
        return self

    def save(self, dirname, filename):
        """Draws the graph into a .png or .svg file; the folder is made."""
        name = filename if filename.lower().endswith(ENDINGS) else filename + '.png'
        draw(self.spec(), prepare_out_file(os.path.expanduser(dirname), name))
        return self

    def spec(self):
        """The description that `nightmark chart` draws."""
        chart = self._drawn()
        if self._axes is not None:
            self._axes.move(chart)
        if chart['chart'] == 'grouped-bar' and self._meta:
            chart['legendTitle'] = str(self._meta[0])
        chosen = {'yScale': 'linear', 'significantFigures': NUM_SIG_FIGS, **self._spec, **self._size()}
        # Bars have no scale along x, and dates only one.
        if chart.get('xScale') != 'linear':
            chosen.pop('xScale', None)
        return {**chart, **chosen}

    def ax(self):
        """The bars and their labels, which can be moved before save: `containers` and `texts`."""
        if self._axes is None:
            self._axes = Axes(self._drawn())
        return self._axes

    def fig(self):
        """The graph itself, with savefig(path)."""
        return _Figure(self)

    def _drawn(self):
        if self._chart is None:
            raise RuntimeError('no data to plot')
        return in_unit(self._chart, self._unit_type)

    def _size(self):
        if self._height is None and self._aspect is None:
            return {}
        height = (self._height or FIGURE_HEIGHT) * PIXELS_PER_INCH
        sides = {'width': height * (self._aspect or ASPECT_RATIO), 'height': height}
        return {side: round(min(max(pixels, 100), 8000)) for side, pixels in sides.items()}


def generate_longitudinal_comparisons(sorted_data, output_dir, subdir_name='longitudinal', stat_name='Time (ms)',
                                      unit_type=UnitType.SECONDS):
    """Draws each number of the newest entry over time, as <subdir_name>/longitudinal-<path of it>.png."""
    if not sorted_data:
        return
    with drawn_together():
        for path in _number_paths(sorted_data[-1]):
            values, times = gather_stats(sorted_data, path)
            path = [str(field) for field in path]
            points = [(time, value) for time, value in zip(times, values) if is_number(value)]
            if not points:
                continue
            raw = {'x': [time for time, _ in points], 'y': [value for _, value in points]}
            builder = (PlotBuilder().set_title('({}) over Time'.format(','.join(path))).set_unit_type(unit_type)
                       .set_x_label('Date of Run').set_y_label(stat_name))
            builder.make(PlotType.LONGITUDINAL, {'meta': ['Date of Run', stat_name], 'raw': raw})
            builder.save(os.path.join(output_dir, subdir_name), _file_name('longitudinal-' + '-'.join(path)))


def _number_paths(entry, above=()):
    for field, value in entry.items():
        if field in METADATA:
            continue
        if isinstance(value, dict):
            yield from _number_paths(value, (*above, field))
        elif is_number(value) and not isinstance(value, bool):
            yield (*above, field)


def _file_name(stem):
    """As it comes but for / and NUL. What no disk takes as a name is cut, and its digest keeps it apart."""
    name = stem.replace('/', '_').replace('\0', '_')
    text = name.encode('utf-8', 'replace')
    if len(text) > LONGEST_STEM:
        digest = hashlib.sha256(stem.encode('utf-8', 'replace')).hexdigest()
        name = text[:LONGEST_STEM].decode('utf-8', 'ignore') + '-' + digest[:12]
    return name + '.png'


class _Figure:
    def __init__(self, builder):
        self._builder = builder

    def savefig(self, path, **_options):
        self._builder.save(*os.path.split(path))
