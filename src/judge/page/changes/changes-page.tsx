import { useMemo, useRef } from 'preact/hooks';
import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument, useMayWrite } from '../../../platform/page/data/use-document.ts';
import { Empty, PageFrame, Show } from '../../../platform/page/parts/page-frame.tsx';
import { goTo, setParameters, useParameter, useParameters } from '../../../platform/page/router/address.ts';
import { DataTable } from '../../../platform/page/table/data-table.tsx';
import type { ChangeTable } from '../../app/changes/change-table.ts';
import { groupChanges } from '../../core/changes/change-groups.ts';
import { AbsenceLine } from '../change-parts.tsx';
import { changeColumns, useAround } from './change-columns.tsx';
import { type ChangeChoice, changesHeadline, isChosen, stateChoice } from './change-filter.ts';
import { ScoreTable } from './change-scores.tsx';
import { ChoiceControls } from './filter-controls.tsx';
import { TriageBar } from './triage-bar.tsx';
import { TRIAGE_STATES, useTriage } from './use-triage.ts';

const TABLE = documentRef<ChangeTable>(['changes', 'table'], { topic: 'changes' });

/** Changes of all series, and their triage. */
export function ChangesPage() {
  const loaded = useDocument(TABLE);
  return (
    <Show loaded={loaded} height={600}>
      {(table) => (
        <PageFrame
          title="Changes"
          heading={changesHeadline(table.changes)}
          json="changes/table"
          csv="changes.csv"
        >
          {table.changes.length === 0 ? <NoChange /> : <Changes table={table} reload={loaded.reload} />}
          <Absences table={table} />
          <ScoreTable scores={table.scores} />
        </PageFrame>
      )}
    </Show>
  );
}

function NoChange() {
  return (
    <Empty command="nightmark changes">
      Changes appear here when a night or an import brought values that left their level. In the folder of the
      home:
    </Empty>
  );
}

function Changes({ table, reload }: { readonly table: ChangeTable; readonly reload: () => void }) {
  const choice = useChoice();
  const { changes } = table;
  const shown = useMemo(
    // Changes of one commit stand together.
    () =>
      groupChanges(changes.filter((change) => isChosen(change, choice))).flatMap((group) => group.changes),
    [changes, JSON.stringify(choice)],
  );
  const around = useAround(table);
  const triage = useTriage(reload);
  const marked = useParameters('selected');
  const selected = useMemo(() => new Set(marked), [marked.join()]);
  const setSelected = (ids: Iterable<string>) => setParameters({ selected: [...ids] });
  const note = useRef<HTMLInputElement>(null);
  const mayWrite = useMayWrite();
  // Hidden changes are not triaged by accident.
  const chosen = shown.filter(({ id }) => selected.has(id));
  const toggle = (id: string) =>
    setSelected(selected.has(id) ? [...selected].filter((one) => one !== id) : [...selected, id]);
  const columns = useMemo(
    () => changeColumns(around, mayWrite ? { has: (id) => selected.has(id), toggle } : undefined),
    [around.known, selected, mayWrite],
  );
  const onKey = (key: string, row: FollowedChange | undefined) => {
    const about = chosen.length > 0 ? chosen : row ? [row] : [];
    const state = TRIAGE_STATES.find((one) => one.key === key)?.state;
    if (!mayWrite) return false;
    if (key === 'x' && row) toggle(row.id);
    else if (key === 'u') triage.undo();
    else if (key === 'n') {
      if (row && chosen.length === 0) setSelected([row.id]);
      note.current?.focus();
    } else if (state !== undefined) {
      triage.say(about, { state });
      setSelected([]);
    } else return false;
    return true;
  };
  return (
    <>
      <ChoiceControls changes={changes} choice={choice} shown={shown.length} />
      {mayWrite && (
        <TriageBar
          changes={chosen}
          triage={triage}
          note={note}
          hint="Select changes (x) to review them"
          onDone={() => setSelected([])}
        />
      )}
      <DataTable
        caption="Changes: j and k go from row to row, Enter opens, x selects, c, e, f and n review it"
        rows={shown}
        columns={columns}
        rowKey={({ id }) => id}
        rowHeight={48}
        isSelected={({ id }) => selected.has(id)}
        onSight={(rows) => around.want(rows.map(({ id }) => id))}
        onOpen={({ id }) => goTo(`/changes/${encodeURIComponent(id)}`)}
        onKey={onKey}
        empty="No change matches the filter."
      />
      {table.leftOut > 0 && (
        <p class="quiet">{counted(table.leftOut, 'older change')} not shown: nightmark changes lists them.</p>
      )}
    </>
  );
}

function useChoice(): ChangeChoice {
  const [state] = useParameter('state');
  const [direction] = useParameter('direction');
  const [group] = useParameter('group');
  const [kind] = useParameter('kind');
  const [text] = useParameter('text');
  return { state: stateChoice(state), direction, group, kind, text };
}

/** Below the table, which is to stay in sight. */
const MOST_ABSENCES = 20;

function Absences({ table: { absences } }: { readonly table: ChangeTable }) {
  const [all, setAll] = useParameter('absences');
  if (absences.length === 0) return null;
  const shown = all === 'all' ? absences : absences.slice(0, MOST_ABSENCES);
  return (
    <section aria-labelledby="absences">
      <h2 id="absences">Stopped coming</h2>
      <ul class="attention">
        {shown.map((absence, place) => (
          <li key={place}>
            <AbsenceLine absence={absence} />
          </li>
        ))}
      </ul>
      {absences.length > shown.length && (
        <button type="button" class="small" onClick={() => setAll('all')}>
          Show {absences.length - shown.length} more
        </button>
      )}
    </section>
  );
}
