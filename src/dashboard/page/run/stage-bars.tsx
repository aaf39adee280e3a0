import type { DisturbedRange } from '../../../home/core/machine/disturbed-ranges.ts';
import type { StageResult } from '../../../home/core/run.ts';
import { formatDuration } from '../../../platform/core/text/numbers.ts';
import { localText } from '../../../platform/page/parts/time.tsx';

interface StageBarsProps {
  readonly stages: readonly StageResult[];
  readonly disturbed: readonly DisturbedRange[];
  readonly span: readonly [number, number];
}

/** One row for each stage of each task, a last one for what disturbed them. */
export function StageBars({ stages, disturbed, span }: StageBarsProps) {
  const several = new Set(stages.map(({ task }) => task)).size > 1;
  return (
    <ul class="stage-bars" aria-label="Stages over time">
      {stages.map((stage) => {
        const { task, startedAt, durationMs, success } = stage;
        const name = several ? `${task} ${stage.stage}` : stage.stage;
        const words = `${name}: ${success ? 'succeeded' : 'failed'}, ${formatDuration(durationMs)} from ${localText(startedAt)}`;
        return (
          <li key={`${stage.kind} ${task} ${stage.stage}`} title={words}>
            <span class="bar-name">{name}</span>
            <span class="bar-room">
              <span
                class={`bar ${success ? '' : 'failed'}`}
                style={placeOf(startedAt, startedAt + durationMs, span)}
                role="img"
                aria-label={words}
              >
                {success ? '' : '✕'}
              </span>
            </span>
          </li>
        );
      })}
      {disturbed.length > 0 && (
        <li>
          <span class="bar-name">disturbed</span>
          <span class="bar-room">
            {disturbed.map(({ from, to, reason }) => (
              <span
                key={`${from} ${reason}`}
                class="bar disturbed"
                style={placeOf(from, to, span)}
                title={`${localText(from)}, ${formatDuration(to - from)}: ${reason}`}
                role="img"
                aria-label={`disturbed for ${formatDuration(to - from)}: ${reason}`}
              />
            ))}
          </span>
        </li>
      )}
    </ul>
  );
}

function placeOf(from: number, to: number, [first, last]: readonly [number, number]) {
  const part = (at: number) => Math.min(1, Math.max(0, (at - first) / (last - first)));
  const [left, right] = [part(from), part(to)];
  const isOutside = to < first || from > last;
  return {
    left: `${left * 100}%`,
    width: `${(right - left) * 100}%`,
    ...(isOutside && { display: 'none' }),
  };
}
