import { counted, formatNumber } from '../../../platform/core/text/numbers.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Show } from '../../../platform/page/parts/page-frame.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { CompareView } from '../../app/compare/compare-view.ts';
import type { ComparedSeriesView, RunValue } from '../../app/compare/read-compared-series.ts';
import { basisText } from '../../core/compare/compare-text.ts';
import type { ComparedRow } from '../../core/compare/compared-row.ts';
import { Sparkline } from '../sparkline.tsx';

/** Pictures stand beside each other, or below on a narrow page. */
export function moreHeight(): number {
  return innerWidth < 900 ? 290 : 176;
}

interface RowMoreProps {
  readonly row: ComparedRow;
  readonly view: CompareView;
}

/** Both distributions, the last runs, what the verdict rests on, and where it comes from. */
export function RowMore({ row, view }: RowMoreProps) {
  const { experiment, path } = row;
  const query = { base: view.base.asked, head: view.head.asked, experiment, path };
  const loaded = useDocument(documentRef<ComparedSeriesView>(['compare', 'series'], { query }));
  return (
    <div class="row-more" style={{ height: `${moreHeight()}px` }}>
      <p>{basisText(row) || whyOneSided(row)}</p>
      <Show loaded={loaded} height={120}>
        {({ base, head, history, unit }) => (
          <>
            <div class="pictures">
              <Distributions base={base} head={head} unit={unit} />
              <figure>
                <Sparkline
                  values={history.values.map((value) => value ?? undefined)}
                  unit={unit}
                  place="run"
                  width={260}
                />
                <figcaption class="quiet">last {counted(history.values.length, 'run')}</figcaption>
              </figure>
            </div>
            <p>
              <RunLinks side="base" values={base} experiment={experiment} />{' '}
              <RunLinks side="head" values={head} experiment={experiment} />
            </p>
          </>
        )}
      </Show>
    </div>
  );
}

interface RunLinksProps {
  readonly side: string;
  readonly values: readonly RunValue[];
  readonly experiment: string;
}

function RunLinks({ side, values, experiment }: RunLinksProps) {
  const [newest] = values;
  if (newest === undefined) return null;
  const run = `/runs/${encodeURIComponent(newest.runId)}`;
  const samples = values.reduce((sum, { sampleCount = 0 }) => sum + sampleCount, 0);
  return (
    <span>
      {side}: <Link to={run}>{newest.runId}</Link>{' '}
      <Link to={`${run}/logs/experiment/${encodeURIComponent(experiment)}/run`}>log</Link>
      {values.length > 1 && ` and ${counted(values.length - 1, 'more run')}`}
      {samples > 0 && `, ${counted(samples, 'sample')}`}
    </span>
  );
}

function whyOneSided({ verdict }: ComparedRow): string {
  if (verdict === 'failed') return 'Its experiment failed in the head, so there is no value to compare.';
  if (verdict === 'gone') return 'The head has no value of it.';
  return verdict === 'new' ? 'The base has no value of it.' : '';
}

const [WIDTH, HEIGHT, LEFT, RIGHT] = [460, 96, 44, 12];
const LANES = { base: 20, head: 54 } as const;
/** More dots of one run only make a smear. */
const MOST_DOTS = 200;

interface DistributionsProps {
  readonly base: readonly RunValue[];
  readonly head: readonly RunValue[];
  readonly unit: string;
}

/** Both sides on one axis: a large dot for each run, small ones for what was measured within it. */
function Distributions({ base, head, unit }: DistributionsProps) {
  const all = [...base, ...head].flatMap(({ value, samples = [] }) => [value, ...samples]);
  if (all.length === 0) return null;
  const low = all.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = all.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const x = (value: number) =>
    high === low
      ? (LEFT + WIDTH - RIGHT) / 2
      : Math.round((LEFT + ((value - low) / (high - low)) * (WIDTH - LEFT - RIGHT)) * 10) / 10;
  const words = `Values of base and head, from ${formatNumber(low, unit)} to ${formatNumber(high, unit)}`;
  return (
    <svg
      class="both-sides"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      <Lane name="base" values={base} x={x} unit={unit} />
      <Lane name="head" values={head} x={x} unit={unit} />
      <path class="axis" d={`M${LEFT} ${HEIGHT - 20}H${WIDTH - RIGHT}`} />
      <text x={LEFT} y={HEIGHT - 5}>
        {formatNumber(low, unit)}
      </text>
      {high > low && (
        <text x={WIDTH - RIGHT} y={HEIGHT - 5} text-anchor="end">
          {formatNumber(high, unit)}
        </text>
      )}
    </svg>
  );
}

interface LaneProps {
  readonly name: keyof typeof LANES;
  readonly values: readonly RunValue[];
  readonly x: (value: number) => number;
  readonly unit: string;
}

function Lane({ name, values, x, unit }: LaneProps) {
  const y = LANES[name];
  return (
    <g class={name}>
      <text x={0} y={y + 4}>
        {name}
      </text>
      {values.map(({ runId, samples = [] }) =>
        samples
          .slice(0, MOST_DOTS)
          // In three rows, so that equal values are seen as several.
          .map((value, place) => (
            <circle
              key={`${runId} ${place}`}
              class="sample"
              cx={x(value)}
              cy={y + ((place % 3) - 1) * 5}
              r="1.5"
            />
          )),
      )}
      {values.map(({ runId, value }) => (
        <circle key={runId} class="run" cx={x(value)} cy={y} r="5">
          <title>{`${runId}: ${formatNumber(value, unit)}`}</title>
        </circle>
      ))}
    </g>
  );
}
