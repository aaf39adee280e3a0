import type { ComponentChildren } from 'preact';
import { machineFacts } from '../../../judge/core/explain/flat-facts.ts';
import { formatNumber } from '../../../platform/core/text/numbers.ts';
import { shellQuote } from '../../../platform/core/text/shell.ts';
import { Command, Scroll } from '../../../platform/page/parts/display.tsx';
import { localText, utcText } from '../../../platform/page/parts/time.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import type { RunView } from '../../app/runs/read-run.ts';

/** The commands to repeat the run, and the facts of its environment. */
export function Environment({ view }: { readonly view: RunView }) {
  const home = shellQuote(view.home);
  const commands = view.commands.map(({ start, rest, purpose }) => {
    return { command: [start, home, rest].join(' ').trim(), purpose };
  });
  return (
    <section aria-labelledby="repeat">
      <h2 id="repeat">To repeat it</h2>
      <ul class="commands">
        {commands.map(({ command, purpose }) => (
          <li key={command}>
            <Command text={command} /> <span class="quiet">{purpose}</span>
          </li>
        ))}
      </ul>
      <Sources view={view} />
      <Scroll label="Facts of the run">
        <table class="facts">
          <tbody>
            {factRows(view).map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

type Row = readonly [name: string, value: ComponentChildren];

function factRows({ run, machine, options, imported, resumedAt }: RunView): readonly Row[] {
  const { id, startedAt, seed, order, machineId } = run;
  const lists = (['only', 'skip'] as const).flatMap((name): readonly Row[] => {
    const names = options?.[name];
    return names && names.length > 0 ? [[name, names.join(', ')]] : [];
  });
  return [
    ['id', <code>{id}</code>],
    ['started', `${localText(startedAt)} (${utcText(startedAt)})`],
    ['ended', endText(run)],
    ...(resumedAt.length > 0 ? [['resumed', resumedAt.map(localText).join(', ')] as const] : []),
    ['seed', seed === undefined ? 'not recorded' : <code>{seed}</code>],
    ['order', order.length === 0 ? 'not recorded' : order.join(', ')],
    ...lists,
    ...(options?.build === false ? [['build', 'sources were taken as they were built last'] as const] : []),
    ...(imported ? importRows(imported) : []),
    [
      'machine',
      machine === undefined ? (
        'not recorded'
      ) : (
        <>
          <Link to={`/machines/${encodeURIComponent(machineId ?? machine.id)}`}>{machine.name}</Link>{' '}
          <code>{machine.id}</code>
        </>
      ),
    ],
    ...machineFacts(machine?.facts ?? {}).map(({ name, value, unit }): Row => {
      return [
        name,
        unit !== undefined && typeof value === 'number' ? formatNumber(value, unit) : String(value),
      ];
    }),
  ];
}

function importRows({
  file,
  format,
  branch,
  failed,
  skipped,
}: NonNullable<RunView['imported']>): readonly Row[] {
  return [
    ['imported from', <code>{file}</code>],
    ['format', format],
    ...(branch === undefined ? [] : [['branch', branch] as const]),
    ...(failed.length > 0 ? [['failed in it', failed.join(', ')] as const] : []),
    ...(skipped.length > 0 ? [['left out of it', skipped.join(', ')] as const] : []),
  ];
}

function endText({ endedAt, state }: RunView['run']): string {
  if (endedAt !== undefined) return `${localText(endedAt)} (${utcText(endedAt)})`;
  return state === 'finished' ? 'not recorded' : 'not yet';
}

/** Every source once for each commit of it; one with uncommitted changes cannot be reproduced. */
function Sources({ view: { tasks } }: { readonly view: RunView }) {
  const found = new Map<string, Map<string, number>>();
  for (const { trial } of tasks) {
    for (const [source, commit] of Object.entries(trial.commits)) {
      const commits = found.get(source) ?? new Map<string, number>();
      found.set(source, commits.set(commit, (commits.get(commit) ?? 0) + 1));
    }
  }
  if (found.size === 0) return null;
  return (
    <ul>
      {[...found].map(([source, commits]) => (
        <li key={source}>
          source <strong>{source}</strong>{' '}
          {[...commits].map(([commit, count]) => (
            <span key={commit}>
              at <code>{commit}</code>{' '}
              {commit.endsWith('-dirty') && (
                <strong class="state missing">with changes that are in no commit </strong>
              )}
              {commits.size > 1 && <span class="quiet">({count} tasks) </span>}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}
