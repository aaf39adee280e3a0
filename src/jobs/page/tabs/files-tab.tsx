import { useSiteFile } from '../../../platform/page/data/file-address.ts';
import { documentRef, theSource } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Image, Quantity, Scroll } from '../../../platform/page/parts/display.tsx';
import { Show } from '../../../platform/page/parts/page-frame.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import { shortId } from '../../core/job.ts';
import { type JobView, jobImagePath } from '../../core/job-documents.ts';
import { type TabProps, useMost } from '../list/use-selection.ts';

const AT_ONCE = 20;

export function FilesTab({ jobs }: TabProps) {
  const [most, showMore] = useMost(AT_ONCE);
  return (
    <>
      {jobs.slice(0, most).map(({ id, name, outputDir }) => (
        <section key={id}>
          <h3>
            <Link to={`/jobs/${id}`}>{name}</Link> <span class="quiet">{shortId(id)}</span>
          </h3>
          <FilesOf id={id} outputDir={outputDir} />
        </section>
      ))}
      {jobs.length > most && (
        <button type="button" class="small" onClick={showMore}>
          {jobs.length - most} more jobs
        </button>
      )}
    </>
  );
}

export interface FileListing {
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  readonly isCut: boolean;
}

export function FilesOf({ id, outputDir }: { readonly id: string; readonly outputDir: string | undefined }) {
  const loaded = useDocument(documentRef<FileListing>(['jobs', id, 'files'], { topic: 'jobs' }));
  return (
    <Show loaded={loaded} height={60}>
      {({ files, isCut }) =>
        files.length === 0 ? (
          <p class="quiet">It has left no file.</p>
        ) : (
          <>
            <p class="quiet">
              In <code>{outputDir}</code>
              {isCut && `: the first ${files.length}, there are more`}
            </p>
            <Scroll label="Files">
              <table class="files">
                <tbody>
                  {files.map(({ path, bytes }) => (
                    <tr key={path}>
                      <th scope="row">
                        <FileName id={id} path={path} />
                      </th>
                      <td class="number">
                        <Quantity value={bytes} unit="B" />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Scroll>
          </>
        )
      }
    </Show>
  );
}

/** A link where the file can be had. */
function FileName({ id, path }: { readonly id: string; readonly path: string }) {
  const address = useJobFileUrl(id, path);
  return address === undefined ? (
    <span class="path">{path}</span>
  ) : (
    <a class="path" href={address}>
      {path}
    </a>
  );
}

/** Where a file of a job is fetched; undefined in a copy, which has no more than pictures of it. */
export function useJobFileUrl(id: string, path: string): string | undefined {
  const { isLive } = theSource();
  const place = useSiteFile(isLive ? undefined : jobImagePath(id, path));
  // Slashes stay what they are.
  return isLive
    ? `/file/${encodeURIComponent(id)}/${path.split('/').map(encodeURIComponent).join('/')}`
    : place;
}

/** Pictures that the jobs left, by their keys. */
export function ImagesTab({ jobs }: TabProps) {
  const [most, showMore] = useMost(AT_ONCE);
  return (
    <>
      {jobs.slice(0, most).map(({ id, name }) => (
        <section key={id}>
          <h3>
            <Link to={`/jobs/${id}`}>{name}</Link> <span class="quiet">{shortId(id)}</span>
          </h3>
          <ImagesOf id={id} />
        </section>
      ))}
      {jobs.length > most && (
        <button type="button" class="small" onClick={showMore}>
          {jobs.length - most} more jobs
        </button>
      )}
    </>
  );
}

function ImagesOf({ id }: { readonly id: string }) {
  const loaded = useDocument(documentRef<JobView>(['jobs', id], { topic: 'jobs' }));
  return (
    <Show loaded={loaded} height={60}>
      {({ images }) => <Pictures id={id} images={images} />}
    </Show>
  );
}

interface PicturesProps {
  readonly id: string;
  readonly images: JobView['images'];
}

export function Pictures({ id, images }: PicturesProps) {
  const all = Object.entries(images);
  if (all.length === 0) return <p class="quiet">It has left no picture.</p>;
  return (
    <div class="pictures">
      {all.map(([key, path]) => (
        <Picture key={key} {...{ id, path, name: key }} />
      ))}
    </div>
  );
}

interface PictureProps {
  readonly id: string;
  readonly path: string;
  readonly name: string;
}

function Picture({ id, path, name }: PictureProps) {
  const address = useJobFileUrl(id, path);
  return (
    <figure>
      {address === undefined ? (
        <span class="quiet">not part of this copy</span>
      ) : (
        <a href={address}>
          <Image address={address} name={name} />
        </a>
      )}
      <figcaption>{name}</figcaption>
    </figure>
  );
}
