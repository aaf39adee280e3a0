import { createHash, createHmac } from 'node:crypto';

/** Looked up by its hash, a token shows neither its length nor its beginning in the time it takes. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** What a browser keeps in the place of the token: it proves the token without being it. */
export function pageSeal(token: string): string {
  return createHmac('sha256', token).update('nightmark page').digest('base64url');
}

/** What is kept of a token. */
export function tokenHashes(token: string): { readonly hash: string; readonly pageHash: string } {
  return { hash: hashOf(token), pageHash: hashOf(pageSeal(token)) };
}
