import { describeNight } from '../../app/count-trials.ts';
import type { NightView } from '../../app/read-overview.ts';
import { type Html, html } from '../../core/text/html.ts';
import { counted } from '../../core/text/numbers.ts';
import { utc } from './moment.ts';

const STEP = 10;
const HEIGHT = 34;

/** The last nights, oldest left: a low bar for a good one, a tall one with the share of failures. Each is a link. */
export function nightStrip(nights: readonly NightView[]): Html {
  const bars = nights.toReversed().map((night, index) => {
    const { run, experiments, subsystems } = night;
    const failed = experiments.failed + subsystems.failed;
    const share = failed / Math.max(1, experiments.total + subsystems.total);
    const height = failed === 0 ? 6 : Math.round(12 + share * (HEIGHT - 12));
    const words = `${utc(run.startedAt)}: ${describeNight(experiments, subsystems, durationOf(night))}${run.state === 'finished' ? '' : `, ${run.state}`}`;
    const look = failed > 0 ? 'failed' : run.state === 'finished' ? 'fine' : 'unfinished';
    return html`<a href="/runs/${encodeURIComponent(run.id)}" aria-label="${words}"><rect class="area" x="${index * STEP}" y="0" width="${STEP}" height="${HEIGHT}"/><rect class="night ${look}" x="${index * STEP + 1}" y="${HEIGHT - height}" width="${STEP - 2}" height="${height}"/><title>${words}</title></a>`;
  });
  const width = Math.max(1, nights.length) * STEP;
  return html`<svg class="nights" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}">${bars}</svg>`;
}

/** "3 nights"; where there are imports among them, "3 runs". */
export function countedRuns(nights: readonly NightView[]): string {
  const [first] = nights;
  const isAlike = nights.every(({ run }) => run.kind === first?.run.kind);
  return counted(nights.length, isAlike ? (first?.run.kind ?? 'night') : 'run');
}

export function durationOf({ run }: Pick<NightView, 'run'>): number | undefined {
  return run.endedAt === undefined ? undefined : run.endedAt - run.startedAt;
}
