import os

from common import sort_data
from plot_util import PlotBuilder, PlotType, UnitType, generate_longitudinal_comparisons


class RNNScore:
    def __init__(self, conf):
        self.speedup = conf.get('speedup', 2)
        self.title = conf.get('title', 'RNN Speedup Score')

    def prereqs(self):
        return {'gluon_rnns': {'frameworks': ['mxnet', 'relay'], 'relay_methods': ['aot'], 'relay_configs': ['loop']},
                'char_rnn': {'frameworks': ['pt', 'relay'], 'relay_methods': ['aot'], 'relay_configs': ['loop']},
                'treelstm': {'frameworks': ['pt', 'relay'], 'relay_methods': ['aot']}}

    def compute(self, info):
        newest = {exp: sort_data(info.exp_data_dir(exp))[-1]['cpu'] for exp in self.prereqs()}
        gluon = newest['gluon_rnns']
        ratios = [gluon['MxNet'][network] / gluon['Aot'][network]
                  for network in info.read_exp_config('gluon_rnns')['networks']]
        ratios += [newest[exp]['Pytorch'] / newest[exp]['Aot'] for exp in ('char_rnn', 'treelstm')]
        return {'Score': sum(1.0 for ratio in ratios if ratio >= self.speedup), 'Total': len(ratios)}

    def report(self, score):
        return '{}x speedup on NLP: {:.0f} of {} RNNs'.format(self.speedup, score['Score'], score['Total'])

    def graph(self, data, output_dir):
        newest = data[-1]
        builder = PlotBuilder().set_title(self.title).set_x_label('Metric').set_y_label('Fraction')
        raw = {'Score': newest['Score'] / newest['Total']}
        builder.make(PlotType.BAR, {'meta': ['Metric', 'Fraction'], 'raw': raw})
        builder.set_unit_type(UnitType.COMPARATIVE)
        builder.save(os.path.join(output_dir, 'comparison'), 'rnn_score.png')
        scores = [{'timestamp': entry['timestamp'], 'score': entry['Score']} for entry in data]
        for name in ('all_time', 'two_weeks'):
            generate_longitudinal_comparisons(scores, output_dir, name, 'Score', UnitType.COMPARATIVE)


METRICS = {'rnn_score': RNNScore}
