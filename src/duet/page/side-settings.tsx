import { counted } from '../../platform/core/text/numbers.ts';
import { Fold } from '../../platform/page/parts/controls.tsx';
import { Scroll } from '../../platform/page/parts/display.tsx';
import type { DuetView } from '../app/read-duet-view.ts';
import type { GroupAnalysis } from '../core/analysis/duet-analysis.ts';
import { withoutDots } from '../core/result-name.ts';
import { sideDifferences } from './side-differences.ts';

/** What A and B are: only where they differ, the rest on demand. */
export function SideSettings({ view, group }: { readonly view: DuetView; readonly group: GroupAnalysis }) {
  const benchmark = view.benchmarks.find(
    ({ name, suite }) => withoutDots(name) === group.benchmark && withoutDots(suite) === group.suite,
  );
  if (!benchmark) return null;
  const { different, same } = sideDifferences(benchmark);
  return (
    <>
      <h3>A and B</h3>
      {different.length === 0 ? (
        <p>Both sides are the same: a check of the machine and of the method.</p>
      ) : (
        <Scroll label="Settings that differ">
          <table>
            <thead>
              <tr>
                <th scope="col">setting</th>
                <th scope="col">A</th>
                <th scope="col">B</th>
              </tr>
            </thead>
            <tbody>
              {different.map(([name, a, b]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td class="path">{a || '(none)'}</td>
                  <td class="path">{b || '(none)'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {same.length > 0 && (
        <Fold name="same" summary={<>{counted(same.length, 'setting')} the same on both sides</>}>
          <table class="facts">
            <tbody>
              {same.map(([name, value]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td class="path">{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Fold>
      )}
    </>
  );
}
