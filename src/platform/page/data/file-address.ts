import { useEffect, useState } from 'preact/hooks';
import { artifactPath, documentFile } from '../../core/site/site-files.ts';
import { theSource } from './source.ts';

/** Where a file of an experiment is; undefined while it is searched, and where it was not published. */
export function useFileAddress(kind: 'graph' | 'data', experiment: string, file: string): string | undefined {
  const { isLive } = theSource();
  const path = [kind, experiment, ...file.split('/')].map(encodeURIComponent).join('/');
  const place = useSiteFile(isLive ? undefined : artifactPath(kind, experiment, file));
  return isLive ? `/files/${path}` : place;
}

/** Where a file of the site lies; undefined while it is searched, where it was not published, and for no file. */
export function useSiteFile(path: string | undefined): string | undefined {
  const [found, setFound] = useState<{ readonly path: string; readonly place: string | undefined }>();
  useEffect(() => {
    if (path !== undefined)
      void theSource()
        .place?.(path)
        .then((place) => setFound({ path, place }));
  }, [path]);
  return found?.path === path ? found?.place : undefined;
}

/** Whether there is a document: a server has all, a static site those that were published. */
export function useDocumentExists(address: string): boolean {
  const { isLive } = theSource();
  const [isThere, setIsThere] = useState(isLive);
  useEffect(() => {
    const found = theSource().place?.(documentFile(address));
    void found?.then((place) => setIsThere(place !== undefined));
  }, [address]);
  return isThere;
}
