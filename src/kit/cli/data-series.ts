import type { LineFile } from '../../charts/core/file/chart-file.ts';
import { type CommandModule, EXIT, flag, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { type DataValue, seriesAt, timestampMs } from '../core/data-series.ts';
import { writeChart } from '../write-chart.ts';
import { dataOf } from './kit-options.ts';

/** nightmark data series EXPERIMENT KEY...: one number over the nights, oldest first. */
const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<experiment>', 'its name, or a folder with data files (with a "/")')
      .argument('<key...>', 'path to the number')
      .option('--home <dir>', 'the home; default: $NIGHTMARK_HOME, else the current folder')
      .option('--chart <file>', 'draw it too: FILE.png or FILE.svg')
      .option('--unit <unit>', 'of the values, for the chart', 's')
      .option('--json', 'print [{"timestamp", "value"}]')
      .addHelpText(
        'after',
        '\nExamples:\n  nightmark data series sorting quick 1000\n  nightmark data series "$2/" quick --chart "$3/quick.png"\n\nPrints a line for each night: its name, a tab, the value.',
      );
  },
  async run([experiment = '', ...path], options, context) {
    const values = seriesAt(dataOf(experiment, options, context), path);
    if (values.length === 0) {
      throw new NightmarkError(
        'KIT_NO_DATA',
        `No night of ${experiment} has a number at ${path.join(' ')}.`,
        {
          hint: `nightmark data get ${experiment} shows what there is.`,
        },
      );
    }
    const chart = textOption(options, 'chart');
    if (chart !== undefined) {
      await writeChart(
        resolvePath(context.cwd, chart),
        chartOf(values, path, textOption(options, 'unit') ?? 's'),
      );
    }
    const lines = values.map(({ timestamp, value }) => `${timestamp}\t${value}\n`);
    context.stdout.write(flag(options, 'json') ? `${JSON.stringify(values)}\n` : lines.join(''));
    return EXIT.fine;
  },
};

export default command;

function chartOf(values: readonly DataValue[], path: readonly string[], unit: string): LineFile {
  return {
    chart: 'line',
    title: `(${path.join(', ')}) over Time`,
    xTitle: 'Date of Run',
    yTitle: 'Value',
    unit,
    series: [
      {
        x: values.map(({ timestamp }) => new Date(timestampMs(timestamp)).toISOString().slice(0, 16)),
        y: values.map(({ value }) => value),
      },
    ],
  };
}
