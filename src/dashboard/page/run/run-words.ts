import { describeNight } from '../../../platform/core/text/describe-night.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import type { RunView } from '../../app/read-run.ts';

/** How it went, in a sentence. */
export function runWords({ run, experiments, subsystems, tasks }: RunView): string {
  const { kind, label, state, startedAt, endedAt } = run;
  const name = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${label}`;
  if (state === 'running') {
    const total = experiments.total + subsystems.total;
    const done = total - experiments.unfinished - subsystems.unfinished;
    const failed = experiments.failed + subsystems.failed;
    return `${name} is running: ${done} of ${counted(total, 'task')} done${failed > 0 ? `, ${failed} failed` : ''}`;
  }
  if (tasks.length === 0) return `${name}: it has no tasks`;
  const durationMs = endedAt === undefined ? undefined : endedAt - startedAt;
  return `${name}: ${describeNight(experiments, subsystems, durationMs)}`;
}
