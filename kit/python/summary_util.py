"""Summaries of mean times for reports: per device, in milliseconds."""

import math
import numbers

from common import render_exception, sort_data, write_status, write_summary

__all__ = ['summary_by_dev', 'summary_by_dev_and_network', 'write_generic_summary']


def summary_by_dev(data, devs):
    """Lines `<listing>: <ms>` below a heading for each device; data = {dev: {listing: seconds}}."""
    lines = []
    for dev in devs:
        lines.append(_heading(dev))
        lines += ['{}: {}\n'.format(listing, _milliseconds(seconds)) for listing, seconds in _listings(data, dev)]
    return ''.join(lines)


def summary_by_dev_and_network(data, devs, networks):
    """The same for {dev: {listing: {network: seconds}}}: values in the order of the networks named on top."""
    lines = ['Format: ({})\n'.format(', '.join(map(str, networks)))]
    for dev in devs:
        lines.append(_heading(dev))
        for listing, times in _listings(data, dev):
            values = ', '.join(_milliseconds(times.get(network)) for network in networks)
            lines.append('{}: {}\n'.format(listing, values))
    return ''.join(lines)


def write_generic_summary(data_dir, output_dir, title, devices, networks=None, use_networks=False):
    """Leaves summary.json of the newest data and a status; on an exception only a failed status."""
    try:
        entries = sort_data(data_dir)
        if not entries:
            raise ValueError('there is no data in {}'.format(data_dir))
        newest = entries[-1]
        value = (summary_by_dev_and_network(newest, devices, networks or []) if use_networks
                 else summary_by_dev(newest, devices))
        write_summary(output_dir, title, value)
        write_status(output_dir, True, 'success')
    except Exception as e:
        write_status(output_dir, False, 'Exception encountered:\n' + render_exception(e))


def _listings(data, dev):
    if not isinstance(data.get(dev), dict):
        raise KeyError('the newest data has nothing of the device {}'.format(dev))
    return data[dev].items()


def _heading(dev):
    return '_Times on {}_\n'.format(dev.upper())


def _milliseconds(seconds):
    has_value = isinstance(seconds, numbers.Real) and math.isfinite(seconds)
    return '{:.3f}'.format(seconds * 1e3) if has_value else '-'
