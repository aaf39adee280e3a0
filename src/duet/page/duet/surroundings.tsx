import type { JsonValue } from '../../../platform/core/text/json.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { shellQuote } from '../../../platform/core/text/shell.ts';
import { Fold } from '../../../platform/page/parts/controls.tsx';
import { Command } from '../../../platform/page/parts/display.tsx';
import type { DuetView } from '../../app/read-duet-view.ts';

/** What went wrong, where it ran, what was run, and how to do it again. */
export function Surroundings({ view }: { readonly view: DuetView }) {
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
            <Command text={runCommand({ file, seed, engine, filter })} /> measures it anew, in the same order
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
