from exp_templates import analysis_template
from validate_config import validate_config


def generate_listing_settings(config):
    listings = {}
    if 'pt' in config['frameworks']:
        listings['Pytorch'] = ('pt', None)
    if 'relay' in config['frameworks']:
        for method in config['relay_methods']:
            listings[method.capitalize()] = ('relay', method)
    return listings


def generate_data_query(config, dev, settings):
    framework, method = settings
    names, values = ['device'], {'device': dev}
    if method is not None:
        names = ['device', 'configuration', 'method']
        values = {'device': dev, 'configuration': 'loop', 'method': method}
    return [framework, 'char_rnn', config['n_inputs'], names, values]


if __name__ == '__main__':
    analysis_template(validate_config, generate_listing_settings, generate_data_query, use_networks=False)
