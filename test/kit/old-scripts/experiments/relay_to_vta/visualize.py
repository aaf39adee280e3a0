from common import invoke_main, render_exception, sort_data, write_status
from plot_util import PlotBuilder, PlotScale, PlotType, UnitType, generate_longitudinal_comparisons


def main(config_dir, data_dir, output_dir):
    try:
        data = sort_data(data_dir)
        generate_longitudinal_comparisons(data, output_dir)
        raw = {target: data[-1][target]['ResNet-18'] for target in ('sim', 'pynq')}
        (PlotBuilder().set_title('ResNet-18 on VTA').set_x_label('Target').set_y_label('Time (ms)')
         .set_y_scale(PlotScale.LINEAR).set_unit_type(UnitType.SECONDS)
         .make(PlotType.BAR, {'meta': ['Target', 'Time (ms)'], 'raw': raw}).save(output_dir, 'vta.png'))
    except Exception as e:
        write_status(output_dir, False, 'Exception encountered:\n' + render_exception(e))
        return 1
    write_status(output_dir, True, 'success')
    return 0


if __name__ == '__main__':
    invoke_main(main, 'config_dir', 'data_dir', 'output_dir')
