"""The stages of an experiment that times trials over devices, listings and networks. Each is one call:

    from exp_templates import analysis_template
    from validate_config import validate_config

    analysis_template(validate_config, generate_listing_settings, generate_data_query)

validate_config(config_dir) gives (config, '') or (None, what is wrong). Options come from the command line.
"""

import os

from analysis_util import add_detailed_summary, trials_stat_summary
from nightmark_charts import drawn_together
from common import invoke_main, render_exception, sort_data, time_difference, write_json, write_status
from plot_util import PlotBuilder, PlotScale, PlotType, UnitType, generate_longitudinal_comparisons
from summary_util import write_generic_summary
from trial_util import configure_seed, run_trials

__all__ = ['run_template', 'common_trial_params', 'common_early_exit', 'analysis_template', 'visualize_template',
           'summarize_template', 'generate_graphs_by_dev', 'common_individual_comparison']

NETWORK_TITLES = {'nature-dqn': 'Nature DQN', 'vgg-16': 'VGG-16', 'resnet-18': 'ResNet-18', 'mobilenet': 'MobileNet'}


def run_template(validate_config, check_early_exit=None, gen_trial_params=None):
    """The run stage (--config-dir, --output-dir): times what gen_trial_params(config) says, see common_trial_params.

    check_early_exit(config) -> (True, why) ends it with success and without a trial."""
    def main(config_dir, output_dir):
        try:
            config, message = validate_config(config_dir)
            if config is None:
                return _finish(output_dir, False, message)
            if check_early_exit is not None:
                is_over, message = check_early_exit(config)
                if is_over:
                    return _finish(output_dir, True, message)
            configure_seed(config)
            if gen_trial_params is None:
                return _finish(output_dir, True, 'No trial to run')
            return _finish(output_dir, *run_trials(*gen_trial_params(config), path_prefix=output_dir))
        except Exception as e:
            return _finish(output_dir, False, render_exception(e))

    invoke_main(main, 'config_dir', 'output_dir')


def common_trial_params(fw, exp_name, trial_func, trial_setup, trial_teardown, fieldnames, conf_keys):
    """A function of the config that gives the arguments of run_trials: fieldnames are the columns, conf_keys the
    fields of the config with their values. dry_run, n_times_per_input and n_inputs come from the config."""
    def generate(config):
        counts = [_field(config, key) for key in ('dry_run', 'n_times_per_input', 'n_inputs')]
        ranges = [_as_range(_field(config, key)) for key in conf_keys]
        return [fw, exp_name, *counts, trial_func, trial_setup, trial_teardown, fieldnames, ranges]

    return generate


def common_early_exit(conf_values):
    """A function of the config that ends the run unless config[field] holds the value, for {field: value}."""
    def check(config):
        for field, value in conf_values.items():
            if value not in _field(config, field):
                return True, '{} not in config {}'.format(value, field)
        return False, ''

    return check


def analysis_template(validate_config, generate_listing_settings, generate_data_query, use_networks=True):
    """The analyze stage (--data-dir, --config-dir, --output-dir): data.json with the mean of each listing.

    generate_listing_settings(config) -> {listing: settings}; generate_data_query(config, dev, [network,] settings) ->
    [framework, task, number of reps, names of the columns, {column: value to match}]."""
    def main(data_dir, config_dir, output_dir):
        try:
            config, message = validate_config(config_dir)
            if config is None:
                return _finish(output_dir, False, message)
            report, message = _analyze(data_dir, config, generate_listing_settings(config), generate_data_query,
                                       use_networks)
            if report is None:
                return _finish(output_dir, False, message)
            write_json(output_dir, 'data.json', report)
            return _finish(output_dir, True, 'success')
        except Exception as e:
            return _finish(output_dir, False, render_exception(e))

    invoke_main(main, 'data_dir', 'config_dir', 'output_dir')


