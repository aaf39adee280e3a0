import { type CommandModule, EXIT, flag, textOption } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { counted, plainly } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import type { PlanBases, UnknownReason } from '../../app/plan/read-plan-bases.ts';
import { type Design, type Plan, type PlanBasis, runDeviation } from '../../core/plan/plan.ts';
import { planComparison } from '../../core/plan/plan-comparison.ts';
import {
  aboutText,
  effectText,
  planNotes,
  planSentence,
  spreadText,
} from '../../core/plan/plan-sentences.ts';
import { type PlanSettings, readBases, readPlanOptions } from './read-bases.ts';

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
      .option(
        '--min-effect <percent>',
        'it must be surely beyond this, as for an alarm (default: surely there)',
      )
      .option('--power <share>', 'how often it is to be found when it is there', '0.9')
      .option('--level <percent>', 'level of the interval: 95% is one false alarm in twenty', '95%')
      .option('--minutes <number>', 'print what this time can show (default: 5)')
      .option('--metric <path>', 'one value: its keys joined by "/", or a command of --from')
      .option('--home <dir>', 'the home; the current folder if left out')
      .option('--from <file>', 'times of hyperfine, or of nightmark duet, from --export-json')
      .option('--noise <percent>', 'spread from run to run, without a home')
      .option('--time <duration>', 'how long a run takes, where it is unknown or wrong')
      .option('--duet <file>', 'measured duets: a file of nightmark duet --export-json')
      .option('--json', 'print everything as JSON')
      .addHelpText('after', EXAMPLES);
  },

  async run([experiment], options, context) {
    const settings = readPlanOptions(options);
    const home = textOption(options, 'home');
    const request = { ...settings, ...(experiment && { experiment }), ...(home !== undefined && { home }) };
    const report = makeReport(await readBases(request, context), settings);
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
      ? 'Run it again: at least two nights are needed, ten are better. Or give the noise with --noise.'
      : 'Nothing can be planned from it: choose another value with --metric, or give --noise.',
  });
}

function noDuration(): NightmarkError {
  return new NightmarkError('PLAN_NO_DURATION', 'The duration of a run is unknown.', {
    hint: 'Give it with --time, such as --time 2min.',
  });
}

export interface Planned {
  readonly basis: PlanBasis;
  readonly plan: Plan;
}

export interface PlanReport {
  /** The neediest first. */
  readonly planned: readonly Planned[];
  /** Values beyond those that were planned: they need less. */
  readonly more: number;
  readonly left: readonly { readonly name: string; readonly reason: UnknownReason }[];
}

/** The sentence about the neediest value, what it rests on, and the others beside. */
export function planText({ planned, more, left }: PlanReport): string {
  const [first, ...others] = planned;
  if (!first) return '';
  const { aim } = first.plan;
  const by = aim.minEffect === undefined ? '' : ` surely beyond ${effectText(aim.minEffect)}`;
  const aimed = `To see ${effectText(aim.detect)}${by} in ${effectText(aim.power)} of comparisons: `;
  const lines = [`${aimed}${planSentence(first.plan)}`, '', `  ${basisText(first.basis)}`];
  if (others.length > 0) {
    lines.push(
      '',
      `Of ${planned.length + more} values the one that needs the most runs decides. The others:`,
    );
    lines.push(...others.map(({ basis, plan }) => `  ${basisText(basis)}: ${shortly(plan)}`));
  }
  if (more > 0) lines.push(`  ... and ${plainly(counted(more, 'value'))} more: choose one with --metric`);
  lines.push(...leftLines(left), '', ...planNotes(first.basis, aim).map((note) => `note: ${note}`));
  return `${lines.join('\n').trimEnd()}\n`;
}

export const REASONS: Readonly<Record<UnknownReason, string>> = {
  none: 'has no usable value',
  one: 'has one value only, and one has no spread',
  equal: 'has no spread: all its values are equal',
  'not-positive': 'has values of 0 or below, of which there are no ratios',
};

function basisText(basis: PlanBasis): string {
  const { name, count, counts = 'run' } = basis;
  const rests = count === undefined ? '' : ` (${plainly(counted(count, counts))})`;
  return `${visible(name)}: ${spreadText(runDeviation(basis), counts)}${rests}`;
}

function shortly({ alone, duet }: Plan): string {
  return `${designText(alone)}; as duets ${designText(duet)}`;
}

function designText(design: Design | undefined): string {
  if (!design) return 'out of reach';
  const time = design.seconds === undefined ? '' : `, ${aboutText(design.seconds)}`;
  return `${plainly(counted(design.runs, 'run'))}${time}`;
}

const MOST_LEFT = 5;

function leftLines(left: PlanReport['left']): readonly string[] {
  if (left.length === 0) return [];
  const shown = left.slice(0, MOST_LEFT).map(({ name, reason }) => `  ${visible(name)} ${REASONS[reason]}`);
  const rest = left.length > MOST_LEFT ? [`  ... and ${left.length - MOST_LEFT} more`] : [];
  return ['', 'Left out:', ...shown, ...rest];
}

/** What --json prints; described in docs/guide/plan.md. */
export function planJson({ planned, more, left }: PlanReport) {
  return {
    values: planned.map(({ basis, plan }) => ({
      name: basis.name,
      sentence: planSentence(plan),
      ...plan,
      noise: {
        run: runDeviation(basis),
        between: Math.sqrt(basis.input.alone.between),
        within: Math.sqrt(basis.input.alone.within),
        correlation: basis.correlation,
        ...(basis.count !== undefined && { count: basis.count }),
        pairs: Math.sqrt(basis.input.pairs.between + basis.input.pairs.within / basis.input.iterations),
        pairsAre: basis.input.pairs.isMeasured ? 'measured' : 'assumed',
      },
      notes: planNotes(basis, plan.aim),
    })),
    more,
    left,
  };
}
