import { counted } from '../../../platform/core/text/numbers.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Show } from '../../../platform/page/parts/page-frame.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { CompareView } from '../../app/compare/compare-view.ts';
import type { ComparedSeriesView, RunValue } from '../../app/compare/read-compared-series.ts';
import { basisText } from '../../core/compare/compare-text.ts';
import type { ComparedRow } from '../../core/compare/compared-row.ts';
import { Sparkline } from '../sparkline.tsx';
import { Distributions } from './distributions.tsx';

/** Pictures stand beside each other, or below on a narrow page. */
export function moreHeight(): number {
  return innerWidth < 900 ? 290 : 176;
}

interface RowMoreProps {
  readonly row: ComparedRow;
  readonly view: CompareView;
}

/** Both distributions, the last runs, what the verdict rests on, and where it comes from. */
export function RowMore({ row, view }: RowMoreProps) {
  const { experiment, path } = row;
  const query = { base: view.base.asked, head: view.head.asked, experiment, path };
  const loaded = useDocument(documentRef<ComparedSeriesView>(['compare', 'series'], { query }));
  return (
    <div class="row-more" style={{ height: `${moreHeight()}px` }}>
      <p>{basisText(row) || whyOneSided(row)}</p>
      <Show loaded={loaded} height={120}>
        {({ base, head, history, unit }) => (
          <>
            <div class="pictures">
              <Distributions base={base} head={head} unit={unit} />
              <figure>
                <Sparkline
                  values={history.values.map((value) => value ?? undefined)}
                  unit={unit}
                  place="run"
                  width={260}
                />
                <figcaption class="quiet">last {counted(history.values.length, 'run')}</figcaption>
              </figure>
            </div>
            <p>
              <RunLinks side="base" values={base} experiment={experiment} />{' '}
              <RunLinks side="head" values={head} experiment={experiment} />
            </p>
          </>
        )}
      </Show>
    </div>
  );
}

interface RunLinksProps {
  readonly side: string;
  readonly values: readonly RunValue[];
  readonly experiment: string;
}

function RunLinks({ side, values, experiment }: RunLinksProps) {
  const [newest] = values;
  if (newest === undefined) return null;
  const run = `/runs/${encodeURIComponent(newest.runId)}`;
  const samples = values.reduce((sum, { sampleCount = 0 }) => sum + sampleCount, 0);
  return (
    <span>
      {side}: <Link to={run}>{newest.runId}</Link>{' '}
      <Link to={`${run}/logs/experiment/${encodeURIComponent(experiment)}/run`}>log</Link>
      {values.length > 1 && ` and ${counted(values.length - 1, 'more run')}`}
      {samples > 0 && `, ${counted(samples, 'sample')}`}
    </span>
  );
}

function whyOneSided({ verdict }: ComparedRow): string {
  if (verdict === 'failed') return 'Its experiment failed in the head, so there is no value to compare.';
  if (verdict === 'gone') return 'The head has no value of it.';
  return verdict === 'new' ? 'The base has no value of it.' : '';
}
