from exp_templates import common_individual_comparison, visualize_template
from validate_config import validate_config

if __name__ == '__main__':
    visualize_template(validate_config, common_individual_comparison('Framework', 'CNN Comparison', 'cnns'))
