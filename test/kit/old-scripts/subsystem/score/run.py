import os

from check_prerequisites import check_prerequisites
from common import get_timestamp, invoke_main, read_config, render_exception, sort_data, write_json, write_status
from dashboard_info import DashboardInfo
from score_metrics import METRICS


def main(config_dir, home_dir, output_dir):
    confs = read_config(config_dir).get('score_confs', {})
    info = DashboardInfo(home_dir)
    lines = []
    for name in confs:
        if name not in METRICS:
            continue
        metric = METRICS[name](confs[name])
        ok, msg = check_prerequisites(info, metric.prereqs())
        if not ok:
            write_status(output_dir, False, msg)
            return 1
        data_dir = os.path.join(output_dir, 'data', name)
        timestamp = get_timestamp()
        score = metric.compute(info)
        write_json(data_dir, 'data_{}.json'.format(timestamp), {**score, 'timestamp': timestamp})
        try:
            metric.graph(sort_data(data_dir), os.path.join(output_dir, 'graphs', name))
        except Exception as e:
            print('Graphs of {}: {}'.format(name, render_exception(e)))
        lines.append(metric.report(score))
    if not lines:
        write_status(output_dir, True, 'No scores to report')
        return 0
    write_json(output_dir, 'report.json', {'title': 'Metric Scores', 'value': '\n'.join(lines)})
    write_status(output_dir, True, 'success')
    return 0


if __name__ == '__main__':
    invoke_main(main, 'config_dir', 'home_dir', 'output_dir')
