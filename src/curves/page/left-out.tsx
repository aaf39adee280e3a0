import { counted } from '../../platform/core/text/numbers.ts';
import { Fold } from '../../platform/page/parts/controls.tsx';
import type { CurvesView } from '../app/curves-view.ts';

/** What is there and not shown, counted. */
export function LeftOut({ view: { older, unreadable, isCut } }: { readonly view: CurvesView }) {
  return (
    <>
      {older > 0 && (
        <p class="quiet">
          {counted(older, 'curve')} of earlier runs of the same {older === 1 ? 'pair is' : 'pairs are'} not
          shown: the newest counts.
        </p>
      )}
      {isCut && <p class="quiet">There are more files than were looked at: the rest is left out.</p>}
      {unreadable.length > 0 && (
        <Fold name="unreadable" summary={<>{counted(unreadable.length, 'file')} without a curve</>}>
          <ul class="left-out">
            {unreadable.map(({ path, problem }) => (
              <li key={path}>
                <code>{path}</code>: {problem}
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </>
  );
}
