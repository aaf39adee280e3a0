from exp_templates import generate_graphs_by_dev, visualize_template
from plot_util import PlotBuilder, PlotType
from validate_config import validate_config


def compare(dev, data, output_dir):
    (PlotBuilder().set_title('TreeLSTM on {}'.format(dev.upper())).set_x_label('Framework').set_y_label('Time (ms)')
     .make(PlotType.BAR, {'meta': ['Framework', 'Time (ms)'], 'raw': data}).save(output_dir, 'treelstm-{}.png'.format(dev)))


if __name__ == '__main__':
    visualize_template(validate_config, generate_graphs_by_dev(compare))
