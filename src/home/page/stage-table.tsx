import { exitText } from '../../executors/page/exit-text.ts';
import { formatDuration } from '../../platform/core/text/numbers.ts';
import { withoutSequences } from '../../platform/core/text/terminal-text.ts';
import { Scroll } from '../../platform/page/parts/display.tsx';
import { Minute } from '../../platform/page/parts/time.tsx';
import { Link } from '../../platform/page/router/link.tsx';
import type { StageResult } from '../core/run.ts';
import { State } from './state.tsx';

/** The stages of one trial in the order in which they ended, each with the way to its log. */
export function StageTable({
  runId,
  stages,
}: {
  readonly runId: string;
  readonly stages: readonly StageResult[];
}) {
  if (stages.length === 0) return <p class="quiet">No stage has ended.</p>;
  return (
    <Scroll label="Stages">
      <table>
        <thead>
          <tr>
            <th scope="col">stage</th>
            <th scope="col">state</th>
            <th scope="col" class="number">
              took
            </th>
            <th scope="col">begun</th>
            <th scope="col">log</th>
            <th scope="col">message</th>
          </tr>
        </thead>
        <tbody>
          {stages.map((stage) => (
            <StageRow key={`${stage.kind} ${stage.task} ${stage.stage}`} runId={runId} stage={stage} />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function StageRow({ runId, stage }: { readonly runId: string; readonly stage: StageResult }) {
  const { success, attempts, durationMs, startedAt, message, log } = stage;
  const how = exitText(stage.exit);
  return (
    <tr>
      <th scope="row">{stage.stage}</th>
      <td>
        <State state={success ? 'succeeded' : 'failed'} />
        {attempts > 1 && <div class="quiet">{attempts} attempts</div>}
      </td>
      <td class="number">{formatDuration(durationMs)}</td>
      <td>
        <Minute at={startedAt} />
      </td>
      <td>{log !== undefined && <Link to={logAddress(runId, stage)}>log</Link>}</td>
      <td class="message">
        {withoutSequences(message)} {how !== '' && <span class="quiet">{how}</span>}
      </td>
    </tr>
  );
}

export function logAddress(
  runId: string,
  { kind, task, stage }: Pick<StageResult, 'kind' | 'task' | 'stage'>,
) {
  return `/runs/${encodeURIComponent(runId)}/logs/${kind}/${encodeURIComponent(task)}/${encodeURIComponent(stage)}`;
}
