import { counted } from '../../../platform/core/text/numbers.ts';
import { Scroll } from '../../../platform/page/parts/display.tsx';
import { Day } from '../../../platform/page/parts/time.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { MachineView } from '../../app/machines/machine-view.ts';

/** When facts of the machine changed: only those that differ. */
export function FactHistory({ view: { history, compared } }: { readonly view: MachineView }) {
  return (
    <>
      <h2>Changes of the machine</h2>
      {history.length === 0 ? (
        <p class="calm">Its facts were the same in {counted(compared, 'run')}.</p>
      ) : (
        <Scroll label="Changes of the machine">
          <table>
            <thead>
              <tr>
                {['since', 'fact', 'before', 'after'].map((head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {history.flatMap(({ at, runId, label, facts }) =>
                facts.map(({ name, before, after }, place) => (
                  <tr key={`${runId} ${name}`}>
                    <td>
                      {place === 0 && (
                        <>
                          <Day at={at} /> <Link to={`/runs/${encodeURIComponent(runId)}`}>{label}</Link>
                        </>
                      )}
                    </td>
                    <td>{name}</td>
                    <td class="path">{before ?? '~'}</td>
                    <td class="path">{after ?? '~'}</td>
                  </tr>
                )),
              )}
            </tbody>
          </table>
        </Scroll>
      )}
    </>
  );
}
