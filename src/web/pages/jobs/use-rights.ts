import type { JobRights } from '../../../core/jobs/job-documents.ts';
import { documentRef } from '../../data/document.ts';
import { theSource } from '../../data/source.ts';
import { useDocument } from '../../data/use-document.ts';

/** Whether the reader may change jobs; undefined while that is not known, and in a static site. */
export function useRights(): JobRights | undefined {
  const { isLive } = theSource();
  return useDocument(isLive ? documentRef<JobRights>(['jobs', 'rights']) : undefined).value;
}
