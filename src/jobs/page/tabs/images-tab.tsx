import { documentRef } from '../../../platform/page/data/document.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Image } from '../../../platform/page/parts/image.tsx';
import { Show } from '../../../platform/page/parts/show.tsx';
import { Link } from '../../../platform/page/router/link.tsx';
import { shortId } from '../../core/job.ts';
import type { JobView } from '../../core/job-documents.ts';
import { type TabProps, useMost } from '../list/use-selection.ts';
import { useJobFileUrl } from './files-tab.tsx';

const AT_ONCE = 20;

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
