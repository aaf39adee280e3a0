"""The numbers of this night: a mean for each device, method and network."""
from exp_templates import analysis_template
from validate_config import validate


def listings(config):
    return {method: {'method': method} for method in config['methods']}


def query(config, dev, network, settings):
    match = {'device': dev, 'network': network, 'method': settings['method']}
    return ['python', 'sort', config['n_inputs'], ['device', 'network', 'method'], match]


if __name__ == '__main__':
    analysis_template(validate, listings, query)
