import { useState } from 'preact/hooks';
import { exitText } from '../../../executors/page/exit-text.ts';
import type { StageResult } from '../../../home/core/run.ts';
import { logAddress } from '../../../home/page/stage-table.tsx';
import { State } from '../../../home/page/state.tsx';
import { counted, formatDuration } from '../../../platform/core/text/numbers.ts';
import { withoutSequences } from '../../../platform/core/text/terminal-text.ts';
import { Minute } from '../../../platform/page/parts/time.tsx';
import { goTo, setParameters, useParameter } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { Column } from '../../../platform/page/table/column.ts';
import { DataTable } from '../../../platform/page/table/data-table.tsx';
import type { RunView } from '../../app/read-run.ts';

/** The timeline as a table: to be sorted, searched and read aloud. */
export function StageList({ view: { run, tasks } }: { readonly view: RunView }) {
  const [table] = useParameter('table');
  const [columns] = useState(() => columnsOf(run.id));
  const stages = tasks.flatMap((task) => task.stages);
  if (stages.length === 0) return null;
  const isOpen = table === 'stages';
  const onToggle = ({ currentTarget: { open } }: { readonly currentTarget: HTMLDetailsElement }) =>
    open !== isOpen && setParameters({ table: open ? 'stages' : undefined });
  return (
    <details open={isOpen} onToggle={onToggle}>
      <summary>All {counted(stages.length, 'stage')} as a table</summary>
      {isOpen && (
        <DataTable
          caption="Stages of all tasks"
          rows={stages}
          columns={columns}
          rowKey={({ kind, task, stage }) => `${kind} ${task} ${stage}`}
          onOpen={(stage) => stage.log !== undefined && goTo(logAddress(run.id, stage))}
        />
      )}
    </details>
  );
}

function columnsOf(runId: string): readonly Column<StageResult>[] {
  return [
    { ...{ key: 'task', title: 'task' }, sortBy: ({ task }) => task, cell: ({ task }) => task },
    { ...{ key: 'stage', title: 'stage' }, sortBy: ({ stage }) => stage, cell: ({ stage }) => stage },
    {
      ...{ key: 'state', title: 'state' },
      sortBy: ({ success }) => (success ? 'succeeded' : 'failed'),
      cell: ({ success }) => <State state={success ? 'succeeded' : 'failed'} />,
    },
    {
      ...{ key: 'begun', title: 'begun' },
      sortBy: ({ startedAt }) => startedAt,
      cell: ({ startedAt }) => <Minute at={startedAt} />,
    },
    {
      ...{ key: 'took', title: 'took', isNumber: true },
      sortBy: ({ durationMs }) => durationMs,
      cell: ({ durationMs }) => formatDuration(durationMs),
    },
    {
      ...{ key: 'attempts', title: 'attempts', isNumber: true },
      sortBy: ({ attempts }) => attempts,
      cell: ({ attempts }) => attempts,
    },
    {
      ...{ key: 'log', title: 'log' },
      cell: (stage) => stage.log !== undefined && <Link to={logAddress(runId, stage)}>log</Link>,
    },
    {
      ...{ key: 'message', title: 'message' },
      sortBy: ({ message }) => message || undefined,
      cell: ({ message, exit }) => `${withoutSequences(message)} ${exitText(exit)}`.slice(0, 300),
    },
  ];
}
