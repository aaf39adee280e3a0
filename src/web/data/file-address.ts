import { useEffect, useState } from 'preact/hooks';
import { artifactPath } from '../../core/site/artifact-path.ts';
import { documentFile } from '../../core/site/document-file.ts';
import { sitePlace } from './file-source.ts';
import { theSource } from './source.ts';

/** Where a file of an experiment is; undefined while it is looked for, and where it was not published. */
export function useFileAddress(kind: 'graph' | 'data', experiment: string, file: string): string | undefined {
  const { isLive } = theSource();
  const path = [kind, experiment, ...file.split('/')].map(encodeURIComponent).join('/');
  const [address, setAddress] = useState(isLive ? `/files/${path}` : undefined);
  useEffect(() => {
    if (!isLive) void sitePlace(artifactPath(kind, experiment, file)).then(setAddress);
  }, [path]);
  return address;
}

/** Whether there is a document: a server has all, a static site those that were published. */
export function useIsThere(address: string): boolean {
  const { isLive } = theSource();
  const [isThere, setIsThere] = useState(isLive);
  useEffect(() => {
    if (!isLive) void sitePlace(documentFile(address)).then((place) => setIsThere(place !== undefined));
  }, [address, isLive]);
  return isThere;
}
