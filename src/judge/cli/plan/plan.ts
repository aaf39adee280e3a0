import { type CommandModule, EXIT, flag, textOption } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { PlanBases } from '../../app/plan/read-plan-bases.ts';
import { type PlanBasis, runDeviation } from '../../core/plan/plan.ts';
import { planComparison } from '../../core/plan/plan-comparison.ts';
import { planJson } from './plan-json.ts';
import { type PlanSettings, readPlanOptions } from './plan-options.ts';
import { type PlanReport, planText, REASONS } from './plan-text.ts';
import { readBases } from './read-bases.ts';

const EXAMPLES = `
Examples:
  nightmark plan sorting --detect 1% --power 0.9      from the nights of the home in this folder
  nightmark plan sorting --metric cpu/A --minutes 10  what ten minutes can show
  nightmark plan --from hyperfine.json --detect 2%    from a file of hyperfine or of nightmark duet
  nightmark plan --noise 3% --time 200ms              from what you know yourself`;

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[experiment]', 'an experiment with stored values')
      .option('--detect <percent>', 'the effect that is to be found', '1%')
      .option('--power <share>', 'how often it is to be found when it is there', '0.9')
      .option('--level <percent>', 'level of the interval: 95% is one false alarm in twenty', '95%')
      .option('--minutes <number>', 'say what this time can show (default: 5)')
      .option('--metric <path>', 'one value: its keys joined by "/", or a command of --from')
      .option('--home <dir>', 'the home; the current folder if left out')
      .option('--from <file>', 'times of hyperfine, or of nightmark duet, from --export-json')
      .option('--noise <percent>', 'spread from run to run, without a home')
      .option('--time <duration>', 'how long a run takes, where it is not known or not right')
      .option('--duet <file>', 'measured duets: a file of nightmark duet --export-json')
      .option('--json', 'print everything as JSON')
      .addHelpText('after', EXAMPLES);
  },

  async run([experiment], options, context) {
    const settings = readPlanOptions(options);
    const home = textOption(options, 'home');
    const asked = { ...settings, ...(experiment && { experiment }), ...(home !== undefined && { home }) };
    const report = makeReport(await readBases(asked, context), settings);
    const text = flag(options, 'json') ? `${JSON.stringify(planJson(report))}\n` : planText(report);
    context.stdout.write(text);
    return EXIT.fine;
  },
};

export default command;

/** A plan takes milliseconds, a page holds some lines: the noisiest need most. */
const MOST_PLANNED = 12;

function makeReport({ bases, left }: PlanBases, { aim, minutes, hasMinutes }: PlanSettings): PlanReport {
  if (bases.length === 0) throw nothingToPlan(left);
  const neediest = bases.toSorted((a, b) => runDeviation(b) - runDeviation(a)).slice(0, MOST_PLANNED);
  if (hasMinutes && neediest.every(({ input }) => input.time === undefined)) throw noDuration();
  const planned = neediest.map((basis: PlanBasis) => ({
    basis,
    plan: planComparison(basis.input, aim, minutes),
  }));
  return { planned, more: bases.length - planned.length, left };
}

function nothingToPlan(left: PlanBases['left']): NightmarkError {
  const [first] = left;
  const what = first ? `"${first.name}" ${REASONS[first.reason]}` : 'There is no value';
  const others = left.length > 1 ? ` (and ${left.length - 1} more values cannot be used)` : '';
  const needsMore = left.some(({ reason }) => reason === 'one');
  return new NightmarkError('PLAN_NO_SPREAD', `${what}${others}.`, {
    hint: needsMore
      ? 'Run it again: two nights are the least, ten tell more. Or say how noisy it is with --noise.'
      : 'Nothing can be planned from it: choose another value with --metric, or give --noise.',
  });
}

function noDuration(): NightmarkError {
  return new NightmarkError('PLAN_NO_DURATION', 'How long a run takes is not known.', {
    hint: 'Give it with --time, such as --time 2min.',
  });
}
