import { readLedger, unusableLinesMessage } from '../../../home/app/ledger-file.ts';
import { seriesText } from '../../../home/core/changes/change.ts';
import {
  type FollowedChange,
  isOpenRegression,
  isOpenUnknown,
} from '../../../home/core/changes/change-ledger.ts';
import { CHANGE_STATES } from '../../../home/core/changes/ledger-line.ts';
import type { Store } from '../../../home/core/store.ts';
import {
  type CliContext,
  EXIT,
  type ExitCode,
  flag,
  type Options,
  textOption,
} from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { counted, plainly } from '../../../platform/core/text/numbers.ts';
import { explainNewest } from '../../app/changes/explain-newest.ts';
import { judgeHome, newestResults } from '../../app/changes/judge-home.ts';
import { type ChangeFilter, type ListedState, listChanges } from '../../app/changes/list-changes.ts';
import { nameCommits } from '../../app/changes/name-commits.ts';
import type { JudgingRules } from '../../app/series/judging-rules.ts';
import { NOT_JUDGED, reasonToRejudge } from '../../app/series/stored-judgements.ts';
import { type Gate, gateOfNames } from '../../core/changes/gate.ts';
import { describeList } from './describe-list.ts';
import { describeRejudged } from './describe-news.ts';
import { gateExit } from './gate-exit.ts';
import { commitLog, rulesOf, withHomeStore } from './open-home.ts';

/** All changes of a home, newest first. Results that are not judged yet are judged first. */
export async function listHome(home: string, options: Options, context: CliContext): Promise<ExitCode> {
  const filter = filterOf(options, context.clock.now());
  const { stdout, stderr } = context;
  return withHomeStore(home, context, async (store) => {
    if (!store) {
      stdout.write(flag(options, 'json') ? '{"changes":[]}\n' : `${home} has no results yet.\n`);
      stderr.write(`Run a night: nightmark run ${home}\n`);
      const gate = gateOfNames([], [], 'No history: the home has no results.');
      return flag(options, 'failOnRegression') ? gateExit(gate, home, { options, context }) : EXIT.fine;
    }
    const rules = await rulesOf(home, context);
    await judgeWhatIsNew(home, store, { rules, isForced: flag(options, 'judge'), context });
    const { disk, clock, signal } = context;
    const naming = { disk, clock, signal, store, openCommits: commitLog };
    await nameCommits(home, { ...naming, linkOf: rules.linkOf });
    await explainNewest(home, naming);
    const list = await listChanges(filter, store);
    const gate = flag(options, 'failOnRegression') ? await gateOfList(filter, store) : undefined;
    if (flag(options, 'json')) stdout.write(`${JSON.stringify({ home, ...list, ...(gate && { gate }) })}\n`);
    else stdout.write(describeList(list, stdout.hasColor));
    return gate ? gateExit(gate, home, { options, context }) : EXIT.fine;
  });
}

/** Of all that the filter lets through, also beyond --limit. */
async function gateOfList(filter: ChangeFilter, store: Store): Promise<Gate> {
  const { changes } = await listChanges({ ...filter, limit: Number.POSITIVE_INFINITY }, store);
  const names = (some: readonly FollowedChange[]) => some.map(({ series }) => seriesText(series));
  return gateOfNames(names(changes.filter(isOpenRegression)), names(changes.filter(isOpenUnknown)));
}

interface JudgeNow {
  readonly rules: JudgingRules;
  readonly isForced: boolean;
  readonly context: CliContext;
}

async function judgeWhatIsNew(
  home: string,
  store: Store,
  { rules, isForced, context }: JudgeNow,
): Promise<void> {
  const { disk, clock, signal, stderr } = context;
  const reading = await readLedger(home, disk);
  const unusable = unusableLinesMessage(reading);
  if (unusable !== undefined) stderr.write(`${unusable}\n`);
  const until = await newestResults(store);
  const known = reading.ledger.until;
  const isUpToDate =
    known !== undefined &&
    known.run === until.run &&
    known.payloadAt === until.payloadAt &&
    (await reasonToRejudge(store, rules)) === undefined;
  if (isUpToDate && !isForced) return;
  const report = await judgeHome({ home, rules, scope: {} }, { disk, store, clock, signal });
  if (report.rejudged !== undefined && report.rejudged !== NOT_JUDGED) {
    stderr.write(`${describeRejudged(report)}\n`);
    return;
  }
  const { judged, ignored } = report;
  const parts = [
    `${counted(judged, 'series', 'series')} judged`,
    ...(ignored > 0 ? [`${ignored} ignored by nightmark.yml`] : []),
  ];
  stderr.write(`${plainly(parts.join(', '))}.\n`);
}

const LISTED: readonly ListedState[] = [...CHANGE_STATES, 'open', 'withdrawn', 'all'];
const DAY_MS = 86_400_000;

/** The filters of the command line; a mistake in one is an error, never an empty list. */
function filterOf(options: Options, now: number): ChangeFilter {
  const experiment = textOption(options, 'experiment');
  const metric = textOption(options, 'metric');
  const machine = textOption(options, 'machine');
  const since = textOption(options, 'since');
  return {
    states: statesOf(textOption(options, 'state')),
    directions: directionsOf(textOption(options, 'direction'), flag(options, 'worse')),
    limit: limitOf(textOption(options, 'limit') ?? '50'),
    ...(experiment !== undefined && { experiment }),
    ...(metric !== undefined && { metric }),
    ...(machine !== undefined && { machine }),
    ...(since !== undefined && { since: parseSince(since, now) }),
  };
}

function statesOf(text: string | undefined): readonly ListedState[] {
  if (text === undefined) return [];
  return text.split(',').map((part) => {
    const state = LISTED.find((known) => known === part.trim());
    if (state !== undefined) return state;
    throw new NightmarkError('CLI_INVALID_OPTION', `Invalid --state: "${part.trim()}".`, {
      hint: `Choose among: ${LISTED.join(', ')}`,
    });
  });
}

const DIRECTIONS = ['better', 'worse', 'unknown'] as const;

function directionsOf(text: string | undefined, isWorse: boolean): ChangeFilter['directions'] {
  const given = (text?.split(',') ?? []).map((part) => {
    const direction = DIRECTIONS.find((known) => known === part.trim());
    if (direction !== undefined) return direction;
    throw new NightmarkError('CLI_INVALID_OPTION', `Invalid --direction: "${part.trim()}".`, {
      hint: `Choose among: ${DIRECTIONS.join(', ')}`,
    });
  });
  return isWorse ? [...given, 'worse'] : given;
}

function limitOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new NightmarkError('CLI_INVALID_OPTION', `Invalid --limit: "${text}" is not a whole number.`);
}

function parseSince(text: string, now: number): number {
  const days = /^(\d{1,5})\s*([dw])$/.exec(text);
  if (days) return now - Number(days[1]) * (days[2] === 'w' ? 7 : 1) * DAY_MS;
  const at = /^\d{4}-\d{2}-\d{2}(?:[T ].*)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(at)) return at;
  throw new NightmarkError(
    'CLI_INVALID_OPTION',
    `Invalid --since: "${text}" is neither a day nor a number of days or weeks.`,
    {
      hint: 'For example: --since 2026-01-31, --since 30d, --since 2w',
    },
  );
}
