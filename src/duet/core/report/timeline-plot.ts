import type { Iterations } from '../../../formats/core/iterations.ts';
import type { Side } from '../../../git/core/version-pairs.ts';
import { type Html, html } from '../../../platform/core/text/html.ts';
import { formatDuration } from '../../../platform/core/text/numbers.ts';
import type { RunAnalysis } from '../duet-analysis.ts';
import type { DuetIterations } from '../duet-iterations.ts';

const WIDTH = 1000;
const LANE = 16;
/** More rectangles than this in a lane are narrower than a pixel and only make the page heavy. */
const MAX_PER_LANE = 150;

/** When each iteration of both sides ran: lane A above lane B, warm-up pale. Undefined where the harness does not tell. */
export function timelinePlot(run: DuetIterations, analysis: RunAnalysis | undefined): Html | undefined {
  const sides = (['A', 'B'] as const).flatMap((side) => {
    const iterations = run[side];
    return iterations?.starts && iterations.ends && iterations.numbers.length > 0
      ? [{ side, iterations }]
      : [];
  });
  if (sides.length === 0) return undefined;
  const from = Math.min(...sides.map(({ iterations }) => iterations.starts?.[0] ?? 0));
  const to = Math.max(...sides.map(({ iterations }) => lastEnd(iterations)));
  const perPixel = Math.max(1, to - from) / (WIDTH - 40);
  const height = sides.length * (LANE + 4) + 4;
  const lanes = sides.map(({ side, iterations }, index) => {
    const steadyFrom =
      (side === 'A' ? analysis?.steadyFromA : analysis?.steadyFromB) ?? Number.NEGATIVE_INFINITY;
    return lane({ side, iterations, steadyFrom, y: 4 + index * (LANE + 4), from, perPixel });
  });
  return html`<figure><figcaption>Run ${run.runid}${run.order === 'None' ? '' : `, ${run.order[0]} first`}, ${formatDuration((to - from) / 1e6)}</figcaption>
<svg class="timeline" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Iterations of run ${run.runid} over time">${lanes}</svg></figure>`;
}

interface Lane {
  readonly side: Side;
  readonly iterations: Iterations;
  readonly steadyFrom: number;
  readonly y: number;
  readonly from: number;
  readonly perPixel: number;
}

function lane({ side, iterations, steadyFrom, y, from, perPixel }: Lane): Html {
  const { starts = new Float64Array(), ends = new Float64Array(), numbers } = iterations;
  const count = numbers.length;
  const every = Math.max(1, Math.ceil(count / MAX_PER_LANE));
  const boxes: Html[] = [];
  for (let first = 0; first < count; first += every) {
    const last = Math.min(first + every, count) - 1;
    const x = 30 + ((starts[first] ?? 0) - from) / perPixel;
    const width = Math.max(0.6, ((ends[last] ?? 0) - (starts[first] ?? 0)) / perPixel - 0.6);
    const isWarmup = (numbers[last] ?? 0) < steadyFrom;
    const which = first === last ? `${numbers[first]}` : `${numbers[first]} to ${numbers[last]}`;
    const time = formatDuration(((ends[last] ?? 0) - (starts[first] ?? 0)) / 1e6);
    boxes.push(
      html`<rect class="${side}${isWarmup ? ' warmup' : ''}" x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${LANE}"><title>${side} ${which}: ${time}${isWarmup ? ', warm-up' : ''}</title></rect>`,
    );
  }
  return html`<text class="name" x="20" y="${y + 12}">${side}</text>${boxes}`;
}

function lastEnd({ ends }: Iterations): number {
  let last = 0;
  for (const end of ends ?? []) last = Math.max(last, end);
  return last;
}