def visualize_template(validate_config, generate_individual_comparisons):
    """The visualize stage (the same options): the history of all time and of two weeks, and the graphs that
    generate_individual_comparisons(config, newest data, output_dir) makes. They are drawn together at the end."""
    def main(data_dir, config_dir, output_dir):
        try:
            config, message = validate_config(config_dir)
            if config is None:
                return _finish(output_dir, False, message)
            entries = sort_data(data_dir)
            if not entries:
                raise ValueError('there is no data in {}'.format(data_dir))
            newest = entries[-1]
            with drawn_together():
                generate_longitudinal_comparisons(entries, output_dir, 'all_time')
                recent = [entry for entry in entries if time_difference(newest, entry).days < 14]
                generate_longitudinal_comparisons(recent, output_dir, 'two_weeks')
                generate_individual_comparisons(config, newest, output_dir)
            return _finish(output_dir, True, 'success')
        except Exception as e:
            return _finish(output_dir, False, 'Exception encountered:\n' + render_exception(e))

    invoke_main(main, 'data_dir', 'config_dir', 'output_dir')


def summarize_template(validate_config, use_networks=True):
    """The summarize stage (the same options): the newest means in milliseconds. The status reports failures, not
    the exit code."""
    def main(data_dir, config_dir, output_dir):
        try:
            config, message = validate_config(config_dir)
            if config is None:
                return _finish(output_dir, False, message)
            title = config.get('title', os.path.basename(os.path.abspath(config_dir)))
            networks = _field(config, 'networks') if use_networks else None
            write_generic_summary(data_dir, output_dir, title, _field(config, 'devices'), networks, use_networks)
        except Exception as e:
            write_status(output_dir, False, 'Exception encountered:\n' + render_exception(e))
        return 0

    invoke_main(main, 'data_dir', 'config_dir', 'output_dir')


def generate_graphs_by_dev(visualize):
    """A function for visualize_template that calls visualize(dev, data of it, folder) for each device with data."""
    def generate(config, raw_data, output_dir):
        for dev in _field(config, 'devices'):
            if dev in raw_data:
                visualize(dev, raw_data[dev], os.path.join(output_dir, 'comparison'))

    return generate


def common_individual_comparison(x_name, title_stem, filename_stem, scale=PlotScale.LOG, use_networks=True,
                                 cnn_name_map=True):
    """A function for visualize_template: bars of the listings, for each device <filename_stem>-<dev>.png."""
    def visualize(dev, raw_data, output_dir):
        # A listing without any network has no bars.
        data = {listing: raw_data[listing] for listing in sorted(raw_data) if raw_data[listing] != {}}
        if not data:
            return
        y_name = 'Mean Inference Time (ms)'
        builder = (PlotBuilder().set_title('{} on {}'.format(title_stem, dev.upper())).set_y_label(y_name)
                   .set_y_scale(scale).set_unit_type(UnitType.SECONDS))
        if use_networks:
            titles = NETWORK_TITLES if cnn_name_map else {}
            data = {listing: {titles.get(network, network): seconds for network, seconds in times.items()}
                    for listing, times in data.items()}
            builder.set_x_label('Network').set_figure_height(3.0).set_aspect_ratio(3.3).set_sig_figs(3)
            builder.make(PlotType.MULTI_BAR, {'meta': [x_name, 'Network', y_name], 'raw': data})
        else:
            builder.set_x_label(x_name).make(PlotType.BAR, {'meta': [x_name, y_name], 'raw': data})
        builder.save(output_dir, '{}-{}.png'.format(filename_stem, dev))

    return generate_graphs_by_dev(visualize)


def _finish(output_dir, success, message):
    write_status(output_dir, success, message)
    return 0 if success else 1


def _field(config, name):
    if name not in config:
        raise KeyError('the config has no field {}'.format(name))
    return config[name]


def _as_range(value):
    """A single value, a text too, is a range of one."""
    return [value] if isinstance(value, str) or not hasattr(value, '__iter__') else value


def _analyze(data_dir, config, listings, generate_data_query, use_networks):
    """(the report, '') or (None, what the first query that failed says)."""
    report = {}
    for dev in _field(config, 'devices'):
        report[dev] = {}
        for listing, settings in listings.items():
            if use_networks:
                report[dev][listing] = {}
            for network in _field(config, 'networks') if use_networks else [None]:
                where = [network] if use_networks else []
                query = generate_data_query(config, dev, *where, settings)
                summary, success, message = trials_stat_summary(data_dir, *query)
                if not success:
                    return None, message
                if use_networks:
                    report[dev][listing][network] = summary['mean']
                else:
                    report[dev][listing] = summary['mean']
                add_detailed_summary(report, summary, dev, listing, *where)
    return report, ''
