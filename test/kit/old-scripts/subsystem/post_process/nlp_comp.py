from check_prerequisites import check_prerequisites
from common import invoke_main, read_config, render_exception, sort_data, write_status
from dashboard_info import DashboardInfo
from plot_util import PlotBuilder, PlotScale, PlotType, UnitType

NEEDED = {'treelstm': {'devices': ['cpu']}, 'char_rnn': {'devices': ['cpu']}, 'gluon_rnns': {'devices': ['cpu']}}


def collect(info, ours):
    newest = {exp: sort_data(info.exp_data_dir(exp))[-1]['cpu'] for exp in NEEDED}
    data = {ours: {}, 'MxNet': {}, 'Pytorch': {}}
    for network, seconds in newest['gluon_rnns']['Aot'].items():
        data[ours][network.upper()] = seconds
        data['MxNet'][network.upper()] = newest['gluon_rnns']['MxNet'][network]
        data['Pytorch'][network.upper()] = 0.0
    for exp, name in (('char_rnn', 'CharRNN'), ('treelstm', 'TreeLSTM')):
        data[ours][name] = newest[exp]['Aot']
        data['MxNet'][name] = 0.0
        data['Pytorch'][name] = newest[exp]['Pytorch']
    return data


def close_gaps(ax):
    """Bars of zero take no room: those beside them move half a width, their labels with them."""
    labels = list(ax.texts)
    columns = list(zip(*[container.get_children() for container in ax.containers]))
    shifts = {}
    for column in columns:
        width = column[0].get_width()
        empty = [i for i, bar in enumerate(column) if bar.get_height() == 0]
        for i, bar in enumerate(column):
            moved = width / 2 if any(gap > i for gap in empty) else -width / 2
            if i not in empty:
                bar.set_x(bar.get_x() + moved)
                shifts[id(bar)] = moved
    for container in ax.containers:
        for bar in container.get_children():
            if bar.get_height() != 0:
                label = labels.pop(0)
                label.set_x(label.get_position()[0] + shifts[id(bar)])


def main(config_dir, home_dir, output_dir):
    info = DashboardInfo(home_dir)
    ok, msg = check_prerequisites(info, NEEDED)
    if not ok:
        write_status(output_dir, False, msg)
        return 1
    try:
        data = collect(info, read_config(config_dir).get('our_name', 'Relay'))
        builder = (PlotBuilder().set_title('NLP on CPU').set_x_label('Network').set_y_label('Mean Inference Time (ms)')
                   .set_y_scale(PlotScale.LOG).set_aspect_ratio(3.3).set_figure_height(3).set_sig_figs(3)
                   .set_bar_colors(['C1', 'C0', 'C2']).set_font_scale(1.2).set_unit_type(UnitType.SECONDS)
                   .make(PlotType.MULTI_BAR, {'meta': ['Framework', 'Network', 'Mean Inference Time (ms)'], 'raw': data}))
        close_gaps(builder.ax())
        builder.save(output_dir, 'nlp-comp-cpu.png')
    except Exception as e:
        write_status(output_dir, False, 'Exception encountered:\n' + render_exception(e))
        return 1
    write_status(output_dir, True, 'success')
    return 0


if __name__ == '__main__':
    invoke_main(main, 'config_dir', 'home_dir', 'output_dir')
