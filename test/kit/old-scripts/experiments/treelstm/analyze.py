from exp_templates import analysis_template
from validate_config import validate_config


def generate_listing_settings(config):
    return {'Pytorch': 'pt', 'Aot': 'relay'}


def generate_data_query(config, dev, framework):
    first = sorted(config['ranges'])[0]
    return [framework, 'treelstm', config['n_inputs'], ['device', 'dataset', 'range'],
            {'device': dev, 'dataset': config['dataset'], 'range': first}]


if __name__ == '__main__':
    analysis_template(validate_config, generate_listing_settings, generate_data_query, use_networks=False)
