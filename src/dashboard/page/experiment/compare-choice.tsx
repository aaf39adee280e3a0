import { localText } from '../../../platform/page/parts/time.tsx';
import { setParameters, useParameter } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { RecentRun } from '../../app/read-experiment.ts';
import { commitsText } from './chart-axis.ts';

/** Two runs, chosen here or by a click with shift in a chart, and the way to their comparison. */
export function CompareChoice({ recent }: { readonly recent: readonly RecentRun[] }) {
  const [base] = useParameter('base');
  const [head] = useParameter('head');
  if (recent.length < 2 && base === undefined) return null;
  const usual = recent[0]?.runId;
  const to = head ?? usual;
  return (
    <section>
      <h2>Compare</h2>
      <div class="controls">
        <RunChoice name="base" label="From" chosen={base} recent={recent} />
        <RunChoice name="head" label="to" chosen={to} recent={recent} />
        {base !== undefined && to !== undefined && base !== to ? (
          <Link to={`/compare/${encodeURIComponent(base)}..${encodeURIComponent(to)}`}>
            Compare these two
          </Link>
        ) : (
          <span class="quiet">Choose two runs, or click with shift on two dots.</span>
        )}
        {(base !== undefined || head !== undefined) && (
          <button
            type="button"
            class="small"
            onClick={() => setParameters({ base: undefined, head: undefined })}
          >
            choose anew
          </button>
        )}
      </div>
    </section>
  );
}

interface RunChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly chosen: string | undefined;
  readonly recent: readonly RecentRun[];
}

function RunChoice({ name, label, chosen, recent }: RunChoiceProps) {
  const isOther = chosen !== undefined && !recent.some(({ runId }) => runId === chosen);
  return (
    <label>
      {label}
      <select
        value={chosen ?? ''}
        onChange={({ currentTarget }) => setParameters({ [name]: currentTarget.value })}
      >
        <option value="">a run …</option>
        {isOther && <option value={chosen}>{chosen}</option>}
        {recent.map((run) => (
          <option key={run.runId} value={run.runId}>
            {runWords(run)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** "2026-01-31 02:00 6de6d63, failed". */
export function runWords({ at, commits, state }: RecentRun): string {
  const words = `${localText(at).slice(0, 16)} ${commitsText(commits)}`.trim();
  return state === 'succeeded' ? words : `${words}, ${state}`;
}
