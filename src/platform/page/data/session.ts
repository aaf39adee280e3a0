import type { Scope } from '../../core/access-token.ts';
import { documentRef } from './document.ts';
import { theSource } from './source.ts';
import { useDocument } from './use-document.ts';

/** Who looks at the page, and what they may do. */
export interface PageSession {
  readonly name?: string;
  readonly scopes: readonly Scope[];
  readonly isReadOnly: boolean;
}

const NOBODY: PageSession = { scopes: [], isReadOnly: true };

/** Undefined until the server has told; in a static site nobody may change anything. */
export function useSession(): PageSession | undefined {
  const { isLive } = theSource();
  const { value } = useDocument(isLive ? documentRef<PageSession>(['session']) : undefined);
  return isLive ? value : NOBODY;
}

/** Whether buttons that change something are shown. */
export function useMayWrite(): boolean {
  return useSession()?.scopes.includes('write') === true;
}
