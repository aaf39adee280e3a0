from check_prerequisites import check_prerequisites
from common import invoke_main, render_exception, sort_data, write_status
from dashboard_info import DashboardInfo
from plot_util import PlotBuilder, PlotType, UnitType

NEEDED = {'relay_opt': {'devices': ['gpu'], 'opt_levels': [0, 1, 2, 3, 4]}}


def main(config_dir, home_dir, output_dir):
    info = DashboardInfo(home_dir)
    ok, msg = check_prerequisites(info, NEEDED)
    if not ok:
        write_status(output_dir, False, msg)
        return 1
    try:
        times = sort_data(info.exp_data_dir('relay_opt'))[-1]['gpu']
        speedups = {level: {network: times['O0'][network] / seconds for network, seconds in times[level].items()}
                    for level in ('O1', 'O2', 'O3', 'O4')}
        (PlotBuilder().set_title('Optimizations on GPU').set_x_label('Network').set_y_label('Speedup over O0')
         .set_unit_type(UnitType.COMPARATIVE).set_aspect_ratio(3.3).set_figure_height(3)
         .make(PlotType.MULTI_BAR, {'meta': ['Level', 'Network', 'Speedup over O0'], 'raw': speedups})
         .save(output_dir, 'opt-comp-gpu.png'))
    except Exception as e:
        write_status(output_dir, False, 'Exception encountered:\n' + render_exception(e))
        return 1
    write_status(output_dir, True, 'success')
    return 0


if __name__ == '__main__':
    invoke_main(main, 'config_dir', 'home_dir', 'output_dir')
