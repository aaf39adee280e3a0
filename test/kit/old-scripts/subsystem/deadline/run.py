from datetime import datetime

from common import invoke_main, read_config, write_status
from slack_util import (build_attachment, build_field, build_message, generate_ping_list, new_client, post_message)

DATE = '%Y-%m-%d %H:%M:%S'
SOON = 7


def attachment(name, entry):
    if 'date' not in entry:
        return None, 'Date missing in entry {} under {}'.format(entry, name)
    try:
        date = datetime.strptime(entry['date'], DATE)
    except ValueError:
        return None, 'Could not parse date {}'.format(entry['date'])
    left = date - datetime.now()
    if left.days < 0:
        return None, ''
    is_soon = left.days <= SOON
    fields = [build_field(value='{} days, {:.2f} hours left'.format(left.days, left.seconds / 3600))]
    if is_soon and 'ping' in entry:
        fields.append(build_field(value='Beware {}!'.format(generate_ping_list(entry['ping']))))
    return build_attachment(title=name, text='Deadline: {}'.format(entry['date']), fields=fields,
                            color='#fa0000' if is_soon else '#0fbf24'), ''


def main(config_dir, home_dir, output_dir):
    config = read_config(config_dir)
    if 'channel_id' not in config:
        write_status(output_dir, False, 'No channel token given')
        return 1
    success, msg, client = new_client(config)
    if not success:
        write_status(output_dir, False, msg)
        return 1
    if 'deadlines' not in config:
        write_status(output_dir, True, 'No deadlines to report')
        return 0
    if not isinstance(config['deadlines'], dict):
        write_status(output_dir, False, 'Invalid deadlines structure')
        return 1
    attachments = []
    for name, entry in config['deadlines'].items():
        built, msg = attachment(name, entry)
        if msg:
            write_status(output_dir, False, msg)
            return 1
        if built is not None:
            attachments.append(built)
    if not attachments:
        write_status(output_dir, True, 'All deadlines elapsed')
        return 0
    success, _, msg = post_message(client, config['channel_id'],
                                   build_message(text='*Upcoming Deadlines*', attachments=attachments))
    write_status(output_dir, success, msg)
    return 0 if success else 1


if __name__ == '__main__':
    invoke_main(main, 'config_dir', 'home_dir', 'output_dir')
