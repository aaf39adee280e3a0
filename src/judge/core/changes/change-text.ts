import {
  type Absentee,
  type ChangeRecord,
  type NamedCommit,
  type Shift,
  type SourceRange,
  seriesText,
} from '../../../home/core/changes/change.ts';
import type { Absence, ChangeEvent, FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { directionText } from '../../../home/core/changes/direction.ts';
import { counted, formatChange, formatNumber, plainly } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import type { Drift } from '../levels/levels.ts';

/** "+5.1 % (+3.9 to +6.3)"; in the unit of the values where the level before is zero. */
export function effectText({ difference, low, high, relative }: Shift, unit: string): string {
  if (!relative) {
    const [one, from, to] = [difference, low, high].map((value) => signed(value, unit));
    return `${one} (${from} to ${to})`;
  }
  const [from, to] = [relative.low, relative.high].map((value) => formatChange(value).replace(/.%$/u, ''));
  return plainly(`${formatChange(relative.change)} (${from} to ${to})`);
}

/** How sure it is, of 100: "99.8 %", never "100 %". */
export function certaintyText(p: number): string {
  if (!(p > 0.0001)) return '>99.99 %';
  const percent = (1 - p) * 100;
  return `${percent.toFixed(percent >= 99.9 ? 2 : 1)} %`;
}

/** From one level to the other: "12.5 ms -> 13.1 ms". */
export function levelsText({ before, after, unit }: Pick<ChangeRecord, 'before' | 'after' | 'unit'>): string {
  return plainly(`${formatNumber(before, unit)} -> ${formatNumber(after, unit)}`);
}

/** " worse", " probably worse (inferred)", or nothing where that is unknown. */
export function goodText({
  direction,
  betterFrom,
  isLikely,
}: Pick<ChangeRecord, 'direction' | 'betterFrom' | 'isLikely'>): string {
  if (direction === 'unknown') return '';
  return `${isLikely ? ' probably' : ''} ${direction}${betterFrom === 'inferred' ? ' (inferred)' : ''}`;
}

/** The size of a change, or what it is where it has none: "+5.1 % (+3.9 to +6.3)", "another machine". */
export function sizeText({
  shift,
  unit,
  hardware,
}: Pick<ChangeRecord, 'shift' | 'unit' | 'hardware'>): string {
  return hardware === undefined ? effectText(shift, unit) : `another machine: ${visible(hardware)}`;
}

/** "sort/10000 +5.1 % (+3.9 to +6.3) worse, provisional": a change in a line. */
export function changeText(
  change: Pick<
    ChangeRecord,
    | 'series'
    | 'shift'
    | 'unit'
    | 'direction'
    | 'betterFrom'
    | 'isProvisional'
    | 'isLikely'
    | 'moved'
    | 'hardware'
  >,
): string {
  const { series, isProvisional, moved } = change;
  return `${visible(seriesText(series))} ${sizeText(change)}${goodText(change)}${isProvisional ? ', provisional' : ''}${movedText(moved)}`;
}

/** "engine c883730 Use a slower hash (Ada), or 2 others since 9ecee19": the newest of the commits that it may be. */
export function commitsText(sources: readonly SourceRange[]): string {
  return sources.map(rangeText).join('; ');
}

function rangeText({ source, before, after, added, removed, commits }: SourceRange): string {
  const [newest = { hash: after }] = commits;
  const name = `${visible(source)} ${commitText(newest)}`;
  if (added === undefined) return `${name}, after ${shortHash(before)}`;
  // A step back, or a history that was rewritten.
  if (added === 0)
    return `${visible(source)} back from ${shortHash(before)} to ${shortHash(after)}, ${counted(removed ?? 0, 'commit')} gone`;
  return added === 1
    ? name
    : `${name}, or ${added === 2 ? '1 other' : `${added - 1} others`} since ${shortHash(before)}`;
}

/** "c883730 Use a slower hash (Ada)": text by others, made visible. */
export function commitText({ hash, subject, author }: NamedCommit): string {
  const title = subject ? ` ${visible(subject).slice(0, MOST_SUBJECT)}` : '';
  return `${shortHash(hash)}${title}${author ? ` (${visible(author)})` : ''}`;
}

const MOST_SUBJECT = 72;
const SHORT = 12;

export function shortHash(hash: string): string {
  return visible(hash).slice(0, SHORT);
}

/** What an event is called: its commits; empty where only its run is known. */
export function groupTitle({ sources = [] }: Pick<FollowedChange, 'sources'>): string {
  return commitsText(sources);
}

/** Where a machine changed: how many measurements moved with it. */
export function movedText(moved: number | undefined): string {
  return moved === undefined ? '' : `: ${moved} measurements moved together, and are judged without it`;
}

function signed(value: number, unit: string): string {
  return plainly(`${value > 0 ? '+' : ''}${formatNumber(value, unit)}`);
}

/** "drifts by +9.8 % (+9.4 to +10.2) over 200 values, +0.0493 % each": a drift in a line. */
export function driftText({ start, end, perPoint }: Drift, unit: string): string {
  const { difference, relative } = perPoint;
  const each = relative ? `${signed(100 * relative.change, '')} %` : signed(difference, unit);
  return `drifts by ${effectText(times(perPoint, end - 1 - start), unit)} over ${counted(end - start, 'value')}, ${each} each`;
}

function times({ difference, low, high, relative, level }: Shift, factor: number): Shift {
  const scaled = { difference: difference * factor, low: low * factor, high: high * factor, level };
  if (!relative) return scaled;
  const { change, low: least, high: most } = relative;
  return { ...scaled, relative: { change: change * factor, low: least * factor, high: most * factor } };
}

/** A line of the ledger, for people. `clean` makes what experiments and people wrote fit for the place it is shown at. */
export function eventText(event: ChangeEvent, unit: string, clean = (text: string) => text): string {
  switch (event.type) {
    case 'found':
    case 'moved':
    case 'confirmed': {
      const { shift, runId, isProvisional } = event.change;
      const word = event.type === 'confirmed' ? 'confirmed by more values' : event.type;
      return `${word} at ${clean(runId)}: ${effectText(shift, unit)}${isProvisional ? ', provisional' : ''}`;
    }
    case 'directed':
      return `direction: ${directionText(event)}${event.direction === 'unknown' ? '' : `, so it is ${event.direction}`}`;
    case 'withdrawn':
      return `withdrawn: ${clean(event.reason)}`;
    case 'duet': {
      const { state, before, after, source, pairs, effect, metric = 'time' } = event;
      const ratio = effect ? `, ${clean(metric)} ${ratioText(effect)}` : '';
      const sides = [before, after].map((side) => clean(side).slice(0, 12)).join(' and ');
      return `${state} by a duet of ${clean(source)} ${sides}: ${counted(pairs, 'pair')}${ratio}`;
    }
    case 'commits':
      return event.sources.length === 0
        ? 'no source changed'
        : `commits: ${clean(commitsText(event.sources))}`;
    case 'explained':
      return `explained: ${event.sentence === '' ? 'nothing that is recorded changed' : clean(event.sentence)}`;
    case 'triaged': {
      const who = event.author === undefined ? '' : ` by ${clean(event.author)}`;
      return `marked as ${event.state}${who}${event.note === undefined ? '' : `: ${clean(event.note)}`}`;
    }
    default:
      return event.type;
  }
}

function ratioText({ ratio, low, high }: { ratio: number; low: number; high: number }): string {
  return `x ${ratio.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
}

/** "experiment sort has no results since 2026-01-31: 12 series", "sort/size: no new values, last seen 2026-01-31". */
export function absenceText({ series, lastAt, count }: Absence): string {
  const date = new Date(lastAt);
  const day = Number.isNaN(date.getTime()) ? 'an unknown day' : date.toISOString().slice(0, 10);
  const name = absenteeText(series);
  const isWhole = series.kind === 'experiment' || series.kind === 'workload';
  return isWhole
    ? `${name} has no results since ${day}: ${counted(count ?? 0, 'series', 'series')}`
    : `${name}: no new values, last seen ${day}`;
}

/** "experiment sort", "workload tiny", "sort/size". */
export function absenteeText(absentee: Absentee): string {
  if (absentee.kind === 'experiment') return `experiment ${visible(absentee.experiment)}`;
  if (absentee.kind === 'workload') return `workload ${visible(absentee.workload)}`;
  return visible(seriesText(absentee));
}
