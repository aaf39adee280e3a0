import { useMemo } from 'preact/hooks';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import { documentRef } from '../../platform/page/data/source.ts';
import { useDocument } from '../../platform/page/data/use-document.ts';
import { Fold } from '../../platform/page/parts/controls.tsx';
import { Command } from '../../platform/page/parts/display.tsx';
import { PageFrame, Show } from '../../platform/page/parts/page-frame.tsx';
import { Minute } from '../../platform/page/parts/time.tsx';
import { setParameters, useParameter } from '../../platform/page/router/address.ts';
import type { RouteParameters } from '../../platform/page/router/match-route.ts';
import type { DuetView } from '../app/read-duet-view.ts';
import { groupNamer, headline } from '../core/analysis/group-text.ts';
import { verdictSentence } from '../core/verdict-sentence.ts';
import { Comparison } from './comparison.tsx';
import { ComparisonTable } from './comparison-table.tsx';

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
        <p class="calm">No iterations of both sides could be compared.</p>
      ) : (
        <Comparison key={name(group)} {...{ id, view, group, place }} name={name(group)} />
      )}
      <Surroundings view={view} />
    </>
  );
}

/** What went wrong, where it ran, what was run, and how to do it again. */
function Surroundings({ view }: { readonly view: DuetView }) {
  return (
    <>
      <Problems view={view} />
      <Environment view={view} />
      <Again view={view} />
    </>
  );
}

function Problems({ view: { problems, analysis } }: { readonly view: DuetView }) {
  if (problems.length + analysis.notes.length === 0) return null;
  return (
    <section aria-labelledby="problems">
      <h2 id="problems">What was left out, and why</h2>
      <ul class="notes">
        {problems.map(({ benchmark, type, runid, text }, place) => (
          <li key={place}>
            {benchmark} {type} {runid}: {text}
          </li>
        ))}
        {analysis.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </section>
  );
}

function Environment({ view: { artifacts, machine } }: { readonly view: DuetView }) {
  const facts = machine?.['facts'];
  const rows = [
    ...artifacts.map(({ name, value }) => [name, value] as const),
    ...Object.entries(facts && typeof facts === 'object' && !Array.isArray(facts) ? facts : {}).map(
      ([name, value]) => [name, textOf(value)] as const,
    ),
  ];
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby="environment">
      <h2 id="environment">Environment</h2>
      <Fold name="facts" summary={<>Both sides ran on one machine: {counted(rows.length, 'fact')} of it</>}>
        <table class="facts">
          <tbody>
            {rows.map(([name, value], place) => (
              <tr key={place}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Fold>
    </section>
  );
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function Again({ view: { files, entry } }: { readonly view: DuetView }) {
  return (
    <section aria-labelledby="again">
      <h2 id="again">Again</h2>
      <ul class="commands">
        {files.map(({ file, seed, engine, filter }) => (
          <li key={file}>
            <Command text={runCommand({ file, seed, engine, filter })} /> measures it again, in the same order
          </li>
        ))}
        <li>
          <Command text={`nightmark duet analyze ${shellQuote(entry.place)}`} /> judges it in a terminal
        </li>
        {entry.type === 'folder' && (
          <li>
            <Command text={`nightmark duet process ${shellQuote(entry.place)} -o iterations.csv`} /> writes
            every iteration as a table
          </li>
        )}
      </ul>
      {files.map(({ file, name, text }) => (
        <Fold
          name={`file ${file}`}
          key={file}
          summary={
            <>
              {name}: {file}
            </>
          }
        >
          <pre class="log">{text}</pre>
        </Fold>
      ))}
    </section>
  );
}

function runCommand({
  file,
  seed,
  engine,
  filter,
}: Omit<DuetView['files'][number], 'name' | 'text'>): string {
  const only = filter.length === 0 ? '' : ` --filter ${filter.map(shellQuote).join(' ')} --`;
  const docker = engine === '' || engine === 'docker' ? '' : ` --docker ${shellQuote(engine)}`;
  return `nightmark duet run --seed ${seed}${docker}${only} ${shellQuote(file)}`;
}
