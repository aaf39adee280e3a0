import { numberOption } from '../../executors/cli/place-options.ts';
import { type CommandModule, EXIT, flag } from '../../platform/cli/command.ts';
import { textTable } from '../../platform/cli/text-table.ts';
import { formatNumber, plainly } from '../../platform/core/text/numbers.ts';
import { safeJson, visible } from '../../platform/core/text/terminal-text.ts';
import { compareCodePoints } from '../../platform/core/text/text-order.ts';
import { totalTimings } from '../core/shown-job.ts';
import { findJob } from './job-selector.ts';
import { declareQueue, withJobs } from './open-queue.ts';

const EXAMPLES = `
What a script reported with log_runtime: the mean of each event, how often it was, and both multiplied. Several workers are taken
together, each with as much weight as it has instances.

Examples:
  nightmark job timings 3f9a1c
  nightmark job timings 3f9a1c -w 1       of one worker`;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<id>', 'id of a job, or any part that only it has')
      .option('-w, --worker <n>', 'only this worker')
      .option('--json', 'print them as JSON');
    declareQueue(parser);
    parser.addHelpText('after', EXAMPLES);
  },

  run([part = ''], options, context) {
    return withJobs(options, context, async ({ queue }) => {
      const { timings } = await findJob(part, queue);
      const worker = numberOption(options, 'worker');
      const chosen = timings.filter(({ rank }) => worker === undefined || rank === worker);
      const { stdout, stderr } = context;
      if (flag(options, 'json')) stdout.write(`${safeJson(chosen)}\n`);
      else if (chosen.length === 0)
        stderr.write(
          worker === undefined ? 'It reported no timings.\n' : `Worker ${worker} reported no timings.\n`,
        );
      else stdout.write(`${timingsTable(totalTimings(chosen)).join('\n')}\n`);
      return EXIT.fine;
    });
  },
};

export default command;

function timingsTable(totals: ReturnType<typeof totalTimings>): readonly string[] {
  const seconds = (value: number) => plainly(formatNumber(value, 's'));
  // The most expensive first: that is what people need.
  const rows = [...totals]
    .sort((a, b) => b.total - a.total || compareCodePoints(a.event, b.event))
    .map(({ event, mean, instances, total }) => [
      visible(event),
      seconds(mean),
      plainly(formatNumber(instances)),
      seconds(total),
    ]);
  return textTable([['event', 'mean', 'instances', 'time'], ...rows], { isRight: [false, true, true, true] });
}
