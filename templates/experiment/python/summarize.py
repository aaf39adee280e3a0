"""The newest night in words."""
from exp_templates import summarize_template
from validate_config import validate

if __name__ == '__main__':
    summarize_template(validate)
