from exp_templates import analysis_template
from validate_config import validate_config


def generate_listing_settings(config):
    listings = {'Relay': ('relay', {}), 'TF': ('tf', {'xla': False})}
    if config['use_xla']:
        listings['TF XLA'] = ('tf', {'xla': True})
    return listings


def generate_data_query(config, dev, network, settings):
    framework, more = settings
    return [framework, 'cnn_comp', config['n_inputs'], ['network', 'device', 'batch_size'] + list(more),
            {'network': network, 'device': dev, 'batch_size': 1, **more}]


if __name__ == '__main__':
    analysis_template(validate_config, generate_listing_settings, generate_data_query)
