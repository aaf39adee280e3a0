import { documentRef } from '../../../platform/page/data/document.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Show } from '../../../platform/page/parts/show.tsx';
import { setParameters, useParameter } from '../../../platform/page/router/use-address.ts';
import type { DuetGroupView, DuetRunDocument } from '../../app/read-duet-group.ts';
import type { DuetView } from '../../app/read-duet-view.ts';
import type { GroupAnalysis } from '../../core/analysis/duet-analysis.ts';
import { verdictSentence } from '../../core/verdict-sentence.ts';
import { Facts } from './facts.tsx';
import { Lanes } from './lanes.tsx';
import { PairRatios } from './pair-ratios.tsx';
import { RatioBars } from './ratio-bars.tsx';
import { RunRatios } from './run-ratios.tsx';
import { RunTable } from './run-table.tsx';
import { SideSettings } from './side-settings.tsx';
import { Telemetry } from './telemetry.tsx';

interface Props {
  readonly id: string;
  readonly view: DuetView;
  readonly group: GroupAnalysis;
  readonly place: number;
  readonly name: string;
}

const SIDES = { A: { name: 'A' }, B: { name: 'B' } };

/** One comparison with everything that is known about it. */
export function Comparison({ id, view, group, place, name }: Props) {
  const loaded = useDocument(
    documentRef<DuetGroupView>(['duets', id, 'groups', String(place)], { topic: 'runs' }),
  );
  const [given] = useParameter('run');
  const run = Math.min(group.runs.length - 1, Math.max(0, Number.parseInt(given ?? '0', 10) || 0));
  const choose = (one: number) =>
    setParameters({ run: one === 0 ? undefined : String(one), lanes: undefined, pairs: undefined });
  const { judgement } = group;
  return (
    <section aria-labelledby="comparison">
      <h2 id="comparison">
        {name}: {verdictSentence({ judgement, sides: SIDES })}
      </h2>
      <Facts group={group} />
      {judgement.notes.length > 0 && (
        <ul class="notes">
          {judgement.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <div class="charts">
        <figure>
          <figcaption>Ratio B / A of every run, the unit of the statistics</figcaption>
          <RunRatios group={group} onChoose={choose} />
        </figure>
        <figure>
          <figcaption>How often pairs had which ratio B / A</figcaption>
          <Show loaded={loaded} height={220}>
            {({ bins }) => (bins ? <RatioBars bins={bins} /> : <p class="quiet">No pair was found.</p>)}
          </Show>
        </figure>
      </div>
      <RunTable group={group} orders={loaded.value?.orders ?? []} chosen={run} onChoose={choose} />
      <RunDetail key={run} id={id} group={group} place={place} run={run} />
      <SideSettings view={view} group={group} />
    </section>
  );
}

interface RunProps extends Pick<Props, 'id' | 'group' | 'place'> {
  readonly run: number;
}

function RunDetail({ id, group, place, run }: RunProps) {
  const path = ['duets', id, 'groups', String(place), 'runs', String(run)];
  const loaded = useDocument(documentRef<DuetRunDocument>(path));
  return (
    <Show loaded={loaded} height={400}>
      {(found) => (
        <>
          <h3>
            Run {found.runid}
            {found.order !== 'None' && `, ${found.order[0]} started first`}
          </h3>
          <Lanes run={found} />
          <PairRatios run={found} group={group} />
          <Telemetry run={found} />
        </>
      )}
    </Show>
  );
}
