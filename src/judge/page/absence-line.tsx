import type { Absence } from '../../home/core/changes/change-ledger.ts';
import { State } from '../../home/page/state.tsx';
import { counted } from '../../platform/core/text/numbers.ts';
import { Day } from '../../platform/page/parts/time.tsx';
import { SeriesName } from './series-name.tsx';

/** A series, an experiment or a workload that stopped coming. */
export function AbsenceLine({ absence: { series, lastAt, count = 0 } }: { readonly absence: Absence }) {
  const isWhole = series.kind === 'experiment' || series.kind === 'workload';
  return (
    <>
      <State state="missing" word="missing" /> <SeriesName series={series} />
      {isWhole ? ': has not come since ' : ': stopped coming, last seen '}
      <Day at={lastAt} />
      {isWhole && `, ${counted(count, 'series', 'series')}`}
    </>
  );
}
