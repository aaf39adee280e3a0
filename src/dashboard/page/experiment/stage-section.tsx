import type { StageResult } from '../../../home/core/run.ts';
import { StageTable } from '../../../home/page/stage-table.tsx';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Show } from '../../../platform/page/parts/page-frame.tsx';
import { setParameters, useParameter } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { ExperimentView } from '../../app/read-experiment.ts';
import type { RunView } from '../../app/runs/read-run.ts';
import type { TelemetryView } from '../../app/runs/run-telemetry.ts';
import { LateTelemetry } from '../run/run-telemetry.tsx';
import { runLabel } from './recent-runs.tsx';

/** The stages of one run, the newest unless another is chosen, and what the machine did meanwhile. */
export function StageSection({ view }: { readonly view: ExperimentView }) {
  const { newest, recent, name } = view;
  const [chosen] = useParameter('run');
  const runId = chosen ?? newest?.run.id;
  const isNewest = runId === newest?.run.id;
  const other = useDocument(
    isNewest || runId === undefined ? undefined : documentRef<RunView>(['runs', runId], { topic: 'runs' }),
  );
  // What another tool measured has no stages here.
  if (runId === undefined || (isNewest && newest?.run.kind === 'import')) return null;
  return (
    <section>
      <h2>
        Stages of <Link to={`/runs/${encodeURIComponent(runId)}`}>{labelOf(view, runId)}</Link>
      </h2>
      {recent.length > 1 && (
        <div class="controls">
          <label>
            run
            <select
              value={runId}
              onChange={({ currentTarget: { value } }) =>
                setParameters({ run: value === newest?.run.id ? undefined : value, stretch: undefined })
              }
            >
              {!recent.some((run) => run.runId === runId) && <option value={runId}>{runId}</option>}
              {recent.map((run) => (
                <option key={run.runId} value={run.runId}>
                  {runLabel(run)}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      {isNewest ? (
        <Stages runId={runId} name={name} stages={newest?.stages ?? []} />
      ) : (
        <Show loaded={other}>
          {(run) => <Stages runId={runId} name={name} stages={stagesOf(run, name)} />}
        </Show>
      )}
    </section>
  );
}

interface StagesProps {
  readonly runId: string;
  readonly name: string;
  readonly stages: readonly StageResult[];
}

function Stages({ runId, name, stages }: StagesProps) {
  const ref = documentRef<TelemetryView>(['runs', runId, 'telemetry'], {
    query: { experiment: name },
    topic: 'runs',
  });
  const telemetry = useDocument(ref);
  return (
    <>
      <StageTable runId={runId} stages={stages} />
      <Show loaded={telemetry} height={120}>
        {(value) =>
          stages.length + value.series.length > 0 && (
            <>
              <h3>What the machine did</h3>
              <LateTelemetry stages={stages} telemetry={value} />
            </>
          )
        }
      </Show>
    </>
  );
}

function stagesOf({ tasks }: RunView, name: string): readonly StageResult[] {
  return tasks.find(({ trial }) => trial.task === name && trial.kind === 'experiment')?.stages ?? [];
}

function labelOf({ recent, newest }: ExperimentView, runId: string): string {
  if (newest?.run.id === runId) return newest.run.label;
  return recent.find((run) => run.runId === runId)?.label ?? runId;
}
