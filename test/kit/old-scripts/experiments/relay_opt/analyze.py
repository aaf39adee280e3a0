from exp_templates import analysis_template
from validate_config import validate_config

if __name__ == '__main__':
    analysis_template(validate_config, lambda config: {'O{}'.format(level): level for level in config['opt_levels']},
                      lambda config, dev, network, level: ['relay', 'opt_comparison', config['n_inputs'],
                                                           ['network', 'device', 'opt_level'],
                                                           {'network': network, 'device': dev, 'opt_level': level}])
