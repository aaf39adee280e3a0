import { type CommandModule, EXIT, flag } from '../../platform/cli/command.ts';
import { safeJson } from '../../platform/core/text/terminal-text.ts';
import { shortId } from '../core/job.ts';
import type { ResumedJob } from '../core/job-queue.ts';
import { chosenJobs, declareSelector } from './job-selector.ts';
import { confirm, nothingDone } from './kill.ts';
import { declareQueue, withJobs } from './open-queue.ts';

const EXAMPLES = `
Jobs that failed or were cancelled wait again as their next attempt. The output folder stays as it is: a program that finds
its checkpoints there continues from them (NIGHTMARK_ATTEMPT says which attempt it is). For a fresh start: nightmark job rerun.

Examples:
  nightmark job resume 3f9a1c
  nightmark job resume --experiment sweep-7 --status FAILED --yes`;

const command: CommandModule = {
  configure(parser) {
    declareSelector(parser);
    parser
      .option('-y, --yes', 'do not ask for confirmation')
      .option('--json', 'print the outcome of each as JSON');
    declareQueue(parser);
    parser.addHelpText('after', EXAMPLES);
  },

  run(words, options, context) {
    return withJobs(options, context, async (jobs) => {
      const { queue } = jobs;
      const chosen = await chosenJobs(words, options, jobs);
      const ended = chosen.filter(({ status }) => status === 'FAILED' || status === 'CANCELED');
      // No question for jobs that are given by id.
      const mustConfirm = words.length === 0 && ended.length > 0;
      if (mustConfirm && !(await confirm('resume', ended, { options, context, now: queue.now() })))
        return nothingDone(context);
      const resumed = await queue.resume(chosen.map(({ id }) => id));
      if (flag(options, 'json')) context.stdout.write(`${safeJson(resumed)}\n`);
      else for (const one of resumed) context.stdout.write(`${shortId(one.id)} ${became(one)}\n`);
      return resumed.every(({ isResumed }) => isResumed) ? EXIT.fine : EXIT.someFailed;
    });
  },
};

export default command;

function became({ was, isResumed, isHeld }: ResumedJob): string {
  if (isResumed) return 'waits again';
  if (isHeld) return 'is still held by a worker; try again in a moment';
  return was === 'FINISHED' ? 'has finished; nightmark job rerun runs it anew' : `is ${was}`;
}
