import { counted } from '../../../platform/core/text/numbers.ts';
import { documentRef } from '../../../platform/page/data/document.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Fold } from '../../../platform/page/parts/fold.tsx';
import { Show } from '../../../platform/page/parts/show.tsx';
import type { ChangedFile, ComparedCode } from '../../app/compare-code.ts';
import type { ListedJob } from '../../core/job-documents.ts';

/** The code of two jobs, file by file; nothing where they ran the same, or none that is kept. */
export function CodeFiles({ jobs }: { readonly jobs: readonly ListedJob[] }) {
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
          code === null ? <p class="quiet">This server cannot compare them.</p> : <Files code={code} />
        }
      </Show>
    </section>
  );
}

function Files({ code: { added, removed, changed, equal } }: { readonly code: ComparedCode }) {
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
