import { useMemo } from 'preact/hooks';
import { State } from '../../../home/page/state.tsx';
import { counted, formatDuration } from '../../../platform/core/text/numbers.ts';
import { ComparePick, comparePlace } from '../../../platform/page/parts/controls.tsx';
import { Minute } from '../../../platform/page/parts/time.tsx';
import { goTo, setParameters, useParameter } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { Column } from '../../../platform/page/table/column.ts';
import { DataTable } from '../../../platform/page/table/data-table.tsx';
import type { RunLine } from '../../app/runs/list-runs.ts';

interface RunTableProps {
  readonly lines: readonly RunLine[];
  readonly isBusy: boolean;
  /** The reader came to the last row, and there are older runs. */
  readonly onEnd?: () => void;
}

export function RunTable({ lines, isBusy, onEnd }: RunTableProps) {
  const last = lines.at(-1);
  const columns = useMemo(() => COLUMNS, []);
  const [base] = useParameter('base');
  const onKey = (key: string, line: RunLine | undefined) => {
    if (key !== 'c' || line === undefined || !hasValues(line)) return false;
    if (base === undefined || base === line.run.id)
      setParameters({ base: base === undefined ? line.run.id : undefined });
    else goTo(comparePlace(base, line.run.id));
    return true;
  };
  return (
    <div aria-busy={isBusy}>
      <DataTable
        caption="Runs: j and k go from row to row, Enter opens, c chooses two to compare"
        rows={lines}
        columns={columns}
        rowKey={({ run }) => run.id}
        rowHeight={32}
        onOpen={({ run }) => goTo(addressOf(run))}
        onSight={(rows) => rows.some(({ run }) => run.id === last?.run.id) && onEnd?.()}
        onKey={onKey}
        isSelected={({ run }) => run.id === base}
        empty="No run matches."
      />
    </div>
  );
}

const COLUMNS: readonly Column<RunLine>[] = [
  {
    ...{ key: 'label', title: 'run' },
    sortBy: ({ run }) => run.label,
    cell: ({ run }) => <Link to={addressOf(run)}>{run.label}</Link>,
  },
  { ...{ key: 'kind', title: 'kind' }, sortBy: ({ run }) => run.kind, cell: ({ run }) => <Kind run={run} /> },
  {
    ...{ key: 'begun', title: 'started' },
    sortBy: ({ run }) => run.startedAt,
    cell: ({ run }) => <Minute at={run.startedAt} />,
  },
  {
    ...{ key: 'state', title: 'state' },
    sortBy: ({ run }) => run.state,
    cell: ({ run }) => <State state={run.state} />,
  },
  {
    ...{ key: 'ran', title: 'experiments' },
    sortBy: ({ experiments }) => experiments.total,
    cell: (line) => <Outcome line={line} />,
  },
  {
    ...{ key: 'failed', title: 'failed' },
    sortBy: ({ experiments, subsystems }) => experiments.failed + subsystems.failed,
    cell: (line) => <Failed line={line} />,
  },
  {
    ...{ key: 'took', title: 'took', isNumber: true },
    sortBy: ({ run }) => tookOf(run),
    cell: ({ run }) => {
      const took = tookOf(run);
      return took === undefined ? '' : formatDuration(took);
    },
  },
  {
    ...{ key: 'machine', title: 'machine' },
    sortBy: ({ machine }) => machine,
    cell: ({ machine, run }) =>
      machine !== undefined &&
      run.machineId !== undefined && (
        <Link to={`/machines/${encodeURIComponent(run.machineId)}`}>{machine}</Link>
      ),
  },
  { ...{ key: 'commits', title: 'commits' }, cell: ({ commits }) => <Commits commits={commits} /> },
  {
    ...{ key: 'compare', title: 'compare', width: '6rem' },
    cell: (line) => hasValues(line) && <ComparePick runId={line.run.id} />,
  },
];

/** A duet compares its own two sides, and what failed wholly has nothing to compare. */
function hasValues({ run: { kind }, experiments: { succeeded } }: RunLine): boolean {
  return (kind === 'night' || kind === 'import') && succeeded > 0;
}

function Kind({ run: { kind, origin } }: Pick<RunLine, 'run'>) {
  return (
    <>
      {kind} {origin !== 'measured' && kind !== 'import' && <span class="quiet">{origin} data</span>}
    </>
  );
}

function Outcome({ line: { experiments, subsystems, tasks } }: { readonly line: RunLine }) {
  const { total, succeeded, skipped, unfinished } = experiments;
  if (total === 0 && subsystems.total === 0) return <span class="quiet">nothing</span>;
  const text = total === 0 ? counted(subsystems.total, 'subsystem') : `${succeeded} of ${total}`;
  const more = total + subsystems.total - tasks.length;
  const names = `${tasks.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return (
    <span title={names}>
      {total === 1 ? (tasks[0] ?? text) : text}
      {skipped > 0 && <span class="quiet">, {skipped} skipped</span>}
      {unfinished > 0 && <span class="quiet">, {unfinished} not finished</span>}
    </span>
  );
}

function Failed({ line: { run, experiments, subsystems, failed } }: { readonly line: RunLine }) {
  const count = experiments.failed + subsystems.failed;
  if (count === 0) return null;
  const [first = ''] = failed;
  const more = count - 1;
  return (
    <span class="state failed" title={failed.join(', ')}>
      <span aria-hidden="true">✕</span>{' '}
      <Link class="clip" to={addressOf(run)}>
        {first}
      </Link>
      {more > 0 && ` and ${more} more`}
    </span>
  );
}

/** The name of the only source is left out. */
function Commits({ commits }: Pick<RunLine, 'commits'>) {
  const isOne = Object.keys(commits).length === 1;
  return (
    <>
      {Object.entries(commits).map(([source, list]) => (
        <span key={source} class="clip" title={`${source} ${list.join(', ')}`}>
          {isOne || <span class="quiet">{source} </span>}
          <code>{list[0]}</code>
          {list.length > 1 && <span class="quiet"> +{list.length - 1}</span>}{' '}
        </span>
      ))}
    </>
  );
}

function tookOf({ startedAt, endedAt }: RunLine['run']): number | undefined {
  return endedAt === undefined ? undefined : endedAt - startedAt;
}

function addressOf({ id }: Pick<RunLine['run'], 'id'>): string {
  return `/runs/${encodeURIComponent(id)}`;
}
