from exp_templates import summarize_template
from validate_config import validate_config

if __name__ == '__main__':
    summarize_template(validate_config)
