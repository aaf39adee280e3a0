import { counted } from '../../platform/core/text/numbers.ts';
import { Quantity } from '../../platform/page/parts/display.tsx';
import { Minute } from '../../platform/page/parts/time.tsx';
import type { StoredTests } from '../app/read-stored-tests.ts';
import { bestPoint } from '../core/explorer/best-point.ts';
import type { ExplorerView } from '../core/explorer/suggest-view.ts';
import { kpiTitle } from '../core/explorer/table-cells.ts';

interface AnswerProps {
  readonly tests: StoredTests;
  readonly view: ExplorerView;
  readonly part: 'heading' | 'lead';
}

/** How many tests, what varies, and where the KPI is best. */
export function Answer({ tests, view, part }: AnswerProps) {
  return part === 'heading' ? <Heading view={view} /> : <Lead tests={tests} view={view} />;
}

function Heading({ view }: Pick<AnswerProps, 'view'>) {
  const best = bestPoint(view);
  const { kpi, selection } = view;
  if (best === undefined) return <>{counted(selection.rows.length, 'test')} of a matrix</>;
  return (
    <>
      Best {kpiTitle(kpi)}: <Quantity value={best.value} unit={kpi.unit} />
      {best.name !== '' && <> with {best.name}</>}
    </>
  );
}

function Lead({ tests, view }: Pick<AnswerProps, 'tests' | 'view'>) {
  const { selection, axes, averaged, kpi } = view;
  const best = bestPoint(view);
  const varying = [...axes, ...averaged].map(({ name }) => name);
  const shown = selection.rows.length;
  const newest = tests.times[selection.rows.at(-1) ?? -1] ?? null;
  return (
    <>
      {counted(shown, 'test')}
      {selection.failed.length > 0 && <>, {selection.failed.length} failed</>}
      {varying.length > 0 ? `; what varies is ${listed(varying)}` : '; nothing varies among them'}.{' '}
      {best && best.of > 1 && (
        <>
          {best.tests === 1
            ? 'The best is one test'
            : `The best is the mean of ${counted(best.tests, 'test')}`}{' '}
          among {counted(best.of, 'combination')}; {kpi.better} is better.{' '}
        </>
      )}
      {kpi.better === 'unknown' && <>Nobody said whether less or more of {kpi.name} is better. </>}
      {newest !== null && (
        <>
          The newest began at <Minute at={newest} />.
        </>
      )}
    </>
  );
}

/** Names beyond this many are counted. */
const MAX_NAMES = 6;

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${counted(more, 'more setting')}` : ''}`;
}
