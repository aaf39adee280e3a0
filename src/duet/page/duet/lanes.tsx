import { useMemo, useState } from 'preact/hooks';
import type UPlot from 'uplot';
import { Plot } from '../../../charts/page/plot.tsx';
import { counted, formatDuration, formatNumber } from '../../../platform/core/text/numbers.ts';
import { Minute } from '../../../platform/page/parts/time.tsx';
import { useZoom } from '../../../platform/page/router/address.ts';
import type { DuetRunView } from '../../app/read-duet-group.ts';
import { iterationAt, laneEnd } from './lane-search.ts';
import { lanesOptions } from './lanes-options.ts';

const HEIGHT = 150;

/** When each iteration of both sides ran: A above B, what was compared shaded. Dragging zooms. */
export function Lanes({ run }: { readonly run: DuetRunView }) {
  const [zoom, setZoom] = useZoom('lanes');
  const [below, setBelow] = useState<string>();
  const end = Math.max(run.A ? laneEnd(run.A) : 0, run.B ? laneEnd(run.B) : 0) / 1e6;
  const data = useMemo(
    (): UPlot.AlignedData => [
      [0, end],
      [null, null],
    ],
    [end],
  );
  const options = useMemo(
    () => () =>
      lanesOptions(run, {
        onZoom: (range) => setZoom(range),
        onHover: (side, moment) => setBelow(side && words(run, side, moment)),
      }),
    [run],
  );
  if (end === 0) {
    return <p class="quiet">The harness does not tell when its iterations ran: there is no timeline.</p>;
  }
  const label = `Timeline: ${counted(run.A?.times.length ?? 0, 'iteration')} of A above ${counted(run.B?.times.length ?? 0, 'iteration')} of B`;
  return (
    <figure>
      <figcaption>
        Iterations over time, A above B, warm-up pale{run.isByNumber ? '' : ', overlaps shaded'};{' '}
        {formatDuration(end * 1000)}
        {run.startedAt !== undefined && (
          <>
            {' '}
            from <Minute at={run.startedAt} />
          </>
        )}{' '}
        {zoom && (
          <button type="button" class="small" onClick={() => setZoom(undefined)}>
            show everything
          </button>
        )}
      </figcaption>
      <Plot label={label} height={HEIGHT} data={data} options={options} zoom={zoom} />
      <p class="quiet below">{below ?? 'Point at an iteration; drag to look closer.'}</p>
      {run.leftOut > 0 && (
        <p class="quiet">{counted(run.leftOut, 'iteration or pair', 'iterations and pairs')} not drawn.</p>
      )}
    </figure>
  );
}

/** "A 12: 9.20 ms, warm-up". */
function words(run: DuetRunView, side: 'A' | 'B', moment: number): string | undefined {
  const lane = run[side];
  const place = lane ? iterationAt(lane, moment * 1e6) : -1;
  if (!lane || place < 0) return undefined;
  const time = formatNumber((lane.times[place] ?? Number.NaN) / 1e6, 's');
  if (place < lane.warmup) return `${side} ${lane.numbers[place]}: ${time}, warm-up`;
  const own = side === 'A' ? run.pairs.a : run.pairs.b;
  const partners = own.reduce((count, one) => count + Number(one === place), 0);
  return `${side} ${lane.numbers[place]}: ${time}, in ${counted(partners, 'pair')}`;
}
