from common import invoke_main, read_config, sort_data, write_status, write_summary


def main(config_dir, data_dir, output_dir):
    newest = sort_data(data_dir)[-1]
    lines = ['{}: {:.1f} s'.format(target, newest[target]['ResNet-18']) for target in read_config(config_dir)['targets']]
    write_summary(output_dir, read_config(config_dir)['title'], '\n'.join(lines))
    write_status(output_dir, True, 'success')


if __name__ == '__main__':
    invoke_main(main, 'config_dir', 'data_dir', 'output_dir')
