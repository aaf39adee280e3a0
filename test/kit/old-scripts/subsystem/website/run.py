import json
import os
import shutil

from common import idemp_mkdir, invoke_main, prepare_out_file, sort_data, write_status
from dashboard_info import DashboardInfo


def heading(level, text, color=''):
    style = 'background-color: white;' + color
    return '<h{0} style="{1}">{2}</h{0}>\n'.format(level, style, text)


def copy_data(info, output_dir):
    for exp in info.all_present_experiments():
        if info.exp_active(exp) and info.exp_stage_status(exp, 'analysis')['success']:
            entries = list(reversed(sort_data(info.exp_data_dir(exp))))
            with open(prepare_out_file(os.path.join(output_dir, 'data'), exp + '.json'), 'w') as file:
                json.dump(entries, file, indent=1)


def copy_graphs(info, output_dir):
    graphs = os.path.join(output_dir, 'graph')
    shutil.rmtree(graphs, ignore_errors=True)
    shutil.copytree(info.exp_graphs, graphs)
    scores = {}
    if 'score' in info.all_present_subsystems() and info.subsys_active('score') \
            and info.subsys_stage_status('score', 'run')['success']:
        scores = info.read_subsys_config('score').get('score_confs', {})
        for metric in scores:
            source = os.path.join(info.subsys_output_dir('score'), 'graphs', metric)
            if os.path.isdir(source):
                shutil.copytree(source, os.path.join(graphs, metric))
    return graphs, scores


def graph_page(info, output_dir, graphs, scores):
    page = ''
    for folder, _, files in os.walk(graphs):
        relative = '' if folder == graphs else os.path.relpath(folder, graphs)
        text = relative
        if relative in scores:
            text = scores[relative].get('title', relative)
        elif relative and relative in info.all_present_experiments():
            config = info.read_exp_config(relative)
            if 'title' in config:
                text = '<a href="./data/{}.json">{}</a>'.format(relative, config['title'])
        page += heading(max(2, min(len(relative.split(os.sep)), 6)), text)
        for name in sorted(files):
            if name.endswith('.png'):
                page += '<img src="./{}" style="height: 400px">\n'.format(
                    os.path.relpath(os.path.join(folder, name), output_dir))
    return page


def countdowns(info):
    if 'deadline' not in info.all_present_subsystems() or not info.subsys_config_valid('deadline'):
        return '', ''
    deadlines = info.read_subsys_config('deadline').get('deadlines', {})
    heads = ''.join(heading(2, '{0}: <span id="{0}"></span>'.format(name), ' color: red;') for name in deadlines)
    calls = ''.join('install_countdown("{}", new Date("{}").getTime())\n'.format(name, entry['date'])
                    for name, entry in deadlines.items())
    return heads, calls


def main(config_dir, home_dir, output_dir):
    info = DashboardInfo(home_dir)
    idemp_mkdir(output_dir)
    copy_data(info, output_dir)
    graphs, scores = copy_graphs(info, output_dir)
    heads, calls = countdowns(info)
    with open(os.path.join(output_dir, 'index.html'), 'w') as file:
        file.write('<html><body>\n' + heading(1, 'TVM Relay Dashboard') + heads)
        file.write(graph_page(info, output_dir, graphs, scores))
        file.write('<script>\n' + calls + '</script>\n</body></html>\n')
    write_status(output_dir, True, 'success')


if __name__ == '__main__':
    invoke_main(main, 'config_dir', 'home_dir', 'output_dir')
