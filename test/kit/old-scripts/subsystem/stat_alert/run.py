import itertools
import os

import numpy as np
from common import (gather_stats, invoke_main, read_config, render_exception, sort_data, time_difference,
                    traverse_fields, write_json, write_status)
from dashboard_info import DashboardInfo
from slack_util import generate_ping_list


def alerts_of(data, window):
    current, past = data[-1], data[:-1]
    if window >= 1:
        past = [entry for entry in past if time_difference(current, entry).days <= window]
    lines = []
    for fields in itertools.product(*traverse_fields(current)):
        values, _ = gather_stats(past, fields)
        now = gather_stats([current], fields)[0][0]
        mean, sd = np.mean(values), np.std(values)
        if abs(now - mean) > sd:
            lines.append('    ({}): {:.2e} (mean: {:.2e} +/- {:.2e})\n'.format(', '.join(fields), now, mean, sd))
    return ''.join(lines)


def main(config_dir, home_dir, output_dir):
    config = read_config(config_dir)
    info = DashboardInfo(home_dir)
    report = os.path.join(output_dir, 'report.json')
    if os.path.exists(report):
        os.remove(report)
    try:
        value = ''
        for exp in info.all_present_experiments():
            if not info.exp_active(exp) or not info.exp_stage_status(exp, 'analysis')['success']:
                continue
            data = sort_data(info.exp_data_dir(exp))
            if len(data) < 2:
                continue
            alerts = alerts_of(data, int(config.get('time_window', -1)))
            if alerts:
                value += 'Alerts for {}:\n{}'.format(info.read_exp_config(exp).get('title', exp), alerts)
        if value:
            ping = 'ATTN: {}\n'.format(generate_ping_list(config['notify'])) if config.get('notify') else ''
            write_json(output_dir, 'report.json', {'title': 'High SD Alerts', 'value': ping + value})
        write_status(output_dir, True, 'success')
        return 0
    except Exception as e:
        write_status(output_dir, False, render_exception(e))
        return 1


if __name__ == '__main__':
    invoke_main(main, 'config_dir', 'home_dir', 'output_dir')
