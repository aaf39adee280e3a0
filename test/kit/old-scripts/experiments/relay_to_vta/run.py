import csv

from common import invoke_main, prepare_out_file, read_config, write_status


def main(config_dir, output_dir):
    config = read_config(config_dir)
    with open(prepare_out_file(output_dir, 'vta.csv'), 'w', newline='') as file:
        writer = csv.writer(file)
        writer.writerow(['target', 'seconds'])
        for i, target in enumerate(config['targets']):
            writer.writerow([target, 1.5 + i])
    write_status(output_dir, True, 'success')


if __name__ == '__main__':
    invoke_main(main, 'config_dir', 'output_dir')
