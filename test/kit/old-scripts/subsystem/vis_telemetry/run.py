import os
import re
import shutil

from common import (idemp_mkdir, invoke_main, process_cpu_telemetry, process_gpu_telemetry, render_exception, sort_data,
                    write_status)
from dashboard_info import DashboardInfo
from plot_util import PlotBuilder, PlotType, UnitType


def number_of(value):
    return float(re.sub('[^0-9+.e-]', '', value))


def draw(info, exp, kind, processed):
    timestamp, *series = processed
    folder = os.path.join(info.subsys_telemetry_dir(exp), 'graph', timestamp, kind)
    shown = os.path.join(info.exp_graph_dir(exp), kind + '_telemetry')
    idemp_mkdir(shown)
    for group, name, unit, rows in series:
        x = [int(elapsed) for elapsed, _ in rows]
        y = [number_of(value) for _, value in rows if value.lower() not in ('alarm', 'n/a')]
        filename = '{}-{}.png'.format(name, timestamp)
        (PlotBuilder().set_title('{} of {}'.format(name, group)).set_x_label('Elapsed (s)')
         .set_y_label('{} ({})'.format(name, unit) if unit else name).set_unit_type(UnitType.COMPARATIVE)
         .make(PlotType.LONGITUDINAL, {'meta': ['Elapsed (s)', name], 'raw': {'x': x, 'y': y}})
         .save(folder, filename))
        shutil.copy(os.path.join(folder, filename), os.path.join(shown, name + '.png'))


def main(config_dir, home_dir, output_dir):
    info = DashboardInfo(home_dir)
    for exp in info.all_present_experiments():
        run = info.exp_stage_status(exp, 'run')
        if not (info.exp_active(exp) and info.exp_stage_status(exp, 'analysis')['success'] and run['success']):
            continue
        if not os.path.isdir(info.subsys_telemetry_dir(exp)):
            write_status(output_dir, False, 'No telemetry data found')
            return 1
        try:
            if run['run_cpu_telemetry']:
                draw(info, exp, 'cpu', process_cpu_telemetry(sort_data(info.exp_cpu_telemetry(exp))[-1]))
            if run['run_gpu_telemetry']:
                draw(info, exp, 'gpu', process_gpu_telemetry(sort_data(info.exp_gpu_telemetry(exp))[-1]))
        except Exception as e:
            write_status(output_dir, False, 'Encountered err while generating graphs: ' + render_exception(e))
            return 1
        write_status(output_dir, True, 'success')
    return 0


if __name__ == '__main__':
    invoke_main(main, 'config_dir', 'home_dir', 'output_dir')
