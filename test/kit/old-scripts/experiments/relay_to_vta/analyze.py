import csv
import os

from common import invoke_main, write_json, write_status


def main(config_dir, data_dir, output_dir):
    with open(os.path.join(data_dir, 'vta.csv'), newline='') as file:
        data = {row['target']: {'ResNet-18': float(row['seconds'])} for row in csv.DictReader(file)}
    write_json(output_dir, 'data.json', data)
    write_status(output_dir, True, 'success')


if __name__ == '__main__':
    invoke_main(main, 'config_dir', 'data_dir', 'output_dir')
