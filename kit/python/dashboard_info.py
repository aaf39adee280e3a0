"""Where everything of a home lies, and what the stages of this night left there.

    from dashboard_info import DashboardInfo

    info = DashboardInfo(home_dir)
    for name in info.all_present_experiments():
        print(name, info.exp_stage_statuses(name))
"""

import enum
import os

from common import check_file_exists, read_config, read_json, write_json

__all__ = ['DashboardInfo', 'SystemType', 'InfoType']


class SystemType(enum.Enum):
    """What a home holds."""
    exp = 'experiments'
    subsys = 'subsystem'


class InfoType(enum.Enum):
    """What it holds of each."""
    config = 'config'
    results = 'results'


class DashboardInfo:
    """The folders of a home as attributes, those of an experiment or a subsystem as functions of its name."""

    def __init__(self, home_dir):
        self.home_dir = home_dir
        self.exp_configs = self._folder(InfoType.config, SystemType.exp)
        self.subsys_configs = self._folder(InfoType.config, SystemType.subsys)
        self.exp_data = self._folder(InfoType.results, SystemType.exp, 'data')
        self.exp_statuses = self._folder(InfoType.results, SystemType.exp, 'status')
        self.exp_graphs = self._folder(InfoType.results, SystemType.exp, 'graph')
        self.exp_summaries = self._folder(InfoType.results, SystemType.exp, 'summary')
        self.subsys_statuses = self._folder(InfoType.results, SystemType.subsys, 'status')
        self.subsys_output = self._folder(InfoType.results, SystemType.subsys, 'output')
        self.subsys_telemetry = self._folder(InfoType.results, SystemType.subsys, 'telemetry')

    def _folder(self, info_type, system_type, *rest):
        return os.path.join(self.home_dir, info_type.value, system_type.value, *rest)

    def all_experiment_dirs(self):
        return [self.exp_configs, self.exp_data, self.exp_graphs, self.exp_summaries, self.exp_statuses]

    def all_subsystem_dirs(self):
        return [self.subsys_configs, self.subsys_output, self.subsys_statuses]

    def exp_config_dir(self, exp_name):
        return os.path.join(self.exp_configs, exp_name)

    def exp_data_dir(self, exp_name):
        return os.path.join(self.exp_data, exp_name)

    def exp_status_dir(self, exp_name):
        return os.path.join(self.exp_statuses, exp_name)

    def exp_graph_dir(self, exp_name):
        return os.path.join(self.exp_graphs, exp_name)

    def exp_summary_dir(self, exp_name):
        return os.path.join(self.exp_summaries, exp_name)

    def exp_cpu_telemetry(self, exp_name):
        return os.path.join(self.subsys_telemetry_dir(exp_name), 'cpu')

    def exp_gpu_telemetry(self, exp_name):
        return os.path.join(self.subsys_telemetry_dir(exp_name), 'gpu')

    def subsys_config_dir(self, subsys_name):
        return os.path.join(self.subsys_configs, subsys_name)

    def subsys_status_dir(self, subsys_name):
        return os.path.join(self.subsys_statuses, subsys_name)

    def subsys_output_dir(self, subsys_name):
        return os.path.join(self.subsys_output, subsys_name)

    def subsys_telemetry_dir(self, name):
        return os.path.join(self.subsys_telemetry, name)

    def read_exp_config(self, exp_name):
        return read_config(self.exp_config_dir(exp_name))

    def read_subsys_config(self, subsys_name):
        return read_config(self.subsys_config_dir(subsys_name))

    def read_exp_summary(self, exp_name):
        return read_json(self.exp_summary_dir(exp_name), 'summary.json')

    def exp_stage_status(self, exp_name, stage):
        """The status of a stage of this night, or a failed status if it cannot be read."""
        return _stage_status(self.exp_status_dir(exp_name), stage)

    def subsys_stage_status(self, subsys_name, stage):
        return _stage_status(self.subsys_status_dir(subsys_name), stage)

    def exp_stage_statuses(self, exp_name):
        """The statuses of the stages in their order, up to the first that failed."""
        stages = ['precheck']
        if self.exp_active(exp_name):
            if check_file_exists(self.exp_status_dir(exp_name), 'setup.json'):
                stages.append('setup')
            stages += ['run', 'analysis', 'summary', 'visualization']
        statuses = {}
        for stage in stages:
            statuses[stage] = self.exp_stage_status(exp_name, stage)
            if not statuses[stage].get('success'):
                break
        return statuses

    def subsys_stage_statuses(self, subsys_name):
        stages = ['precheck', 'run'] if self.subsys_active(subsys_name) else ['precheck']
        return {stage: self.subsys_stage_status(subsys_name, stage) for stage in stages}

    def exp_config_valid(self, exp_name):
        return self.exp_stage_status(exp_name, 'precheck').get('success', False)

    def subsys_config_valid(self, subsys_name):
        return self.subsys_stage_status(subsys_name, 'precheck').get('success', False)

    def exp_active(self, exp_name):
        return self.exp_config_valid(exp_name) and _is_active(self.read_exp_config, exp_name)

    def subsys_active(self, subsys_name):
        return self.subsys_config_valid(subsys_name) and _is_active(self.read_subsys_config, subsys_name)

    def report_exp_status(self, exp_name, stage, status):
        write_json(self.exp_status_dir(exp_name), stage + '.json', status)

    def report_subsys_status(self, subsys_name, stage, status):
        write_json(self.subsys_status_dir(subsys_name), stage + '.json', status)

    def all_present_experiments(self):
        """The names of all experiments that have a config folder."""
        return _folders_in(self.exp_configs)

    def all_present_subsystems(self):
        return _folders_in(self.subsys_configs)


def _stage_status(folder, stage):
    filename = stage + '.json'
    if not check_file_exists(folder, filename):
        return {'success': False, 'message': stage + ' stage status missing'}
    try:
        status = read_json(folder, filename)
    except (ValueError, RecursionError):
        status = None
    if not isinstance(status, dict):
        return {'success': False, 'message': 'Failed to parse {} stage status'.format(stage)}
    return status


def _is_active(read, name):
    # One config that was broken after its precheck must not end a report of all.
    try:
        config = read(name)
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(config, dict) and config.get('active', False)


def _folders_in(folder):
    folder = os.path.expanduser(folder)
    if not os.path.isdir(folder):
        return []
    return sorted(name for name in os.listdir(folder) if os.path.isdir(os.path.join(folder, name)))
