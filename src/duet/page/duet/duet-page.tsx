import { useMemo } from 'preact/hooks';
import { counted } from '../../../platform/core/text/numbers.ts';
import { documentRef } from '../../../platform/page/data/document.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Minute } from '../../../platform/page/parts/moment.tsx';
import { PageFrame } from '../../../platform/page/parts/page-frame.tsx';
import { Show } from '../../../platform/page/parts/show.tsx';
import type { RouteParameters } from '../../../platform/page/router/match-route.ts';
import { setParameters, useParameter } from '../../../platform/page/router/use-address.ts';
import type { DuetView } from '../../app/read-duet-view.ts';
import { groupNamer, headline } from '../../core/analysis/group-text.ts';
import { verdictSentence } from '../../core/verdict-sentence.ts';
import { Comparison } from './comparison.tsx';
import { ComparisonTable } from './comparison-table.tsx';
import { Surroundings } from './surroundings.tsx';

/** One folder or table of duets: the verdicts, then each comparison with its iterations. */
export function DuetPage({ parameters: { id = '' } }: { readonly parameters: RouteParameters }) {
  const loaded = useDocument(documentRef<DuetView>(['duets', id], { topic: 'runs' }));
  return (
    <Show loaded={loaded} height={600}>
      {(view) => (
        <PageFrame
          title={`Duet ${id}`}
          heading={answer(view)}
          lead={<Lead view={view} />}
          json={`duets/${encodeURIComponent(id)}`}
          csv={`duets/${encodeURIComponent(id)}/runs.csv`}
        >
          <Duet id={id} view={view} />
        </PageFrame>
      )}
    </Show>
  );
}

/** Of one comparison its sentence, of several how many there are of each verdict. */
function answer({ analysis: { groups, options } }: DuetView): string {
  const [only, ...more] = groups;
  if (only === undefined || more.length > 0) return headline(groups, options.minEffect);
  const sides = { A: { name: 'A' }, B: { name: 'B' } };
  return `${only.benchmark}: ${verdictSentence({ judgement: only.judgement, sides })}`;
}

function Lead({ view: { entry, analysis } }: { readonly view: DuetView }) {
  const { place, at, planned, done, failed, state } = entry;
  return (
    <>
      <span class="path">{place}</span>, <Minute at={at} />
      {planned > 0 && `, ${done} of ${counted(planned, 'run')}`}
      {failed > 0 && <strong>, {failed} failed</strong>}
      {state === 'unfinished' && <strong>, not ended yet</strong>}
      {state === 'interrupted' && <strong>, interrupted</strong>}. B against A:{' '}
      {Math.round(analysis.options.level * 100)} % intervals, the run is the unit; less than{' '}
      {analysis.options.minEffect * 100} % is called the same.
    </>
  );
}

function Duet({ id, view }: { readonly id: string; readonly view: DuetView }) {
  const { groups } = view.analysis;
  const name = useMemo(() => groupNamer(groups), [groups]);
  const [wanted] = useParameter('group');
  const place = Math.max(
    0,
    groups.findIndex((group) => name(group) === wanted),
  );
  const group = groups[place];
  return (
    <>
      {groups.length > 1 && (
        <ComparisonTable
          groups={groups}
          name={name}
          chosen={place}
          minEffect={view.analysis.options.minEffect}
          onChoose={(one) =>
            setParameters(
              { group: name(one), run: undefined, lanes: undefined, pairs: undefined },
              { isStep: true },
            )
          }
        />
      )}
      {group === undefined ? (
        <p class="calm">There is no iteration of both sides here that could be compared.</p>
      ) : (
        <Comparison key={name(group)} {...{ id, view, group, place }} name={name(group)} />
      )}
      <Surroundings view={view} />
    </>
  );
}
