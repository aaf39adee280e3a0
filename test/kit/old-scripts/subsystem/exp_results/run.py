import os
import textwrap

from common import invoke_main, read_config, write_status
from dashboard_info import DashboardInfo
from slack import WebClient
from slack_util import (build_attachment, build_field, build_message, generate_ping_list, new_client, post_message,
                        upload_image)


def failure(info, exp, title, stage, status, config):
    value = 'Failed at stage {}:\n{}'.format(stage, textwrap.shorten(status['message'], width=280))
    run = info.exp_stage_status(exp, 'run')
    if 'time_delta' in run:
        value += '\nTime to failure: {}'.format(run['time_delta'])
    if config is not None:
        value += '\nATTN: {}'.format(generate_ping_list(config['notify']))
    return build_field(title=title, value=value)


def success(info, exp):
    summary = info.read_exp_summary(exp)
    took = info.exp_stage_status(exp, 'run')['time_delta']
    return build_field(title=summary['title'], value='_Duration: {}_\n\n{}'.format(took, summary['value']))


def gather(info):
    worked, failed, inactive, not_drawn = [], [], [], []
    for exp in info.all_present_experiments():
        statuses = info.exp_stage_statuses(exp)
        if not info.exp_config_valid(exp):
            failed.append(failure(info, exp, exp, 'precheck', statuses['precheck'], None))
            continue
        config = info.read_exp_config(exp)
        title = config.get('title', exp)
        if not info.exp_active(exp):
            inactive.append(title)
            continue
        broken = [stage for stage, status in statuses.items() if not status['success'] and stage != 'visualization']
        if broken:
            failed.append(failure(info, exp, title, broken[0], statuses[broken[0]], config))
            continue
        worked.append(success(info, exp))
        if not statuses['visualization']['success']:
            not_drawn.append(title)
    return worked, failed, inactive, not_drawn


def post_images(info, client, channel):
    assert isinstance(client, WebClient)
    for folder, _, files in os.walk(info.exp_graphs):
        images = [name for name in sorted(files) if name.endswith(('.png', '.jpg'))]
        if not images:
            continue
        ok, responses, msg = post_message(client, channel,
                                          build_message(text='Graphs of {}'.format(os.path.basename(folder))))
        if not ok:
            return False, msg
        for response in responses:
            for name in images:
                ok, _, msg = upload_image(client, response.data['channel'], os.path.join(folder, name), name,
                                          thread_ts=response.data['ts'])
                if not ok:
                    return False, msg
    return True, 'success'


def main(config_dir, home_dir, output_dir):
    config = read_config(config_dir)
    info = DashboardInfo(home_dir)
    ok, msg, client = new_client(config)
    if not ok:
        write_status(output_dir, False, msg)
        return 1
    worked, failed, inactive, not_drawn = gather(info)
    attachments = []
    if worked:
        attachments.append(build_attachment(title='Successful benchmarks', fields=worked))
    if failed:
        attachments.append(build_attachment(title='Failed benchmarks', fields=failed, color='#fa0000'))
    if inactive:
        attachments.append(build_attachment(title='Inactive benchmarks', text=', '.join(inactive), color='#616161'))
    if not_drawn:
        attachments.append(build_attachment(title='Failed to Visualize', text=', '.join(not_drawn), color='#fa0000'))
    text = '*Dashboard Results*'
    if 'description' in config:
        text += '\n' + config['description']
    ok, _, msg = post_message(client, config['channel_id'], build_message(text=text, attachments=attachments))
    if ok and config.get('report_images', False):
        ok, msg = post_images(info, client, config['channel_id'])
    write_status(output_dir, ok, msg)
    return 0 if ok else 1


if __name__ == '__main__':
    invoke_main(main, 'config_dir', 'home_dir', 'output_dir')
