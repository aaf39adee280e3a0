from exp_templates import common_individual_comparison, visualize_template
from plot_util import PlotScale
from validate_config import validate_config

if __name__ == '__main__':
    visualize_template(validate_config, common_individual_comparison('Framework', 'Char RNN Comparison', 'char_rnns',
                                                                     scale=PlotScale.LINEAR, use_networks=False))
