import { homeArgument, requireHome } from '../../../home/cli/home-argument.ts';
import {
  DECLARED_DIRECTIONS,
  type DeclaredDirection,
  ruleMatcher,
} from '../../../home/core/changes/directions.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
} from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { listDirections } from '../../app/series/list-directions.ts';
import { withHomeStore } from '../changes/open-home.ts';
import { describeDeclared, describeDirections, directionsJson } from './describe-directions.ts';

const UNSET = 'unset';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('[home]', 'the home; the current folder if left out')
      .argument('[pattern]', 'series: a name, or a pattern such as "k6/*/rate"')
      .argument('[direction]', `${DECLARED_DIRECTIONS.join(', ')}, or ${UNSET} to declare nothing`)
      .option('--unknown', 'only series that have no known direction')
      .option('--all', 'every series, however many')
      .option('--json', 'print everything as JSON')
      .addHelpText('after', HELP);
  },

  async run(given, options, context) {
    const { home: folder, pattern, direction } = argumentsOf(given);
    const home = await homeArgument(folder, context);
    if (direction !== undefined && pattern !== undefined)
      return declare(home, { pattern, direction }, { options, context });
    return withHomeStore(home, context, async (store) => {
      const isUnknown = flag(options, 'unknown');
      const list = await listDirections({ isUnknown, ...(pattern !== undefined && { pattern }) }, store);
      const isAll = flag(options, 'all');
      context.stdout.write(
        flag(options, 'json') ? directionsJson(home, list) : describeDirections(list, { home, isAll }),
      );
      return EXIT.fine;
    });
  },
};

export default command;

const HELP = `
A direction is declared in nightmark.yml (directions:, also of an experiment) or, for a home with config.json, in
config/directions.yml; else it is that of the results (their format), else it is inferred from names and units: seconds, latency,
errors: lower; ops/s, throughput, accuracy: higher. "none" is for counts and sizes of inputs: no gate waits for them.
What is declared holds for the whole history, also for known changes.

Examples:
  nightmark directions ~/bench                       all series, those without a known direction first
  nightmark directions ~/bench 'k6/*/rate' higher    more is better
  nightmark directions 'cpu/*' lower                 of the home in this folder
  nightmark directions ~/bench 'k6/*/rate' unset     declare nothing
See docs/guide/directions.md.`;

interface Arguments {
  readonly home: string | undefined;
  readonly pattern?: string;
  readonly direction?: DeclaredDirection | typeof UNSET;
}

/** HOME PATTERN DIRECTION; without HOME where the second is a direction. */
function argumentsOf([first, second, third]: readonly string[]): Arguments {
  if (third !== undefined) return { home: first, pattern: second ?? '', direction: directionOf(third) };
  if (second === undefined) return { home: first };
  const direction = [...DECLARED_DIRECTIONS, UNSET].find((known) => known === second);
  if (direction === undefined) return { home: first, pattern: second };
  return { home: undefined, pattern: first ?? '', direction: directionOf(direction) };
}

function directionOf(text: string): DeclaredDirection | typeof UNSET {
  const known = DECLARED_DIRECTIONS.find((one) => one === text);
  if (known !== undefined || text === UNSET) return known ?? UNSET;
  throw new NightmarkError('CLI_INVALID_OPTION', `Invalid direction: "${text}".`, {
    hint: `Choose among: ${[...DECLARED_DIRECTIONS, UNSET].join(', ')}`,
  });
}

interface Declaration {
  readonly pattern: string;
  readonly direction: DeclaredDirection | typeof UNSET;
}

/** Writes it to the definition, and at once to the index and to known changes. */
async function declare(
  home: string,
  { pattern, direction }: Declaration,
  { options, context }: { readonly options: Options; readonly context: CliContext },
): Promise<number> {
  if (pattern.trim() === '') throw new NightmarkError('CLI_INVALID_OPTION', 'The pattern is empty.');
  const { disk, stdout } = context;
  await requireHome(home, disk);
  const { withDirection } = await import('../../../home/config/write-directions.ts');
  const { file, place } = await whereDeclared(home, context);
  const text = (await disk.readText(file)) ?? '';
  const better = direction === UNSET ? undefined : direction;
  const edited = withDirection(text, place, { pattern, better });
  if (edited !== text) await disk.writeText(file, edited);
  return withHomeStore(home, context, async (store) => {
    const list = await listDirections({ pattern }, store);
    // Another pattern may count before this one.
    const { matches } = ruleMatcher({ pattern, better: better ?? 'none' });
    const others = list.series.filter(
      ({ series, direction: own }) => better !== undefined && matches(series) && own !== better,
    );
    const outcome = { home, file, isChanged: edited !== text, pattern, better, list, others };
    stdout.write(flag(options, 'json') ? directionsJson(home, list) : describeDeclared(outcome));
    return EXIT.fine;
  });
}

async function whereDeclared(
  home: string,
  { disk }: CliContext,
): Promise<{ readonly file: string; readonly place: 'directions' | 'top' }> {
  for (const name of ['nightmark.yml', 'nightmark.yaml']) {
    const file = joinPath(home, name);
    if (await disk.stat(file)) return { file, place: 'directions' };
  }
  return { file: homeLayout(home).directions, place: 'top' };
}
