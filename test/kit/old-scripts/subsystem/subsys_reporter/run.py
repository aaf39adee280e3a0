import textwrap

from common import check_file_exists, invoke_main, read_config, read_json, write_status
from dashboard_info import DashboardInfo
from slack_util import build_attachment, build_field, build_message, new_client, post_message


def main(config_dir, home_dir, output_dir):
    config = read_config(config_dir)
    info = DashboardInfo(home_dir)
    reports, failures = [], []
    for subsys in info.all_present_subsystems():
        if subsys == 'subsys_reporter' or not info.subsys_config_valid(subsys) or not info.subsys_active(subsys):
            continue
        status = info.subsys_stage_status(subsys, 'run')
        if not status['success']:
            failures.append(build_field(title=subsys, value='Failed to run:\n' + textwrap.shorten(status['message'], 280)))
        elif check_file_exists(info.subsys_output_dir(subsys), 'report.json'):
            report = read_json(info.subsys_output_dir(subsys), 'report.json')
            reports.append(build_field(title=report['title'], value=report['value']))
    attachments = []
    if reports:
        attachments.append(build_attachment(title='Reports', fields=reports))
    if failures:
        attachments.append(build_attachment(title='Errors', fields=failures, color='#fa0000'))
    if not attachments:
        write_status(output_dir, True, 'Nothing to report')
        return 0
    success, msg, client = new_client(config)
    if success:
        message = build_message(text='Subsystem Results', attachments=attachments)
        success, _, msg = post_message(client, config['channel_id'], message)
    write_status(output_dir, success, msg)
    return 0 if success else 1


if __name__ == '__main__':
    invoke_main(main, 'config_dir', 'home_dir', 'output_dir')
