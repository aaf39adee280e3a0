import { numberOption } from '../../executors/cli/place-options.ts';
import { type CommandModule, EXIT, flag, listOption, textOption } from '../../platform/cli/command.ts';
import type { JsonObject } from '../../platform/core/text/json.ts';
import { counted, plainly } from '../../platform/core/text/numbers.ts';
import { safeJson } from '../../platform/core/text/terminal-text.ts';
import { rerunJobs } from '../app/submit-jobs.ts';
import { parseSetting } from '../config/job-settings.ts';
import { setPath } from '../core/dotted-keys.ts';
import { shortId } from '../core/job.ts';
import { chosenJobs, declareSelector, wholeIds } from './job-selector.ts';
import { declareQueue, withJobs } from './open-queue.ts';
import { waitForJobs } from './wait-for-jobs.ts';

const EXAMPLES = `
A new job with the code, program, settings, resources and place of an old one, which stays as it is. It waits for what the
old one still waits for.

Examples:
  nightmark job rerun 3f9a1c
  nightmark job rerun 3f9a1c --set lr=0.01 --set optimizer.name=adam --priority 5
  nightmark job rerun --experiment sweep-7 --status FAILED`;

const command: CommandModule = {
  configure(parser) {
    declareSelector(parser);
    parser
      .option('--set <key=value...>', 'another value of a setting; dots lead into objects')
      .option('--as <name>', 'another name')
      .option('--priority <n>', 'another priority; the higher goes first')
      .option('--after <id...>', 'jobs that must have finished before')
      .option('--wait', 'wait until it has ended; exit code 4 when it did not finish')
      .option('--json', 'print the new ids as JSON');
    declareQueue(parser);
    parser.addHelpText('after', EXAMPLES);
  },

  run(words, options, context) {
    return withJobs(options, context, async (jobs) => {
      const { queue } = jobs;
      const settings = listOption(options, 'set').map(parseSetting);
      const chosen = await chosenJobs(words, options, jobs);
      const after = listOption(options, 'after');
      const name = textOption(options, 'as');
      const priority = numberOption(options, 'priority');
      const overrides = (old: JsonObject) =>
        settings.reduce((all, [path, value]) => setPath(all, path, value), old);
      const { env, stdout, stderr } = context;
      const ids = await rerunJobs(
        chosen,
        {
          overrides,
          ...{ user: env['USER'] ?? env['LOGNAME'] ?? 'unknown' },
          ...(name !== undefined && { name }),
          ...(priority !== undefined && { priority }),
          ...(after.length > 0 && { after: await wholeIds(after, queue) }),
        },
        { queue, randomSeed: context.randomSeed },
      );
      if (flag(options, 'json'))
        stdout.write(`${safeJson(ids.map((id, at) => ({ id, rerunOf: chosen[at]?.id })))}\n`);
      else stdout.write(ids.map((id) => `${id}\n`).join(''));
      const [first = ''] = ids;
      const what = ids.length === 1 ? `job ${shortId(first)}` : plainly(counted(ids.length, 'job'));
      stderr.write(`Submitted ${what}: nightmark job logs -f ${shortId(first)}\n`);
      return flag(options, 'wait') ? waitForJobs(ids, queue, context) : EXIT.fine;
    });
  },
};

export default command;
