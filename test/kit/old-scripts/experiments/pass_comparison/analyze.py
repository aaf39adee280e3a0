from exp_templates import analysis_template
from pass_names import name_of
from validate_config import validate_config

if __name__ == '__main__':
    analysis_template(validate_config, lambda config: {name_of(spec): name_of(spec) for spec in config['passes']},
                      lambda config, dev, network, passes: ['relay', 'pass_comparison', config['n_inputs'],
                                                            ['network', 'device', 'passes'],
                                                            {'network': network, 'device': dev, 'passes': passes}])
