"""Graphs over all nights, and one that compares the methods of the newest."""
from exp_templates import common_individual_comparison, visualize_template
from validate_config import validate

if __name__ == '__main__':
    visualize_template(validate, common_individual_comparison('Method', 'Sorting', 'sorting'))
