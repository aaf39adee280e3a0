import { homeArgument } from '../../../home/cli/home-argument.ts';
import { seriesText } from '../../../home/core/changes/change.ts';
import { directionText } from '../../../home/core/changes/direction.ts';
import type { Store } from '../../../home/core/store.ts';
import { type CommandModule, EXIT, flag, type Output, textOption } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { formatNumber, plainly } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import {
  type ChangeDetail,
  type ChangeExplanation,
  readExplanation,
  showChange,
} from '../../app/changes/read-change.ts';
import { originalNames } from '../../app/series/original-names.ts';
import {
  certaintyText,
  driftText,
  effectText,
  eventText,
  goodText,
  levelsText,
  sizeText,
} from '../../core/changes/change-text.ts';
import { describeExplanation } from '../../core/explain/explanation-text.ts';
import { day, stateText } from './describe-list.ts';
import { commitLog, judgeUnjudged, withHomeStore } from './open-home.ts';
import { textChart } from './text-chart.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<id>', 'id of a change, or its beginning')
      .option('--home <folder>', 'the home', '.')
      .option('--json', 'print everything as JSON')
      .addHelpText('after', '\nExample:\n  nightmark changes show k3f9x2a --home ~/bench');
  },

  async run([id = ''], options, context) {
    const home = await homeArgument(textOption(options, 'home'), context);
    const { stdout, disk, clock } = context;
    return withHomeStore(home, context, async (store) => {
      if (!store) {
        throw new NightmarkError('CHANGES_UNKNOWN', `${home} has no results, and no changes.`, {
          hint: '--home names another home.',
        });
      }
      await judgeUnjudged(home, context);
      const effects = { disk, clock, store };
      const detail = await withOriginal(await showChange({ home, id }, effects), store);
      const sources = { store, disk, commits: await commitLog(), signal: context.signal };
      const explanation = await readExplanation(home, detail.change, sources);
      stdout.write(
        flag(options, 'json')
          ? `${JSON.stringify(detailJson(detail, explanation))}\n`
          : describeDetail(detail, explanation, stdout),
      );
      return EXIT.fine;
    });
  },
};

export default command;

type ShownChange = ChangeDetail & { readonly original?: string };

/** Also how the results of its first run call the series, where that is another name. */
async function withOriginal(detail: ChangeDetail, store: Store): Promise<ShownChange> {
  const { series, runId } = detail.change;
  if (series.kind !== 'value') return detail;
  const original = (await originalNames(store, runId, series.experiment)).get(JSON.stringify(series.path));
  return original === undefined ? detail : { ...detail, original };
}

/** Everything of one change: the answer, why, its runs, its levels, its triage. */
export function describeDetail(detail: ShownChange, explained: ChangeExplanation, out: Output): string {
  const { change, events, series } = detail;
  const { id, unit, shift, p, at, hardware, runId, state, note, author, triagedAt, detector, moved } = change;
  const good = goodText(change);
  const verdict = good === '' ? '' : `,${good}`;
  const lines = [
    `${id}  ${visible(seriesText(change.series))}`,
    ...(detail.original === undefined ? [] : [`  measured as ${visible(detail.original)}`]),
    hardware === undefined
      ? `  ${effectText(shift, unit)}${verdict}: ${moved === undefined ? levelsText(change) : `${moved} measurements moved together`}, certainty ${certaintyText(p)}`
      : `  ${sizeText(change)}`,
    `  begins ${day(at)} with ${change.series.kind === 'kpi' ? 'test' : 'run'} ${visible(runId)}; found by ${visible(detector)}`,
    ...(change.series.kind === 'machine' ? [] : [`  ${directionText(change)}`]),
    `  state ${stateText(change)}${triageText({ state, note, author, at: triagedAt })}`,
  ];
  const why =
    'reason' in explained ? [visible(explained.reason)] : describeExplanation(explained.explanation);
  lines.push('', 'Explanation', ...why.map((line) => (line === '' ? '' : `  ${line}`)));
  if (series) lines.push(...seriesLines(detail, series, out));
  lines.push(
    '',
    'History',
    ...events.map((event) => `  ${day(event.at)}  ${eventText(event, unit, visible)}`),
  );
  return `${lines.join('\n')}\n`;
}

/** An explanation that is a text says why there is none. */
export function detailJson({ change, events, series, original }: ShownChange, explained: ChangeExplanation) {
  const explanation = 'reason' in explained ? explained.reason : explained.explanation;
  const named = original !== undefined && { original };
  if (!series) return { change, ...named, events, explanation };
  const { history, levels, place, newest } = series;
  const { times, values, runIds } = history;
  const columns = { times: Array.from(times), values: Array.from(values), runIds };
  return {
    change,
    ...named,
    events,
    explanation,
    series: { ...columns, levels, place, ...(newest && { newest }) },
  };
}

const AROUND = 3;

function seriesLines(
  { change }: ChangeDetail,
  { history, levels, place, newest }: NonNullable<ChangeDetail['series']>,
  out: Output,
): readonly string[] {
  const { values, times, runIds } = history;
  const number = (value: number) => plainly(formatNumber(value, change.unit));
  const lines: string[] = [];
  if (out.isTerminal) {
    const starts = levels.slice(1).map(({ start }) => start);
    lines.push(
      '',
      ...textChart(values, starts, Math.min((out.columns || 80) - 4, 120)).map((line) => `  ${line}`),
    );
  }
  lines.push('', 'Levels');
  for (const { start, end, value, count, drift } of levels.slice(-MAX_LEVELS)) {
    const span = `${day(times[start] ?? 0)} to ${day(times[end - 1] ?? 0)}`;
    lines.push(
      `  ${span}  ${number(value)}  ${count} values${drift ? `; ${driftText(drift, change.unit)}` : ''}`,
    );
  }
  if (place >= 0) {
    lines.push('', 'Runs around it');
    for (let index = Math.max(0, place - AROUND); index < Math.min(values.length, place + AROUND); index++) {
      const mark = index === place ? '>' : ' ';
      lines.push(
        `  ${mark} ${day(times[index] ?? 0)}  ${visible(runIds[index] ?? '')}  ${number(values[index] ?? Number.NaN)}`,
      );
    }
  }
  const { shift, held, verdict, reference } = newest ?? {};
  if (shift && reference !== undefined) {
    const why = held === undefined ? '' : `; a later level is not accepted (${held})`;
    lines.push(
      '',
      `Newest value: ${effectText(shift, change.unit)} against the reference of ${number(reference)}: ${verdict}${why}`,
    );
  }
  return lines;
}

const MAX_LEVELS = 12;

interface TriageFacts {
  readonly state: string;
  readonly note: string | undefined;
  readonly author: string | undefined;
  readonly at: number | undefined;
}

function triageText({ note, author, at }: TriageFacts): string {
  if (at === undefined) return '';
  const who = author === undefined ? '' : ` by ${visible(author)}`;
  return `, set${who} on ${day(at)}${note === undefined ? '' : `: ${visible(note)}`}`;
}
