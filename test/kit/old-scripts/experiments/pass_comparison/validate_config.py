from common import read_config
from config_util import check_config

PASSES = {'FuseOps', 'FoldConstant', 'AlterOpLayout'}


def pass_cond():
    return (lambda spec: isinstance(spec, tuple) and isinstance(spec[0], int) and set(spec[1]) <= PASSES,
            'must be a pair of a level and passes')


def validate_config(config_dir):
    return check_config(read_config(config_dir), {'dry_run': 0, 'n_times_per_input': 1, 'n_inputs': 1},
                        conditions={'passes': pass_cond()})
