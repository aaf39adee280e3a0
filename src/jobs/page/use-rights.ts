import { useSession } from '../../platform/page/data/use-document.ts';
import type { JobRights } from '../core/job-documents.ts';

/** What whoever looks may do with jobs; undefined until the server has told. */
export function useRights(): JobRights | undefined {
  const session = useSession();
  if (session === undefined) return undefined;
  if (session.scopes.includes('write')) return { canWrite: true };
  return session.isReadOnly
    ? { canWrite: false, error: 'nothing is written here', hint: 'The server was started to be read only.' }
    : {
        canWrite: false,
        error: 'writing needs a token',
        hint: 'One with the scope "write": nightmark token create.',
      };
}
