from check_prerequisites import check_prerequisites
from common import invoke_main, render_exception, sort_data, write_status
from dashboard_info import DashboardInfo
from plot_util import PlotBuilder, PlotScale, PlotType

NEEDED = {'cnn_comp': {'devices': ['gpu'], 'use_xla': True}}


def main(config_dir, home_dir, output_dir):
    info = DashboardInfo(home_dir)
    ok, msg = check_prerequisites(info, NEEDED)
    if not ok:
        write_status(output_dir, False, msg)
        return 1
    try:
        times = sort_data(info.exp_data_dir('cnn_comp'))[-1]['gpu']
        (PlotBuilder().set_title('Vision on GPU').set_x_label('Network').set_y_label('Mean Inference Time (ms)')
         .set_y_scale(PlotScale.LOG).make(PlotType.MULTI_BAR, {'meta': ['Framework', 'Network', 'ms'], 'raw': times})
         .save(output_dir, 'vision-comp-gpu.png'))
    except Exception as e:
        write_status(output_dir, False, 'Exception encountered:\n' + render_exception(e))
        return 1
    write_status(output_dir, True, 'success')
    return 0


if __name__ == '__main__':
    invoke_main(main, 'config_dir', 'home_dir', 'output_dir')
