import { describeNight } from '../../../platform/core/text/describe-night.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { Day, localText } from '../../../platform/page/parts/time.tsx';
import { goTo, hrefOf } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { HomeView, NightLine } from '../../app/home/home-view.ts';
import { durationOf } from './headline.tsx';

const STEP = 11;
const HEIGHT = 40;

/** The last nights, oldest left: the height is the duration, the failed part is marked. Each links to its run. */
export function NightStrip({ view }: { readonly view: Pick<HomeView, 'nights' | 'runCount'> }) {
  const { nights, runCount } = view;
  const longest = Math.max(1, ...nights.map((night) => durationOf(night) ?? 0));
  const oldest = nights.at(-1);
  const older = runCount - nights.length;
  return (
    <div class="strip">
      <div class="newest-last">
        <svg class="nights" width={nights.length * STEP} height={HEIGHT}>
          <title>The last nights</title>
          {nights.toReversed().map((night, place) => (
            <NightBar key={night.id} night={night} x={place * STEP} longest={longest} />
          ))}
        </svg>
      </div>
      {oldest && (
        <span class="quiet">
          {countedRuns(nights)} since <Day at={oldest.startedAt} />
          {older > 0 && (
            <>
              , <Link to={`/runs?before=${oldest.startedAt}`}>{counted(older, 'older or other run')}</Link>
            </>
          )}
        </span>
      )}
    </div>
  );
}

function NightBar({
  night,
  x,
  longest,
}: {
  readonly night: NightLine;
  readonly x: number;
  readonly longest: number;
}) {
  const { id, experiments, subsystems, state, startedAt, missing } = night;
  const failed = experiments.failed + subsystems.failed;
  const share = failed / Math.max(1, experiments.total + subsystems.total);
  const height = Math.max(6, Math.round(((durationOf(night) ?? longest / 4) / longest) * (HEIGHT - 8)));
  const bad = failed === 0 ? 0 : Math.max(4, Math.round(height * share));
  const label = [
    `${localText(startedAt)}: ${describeNight(experiments, subsystems, durationOf(night))}`,
    ...(missing > 0 ? [`${missing} missing`] : []),
    ...(state === 'finished' ? [] : [state]),
  ].join(', ');
  const place = `/runs/${encodeURIComponent(id)}`;
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    goTo(place);
  };
  return (
    <a href={hrefOf(place)} aria-label={label} onClick={follow}>
      <title>{label}</title>
      <rect class="area" x={x} y={0} width={STEP} height={HEIGHT} />
      <rect
        class={`night ${state === 'finished' ? 'fine' : 'unfinished'}`}
        x={x + 1.5}
        y={HEIGHT - height}
        width={STEP - 3}
        height={height}
      />
      {bad > 0 && <rect class="night failed" x={x + 1.5} y={HEIGHT - bad} width={STEP - 3} height={bad} />}
      {missing > 0 && <circle class="missing" cx={x + STEP / 2} cy={4} r={2} />}
    </a>
  );
}

/** "3 nights"; where there are imports among them, "3 runs". */
function countedRuns(nights: readonly NightLine[]): string {
  const [first] = nights;
  const isAlike = nights.every(({ kind }) => kind === first?.kind);
  return counted(nights.length, isAlike ? (first?.kind ?? 'night') : 'run');
}
