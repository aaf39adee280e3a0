import { hueToken } from '../../../charts/page/colours.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { counted, formatChange } from '../../../platform/core/text/numbers.ts';
import { documentRef } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Fold } from '../../../platform/page/parts/controls.tsx';
import { Show } from '../../../platform/page/parts/page-frame.tsx';
import { useParameter } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { ChangedFile, ComparedCode } from '../../app/compare-code.ts';
import type { ComparedCells, ComparedDocument, ComparedJob } from '../../core/compare-jobs.ts';
import { shortId } from '../../core/job.ts';
import type { ListedJob } from '../../core/job-documents.ts';
import { queryOf, type TabProps } from '../list/use-selection.ts';
import { type CellStyle, cellStyles, valueText } from './cell-styles.ts';

const MAX_JOBS = 200;
const TITLES = {
  configuration: 'Configuration',
  code: 'Code',
  environment: 'Environment',
  results: 'Results',
} as const;

type Title = keyof typeof TITLES;

export function ConfigTab(props: TabProps) {
  return <Sections {...props} titles={['configuration']} />;
}

/** Code, environment and results, as in `nightmark job diff`. */
export function CodeTab(props: TabProps) {
  return (
    <>
      <CodeFiles jobs={props.jobs} />
      <Sections {...props} titles={['code', 'environment', 'results']} />
    </>
  );
}

function Sections({ selection, filters, titles }: TabProps & { readonly titles: readonly Title[] }) {
  const query = queryOf(selection, filters, MAX_JOBS);
  const loaded = useDocument(
    query && documentRef<ComparedDocument>(['jobs', 'compare'], { query, topic: 'jobs' }),
  );
  return (
    <Show loaded={loaded}>
      {({ jobs, sections, isCut }) => (
        <>
          {isCut && (
            <p class="quiet">
              The first {jobs.length} of those that were found: more cannot be read side by side.
            </p>
          )}
          {sections
            .filter(({ title }) => titles.includes(title))
            .map(({ title, rows }) => (
              <section key={title}>
                <h2 class={titles.length === 1 ? 'hidden' : ''}>{TITLES[title]}</h2>
                <ComparedTable caption={TITLES[title]} jobs={jobs} rows={rows} />
              </section>
            ))}
        </>
      )}
    </Show>
  );
}

interface ComparedTableProps {
  readonly caption: string;
  readonly jobs: readonly ComparedJob[];
  readonly rows: readonly ComparedCells[];
}

