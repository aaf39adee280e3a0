import { type Absentee, type SourceRange, seriesText } from '../../home/core/changes/change.ts';
import type { Absence, FollowedChange } from '../../home/core/changes/change-ledger.ts';
import { directionText } from '../../home/core/changes/direction.ts';
import { State } from '../../home/page/state.tsx';
import { counted, formatChange, formatNumber } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { Day } from '../../platform/page/parts/time.tsx';
import { Link } from '../../platform/page/router/link.tsx';
import type { SeriesView } from '../app/series/series-values.ts';
import { certaintyText, commitsText, driftText, effectText, shortHash } from '../core/changes/change-text.ts';
import { isPage } from '../core/explain/commit-links.ts';
import { LEAST_HISTORY } from '../core/newest/judge-newest.ts';

/** Where a verdict would stand: values get theirs when results come in, and a rebuilt index some time later. */
export const NOT_JUDGED = 'These values are not judged yet.';

/**
 * How the newest value stands to the level that was accepted: "+0.3 % ~" where no difference is shown, an arrow and a word
 * otherwise. Colour only repeats the word.
 */
export function NewestChange({ newest, unit }: Pick<SeriesView, 'newest' | 'unit'>) {
  if (!newest) {
    return (
      <span class="quiet" title={NOT_JUDGED}>
        not judged yet
      </span>
    );
  }
  const { shift, reference, verdict, likely, history, held, notes, isProvisional } = newest;
  if (!shift || reference === undefined) {
    return (
      <span class="quiet" title={notes.join(' ') || 'Nothing to compare with yet'}>
        ~
      </span>
    );
  }
  const size = shift.relative ? formatChange(shift.relative.change) : formatNumber(shift.difference, unit);
  const level = formatNumber(reference, unit);
  const after = held === undefined ? '' : `, as what came after it is not accepted (${held})`;
  const basis = `${effectText(shift, unit)} against ${level}, the level of ${history} earlier values${after}.`;
  if (verdict === 'same' || verdict === 'undecided') {
    const why = verdict === 'same' ? 'The same.' : likely ? LIKELY : 'No difference can be shown.';
    return (
      <span class="quiet" title={[basis, why, ...notes].join(' ')}>
        {size} ~
      </span>
    );
  }
  const isUp = shift.difference > 0;
  const meaning = verdict === 'slower' ? 'worse' : verdict === 'faster' ? 'better' : '';
  return (
    <span
      class={`change ${meaning}`}
      title={isProvisional ? `${basis} Seen in few values: provisional.` : basis}
    >
      {isUp ? '▲' : '▼'} {size} {meaning || (isUp ? 'higher' : 'lower')}
    </span>
  );
}

const LIKELY = 'Probably beyond the smallest effect of interest, but not surely.';

/** Drift of a value that goes on rising or falling, beside its change. */
export function DriftNote({ drift, unit }: Pick<SeriesView, 'drift' | 'unit'>) {
  if (!drift) return null;
  const title = `A drift, not a change: it happened at no single place. Certainty ${certaintyText(drift.p)}`;
  return (
    <span class="quiet" title={title}>
      {driftText(drift, unit)}
    </span>
  );
}

/** A change that is followed: its size, and whether it is good. */
export function Shift({
  change,
}: {
  readonly change: Pick<
    FollowedChange,
    'shift' | 'unit' | 'better' | 'betterFrom' | 'direction' | 'isLikely' | 'p' | 'hardware'
  >;
}) {
  const { shift, unit, direction, betterFrom, isLikely, p, hardware } = change;
  if (hardware !== undefined) return <span class="change">another machine</span>;
  const isUp = shift.difference > 0;
  const size = shift.relative ? formatChange(shift.relative.change) : formatNumber(shift.difference, unit);
  const good = isLikely ? `probably ${direction}` : direction;
  const word = direction === 'unknown' ? (isUp ? 'higher' : 'lower') : good;
  return (
    <span
      class={`change ${isLikely ? '' : direction}`}
      title={`${effectText(shift, unit)}, certainty ${certaintyText(p)}; ${directionText(change)}`}
    >
      {isUp ? '▲' : '▼'} {size} {word}
      {betterFrom === 'inferred' && <span class="quiet"> (inferred)</span>}
    </span>
  );
}

/** The newest of the commits that a change may be of, and how many more there are. */
export function Commits({ range }: { readonly range: SourceRange }) {
  const [newest = { hash: range.after }] = range.commits;
  const more = (range.added ?? 1) - 1;
  const name = <code>{shortHash(newest.hash)}</code>;
  return (
    <span title={commitsText([range])}>
      {isPage(newest.link) ? <a href={newest.link}>{name}</a> : name} {newest.subject}
      {newest.author && ` (${newest.author})`}
      {more > 0 && `, or ${more} ${more === 1 ? 'other' : 'others'}`}
    </span>
  );
}

/** The path of a value: "cpu / A". */
export function pathText(path: readonly string[]): string {
  return visible(path.join(' / ')) || '(value)';
}

/** The name of what is judged or missing; that of an experiment leads to its page. */
export function SeriesName({ series }: { readonly series: Absentee }) {
  switch (series.kind) {
    case 'value':
      return (
        <>
          <Link to={`/experiments/${encodeURIComponent(series.experiment)}`}>{series.experiment}</Link>{' '}
          <span class="path">{pathText(series.path)}</span>
        </>
      );
    case 'experiment':
      return <Link to={`/experiments/${encodeURIComponent(series.experiment)}`}>{series.experiment}</Link>;
    case 'workload':
      return <span class="path">workload {series.workload}</span>;
    default:
      return <span class="path">{seriesText(series)}</span>;
  }
}

/** A series, an experiment or a workload that stopped coming. */
export function AbsenceLine({ absence: { series, lastAt, count = 0 } }: { readonly absence: Absence }) {
  const isWhole = series.kind === 'experiment' || series.kind === 'workload';
  return (
    <>
      <State state="missing" word="missing" /> <SeriesName series={series} />
      {isWhole ? ': has no results since ' : ': no new values, last seen '}
      <Day at={lastAt} />
      {isWhole && `, ${counted(count, 'series', 'series')}`}
    </>
  );
}

/** Why no change is reported yet; nothing where there are enough runs. */
export function fewRunsText(runs: number, one: 'night' | 'run'): string | undefined {
  if (runs === 0 || runs > LEAST_HISTORY) return undefined;
  const so = runs === 1 ? `This is the first ${one}` : `There are ${counted(runs, one)} so far`;
  return `${so}: changes are reported from the ${LEAST_HISTORY + 1}th ${one}, when there are ${LEAST_HISTORY} to compare it with.`;
}
