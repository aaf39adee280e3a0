from exp_templates import analysis_template
from validate_config import validate_config


def generate_listing_settings(config):
    return {'MxNet': 'mxnet', 'Aot': 'relay'}


def generate_data_query(config, dev, network, framework):
    return [framework, 'gluon_rnns', config['n_inputs'], ['device', 'network'], {'device': dev, 'network': network}]


if __name__ == '__main__':
    analysis_template(validate_config, generate_listing_settings, generate_data_query)