/** Jobs side by side: what is equal is faded, what differs is bold and coloured by value. One job alone is only shown. */
function ComparedTable({ caption, jobs, rows }: ComparedTableProps) {
  const [equal, setEqual] = useParameter('equal');
  const isDiff = jobs.length > 1;
  const isHidden = isDiff && equal === 'hide';
  const equalCount = rows.filter(({ isEqual }) => isEqual).length;
  const shown = isHidden ? rows.filter(({ isEqual }) => !isEqual) : rows;
  if (rows.length === 0) return <p class="quiet">There is nothing about it.</p>;
  return (
    <>
      {isDiff && (
        <p class="quiet">
          {counted(rows.length - equalCount, 'row differs', 'rows differ')}, {equalCount} equal{' '}
          {equalCount > 0 && (
            <button
              type="button"
              class="chip"
              aria-pressed={isHidden}
              onClick={() => setEqual(isHidden ? undefined : 'hide')}
            >
              {isHidden ? 'show the equal ones' : 'hide the equal ones'}
            </button>
          )}
        </p>
      )}
      <div class="scroll compared">
        <table>
          <caption class="hidden">{caption}</caption>
          <thead>
            <tr>
              <td />
              {neighbours(jobs).map(({ id, experiment, count }) => (
                <th key={id} scope="colgroup" colSpan={count} title={experiment}>
                  {experiment}
                </th>
              ))}
            </tr>
            <tr>
              <td />
              {jobs.map(({ id, name }) => (
                <th key={id} scope="col" title={`${name}\n${id}`}>
                  <Link to={`/jobs/${id}`}>{name}</Link> <span class="quiet">{shortId(id)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row key={row.key} row={row} isDiff={isDiff} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** Jobs of one experiment that stand side by side have one head. */
function neighbours(jobs: readonly ComparedJob[]) {
  const heads: { id: string; experiment: string; count: number }[] = [];
  for (const { id, experiment } of jobs) {
    const last = heads.at(-1);
    if (last?.experiment === experiment) last.count++;
    else heads.push({ id, experiment, count: 1 });
  }
  return heads;
}

function Row({ row, isDiff }: { readonly row: ComparedCells; readonly isDiff: boolean }) {
  const styles = cellStyles(row);
  const kind = !isDiff ? '' : row.isEqual ? 'equal' : 'differs';
  return (
    <tr class={kind}>
      <th scope="row">{row.key}</th>
      {row.values.map((value, place) => {
        const style = styles[place] ?? { type: 'plain' };
        return (
          <td key={place} style={isDiff ? backgroundOf(style) : {}} class={style.type}>
            {style.type !== 'missing' && <CellValue value={value} />}
            {place === 1 && row.change !== undefined && (
              <span class="quiet"> {formatChange(row.change)}</span>
            )}
          </td>
        );
      })}
    </tr>
  );
}

function CellValue({ value }: { readonly value: JsonValue }) {
  if (typeof value === 'boolean')
    return (
      <span role="img" aria-label={String(value)} title={String(value)}>
        {valueText(value)}
      </span>
    );
  return <>{valueText(value)}</>;
}

/** The colour only groups equal values; the text has the information. */
function backgroundOf(style: CellStyle): { readonly background?: string } {
  if (style.type === 'scale') return { background: mixed('--hue-1', 8 + 34 * style.part) };
  if (style.type === 'category') return { background: mixed(hueToken(style.place), 22) };
  return {};
}

function mixed(token: string, percent: number): string {
  return `color-mix(in srgb, var(${token}) ${percent.toFixed(0)}%, var(--back))`;
}

/** The code of two jobs, file by file; nothing where they ran the same, or none that is kept. */
function CodeFiles({ jobs }: { readonly jobs: readonly ListedJob[] }) {
  const hashes = jobs.map(({ code }) => (code?.type === 'package' ? code.hash : undefined));
  const isPair =
    jobs.length === 2 && hashes[0] !== undefined && hashes[1] !== undefined && hashes[0] !== hashes[1];
  const query = { id: jobs.map(({ id }) => id) };
  const loaded = useDocument(
    isPair ? documentRef<{ readonly code: ComparedCode | null }>(['jobs', 'code'], { query }) : undefined,
  );
  if (!isPair) return null;
  return (
    <section>
      <h2>Files of the code</h2>
      <Show loaded={loaded} height={80}>
        {({ code }) =>
          code === null ? <p class="quiet">This server cannot compare them.</p> : <CodeSummary code={code} />
        }
      </Show>
    </section>
  );
}

function CodeSummary({ code: { added, removed, changed, equal } }: { readonly code: ComparedCode }) {
  return (
    <>
      <p>
        From the older to the younger: {counted(changed.length, 'file')} changed, {added.length} added,{' '}
        {removed.length} removed, {equal} equal.
      </p>
      {changed.map((file) => (
        <Changed key={file.path} file={file} />
      ))}
      {added.length > 0 && <p class="path">added: {added.join(', ')}</p>}
      {removed.length > 0 && <p class="path">removed: {removed.join(', ')}</p>}
    </>
  );
}

function Changed({ file }: { readonly file: ChangedFile }) {
  if (file.type !== 'text')
    return (
      <p>
        <code>{file.path}</code>{' '}
        <span class="quiet">differs ({file.type === 'binary' ? 'no text' : 'too large to show'})</span>
      </p>
    );
  const { lines, added, removed } = file.diff;
  return (
    <Fold
      name={`file ${file.path}`}
      isOpenFirst={lines.length < 60}
      summary={
        <>
          <code>{file.path}</code>{' '}
          <span class="quiet">
            +{added} −{removed}
          </span>
        </>
      }
    >
      <pre class="log" tabIndex={0}>
        {lines.map((line, at) => (
          <span key={at} class={lineClass(line)}>
            {line}
            {'\n'}
          </span>
        ))}
      </pre>
    </Fold>
  );
}

function lineClass(line: string): string {
  return line.startsWith('+')
    ? 'added'
    : line.startsWith('-')
      ? 'removed'
      : line.startsWith('@')
        ? 'quiet'
        : '';
}
