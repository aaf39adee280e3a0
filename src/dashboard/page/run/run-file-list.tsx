import { counted, formatNumber } from '../../../platform/core/text/numbers.ts';
import { documentRef, theSource } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Quantity, Scroll } from '../../../platform/page/parts/display.tsx';
import { Show } from '../../../platform/page/parts/page-frame.tsx';
import { useParameter } from '../../../platform/page/router/address.ts';
import { Link } from '../../../platform/page/router/link.tsx';
import type { RunFile, RunFiles } from '../../app/runs/result-files.ts';

/** More are one click away. */
const FILES = 30;

/** What the run left: data, pictures, samples, telemetry, logs; each with its size. */
export function RunFileList({ id }: { readonly id: string }) {
  const loaded = useDocument(documentRef<RunFiles>(['runs', id, 'files'], { topic: 'runs' }));
  return (
    <section aria-labelledby="files">
      <h2 id="files">Files</h2>
      <Show loaded={loaded} height={80}>
        {(list) => <List id={id} list={list} />}
      </Show>
    </section>
  );
}

function List({
  id,
  list: { files, leftOut, rawArchive },
}: {
  readonly id: string;
  readonly list: RunFiles;
}) {
  const [wanted, setWanted] = useParameter('files');
  const shown = wanted === 'all' ? files : files.slice(0, FILES);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <>
      <p class="quiet">
        {files.length === 0
          ? 'None of its files is left in the home: retention removed them, or it wrote none.'
          : `${counted(files.length, 'file')}, ${formatNumber(bytes, 'B')} together`}
        {rawArchive !== undefined && (
          <>
            . Raw data of its scripts: <code>{rawArchive}</code> in the "tmp" folder of the definition
          </>
        )}
        .
      </p>
      {files.length > 0 && (
        <Scroll label="Files of the run">
          <table>
            <thead>
              <tr>
                <th scope="col">task</th>
                <th scope="col">what</th>
                <th scope="col">file</th>
                <th scope="col" class="number">
                  size
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((file) => (
                <tr key={`${file.type} ${file.kind} ${file.task} ${file.name}`}>
                  <td class="path">{file.task}</td>
                  <td>{file.type}</td>
                  <td class="path">
                    <FileName id={id} file={file} />
                  </td>
                  <td class="number">
                    <Quantity value={file.size} unit="B" />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {files.length > shown.length && (
        <p>
          <button type="button" class="small" onClick={() => setWanted('all')}>
            Show {counted(files.length - shown.length, 'more file')}
          </button>
        </p>
      )}
      {leftOut > 0 && <p class="quiet">Files of {counted(leftOut, 'more task')} are not listed.</p>}
    </>
  );
}

/** Files are shown by a server; a static site names them only, but for logs, which have a page. */
function FileName({ id, file: { type, kind, task, name } }: { readonly id: string; readonly file: RunFile }) {
  const [run, whose] = [encodeURIComponent(id), encodeURIComponent(task)];
  const path = name.split('/').map(encodeURIComponent).join('/');
  if (type === 'log') return <Link to={`/runs/${run}/logs/${kind}/${whose}/${path}`}>{name}.log</Link>;
  if (!theSource().isLive || type === 'telemetry') return <>{name}</>;
  if (type === 'samples') return <a href={`/api/runs/${run}/samples/${whose}`}>{name}</a>;
  return <a href={`/files/${type}/${whose}/${path}`}>{name}</a>;
}
