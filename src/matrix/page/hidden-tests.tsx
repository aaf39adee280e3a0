import { counted } from '../../platform/core/text/numbers.ts';
import { setParameters } from '../../platform/page/router/address.ts';
import type { StoredTests } from '../app/read-stored-tests.ts';
import { chosenName } from '../core/explorer/explorer-view.ts';
import type { ExplorerView } from '../core/explorer/suggest-view.ts';

/** What is not in the chart, and how to see it. */
export function HiddenTests({ tests, view }: { readonly tests: StoredTests; readonly view: ExplorerView }) {
  const { selection, hasFailed, chosen, kpi } = view;
  const showAll = () => {
    const names = [...chosen.keys()].flatMap(({ name }) => [chosenName(name), name]);
    setParameters(Object.fromEntries(names.map((name) => [name, undefined])));
  };
  const failed = counted(selection.failed.length, 'failed test');
  return (
    <ul class="hidden-tests">
      {selection.failed.length > 0 && (
        <li>
          {hasFailed
            ? `${failed} counted as the others.`
            : `${failed} left out: their values may mean nothing.`}{' '}
          <button
            type="button"
            class="small"
            onClick={() => setParameters({ failed: hasFailed ? undefined : '1' })}
          >
            {hasFailed ? 'Leave them out' : 'Count them'}
          </button>
        </li>
      )}
      {chosen.size > 0 && (
        <li>
          {counted(selection.unchosen, 'test')} hidden by the choice of values.{' '}
          <button type="button" class="small" onClick={showAll}>
            Show all values
          </button>
        </li>
      )}
      {selection.others > 0 && (
        <li>
          {counted(selection.others, 'other test')} without the KPI {kpi.name}: choose one of theirs to see
          them.
        </li>
      )}
      {tests.hasOlder && (
        <li>Older tests than the newest {counted(tests.ids.length, 'test')} are not looked at.</li>
      )}
    </ul>
  );
}
