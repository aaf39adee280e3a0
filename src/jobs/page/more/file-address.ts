import { useSitePlace } from '../../../platform/page/data/file-address.ts';
import { theSource } from '../../../platform/page/data/source.ts';
import { jobImagePath } from '../../core/job-documents.ts';

/** Where a file of a job is fetched; undefined in a copy, which has no more than pictures of it. */
export function useJobFile(id: string, path: string): string | undefined {
  const { isLive } = theSource();
  const place = useSitePlace(isLive ? undefined : jobImagePath(id, path));
  // Slashes stay what they are.
  return isLive
    ? `/file/${encodeURIComponent(id)}/${path.split('/').map(encodeURIComponent).join('/')}`
    : place;
}
