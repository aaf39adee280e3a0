import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { homeLayout } from '../../home/core/home-layout.ts';
import { type AccessToken, readTokens, writeTokens } from '../../platform/core/access-token.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { TokenSource } from '../../platform/server/access/presented-tokens.ts';

function tokenFile(home: string): string {
  return joinPath(homeLayout(home).own, 'tokens.json');
}

/** 256 random bits: nobody guesses them, and a plain hash is enough to keep them. */
export function newToken(): string {
  return `nm_${randomBytes(32).toString('base64url')}`;
}

/** None where no token was made yet. */
export function loadTokens(home: string): readonly AccessToken[] {
  const file = tokenFile(home);
  const text = textOf(file);
  const tokens = text === undefined ? [] : readTokens(text);
  if (tokens !== undefined) return tokens;
  throw new NightmarkError('SERVE_TOKENS_BROKEN', `${file} is not a list of tokens.`, {
    hint: 'Restore it, or remove it and make the tokens anew: nightmark token create.',
  });
}

/** Readable by the owner only, and written atomically. */
export function saveTokens(home: string, tokens: readonly AccessToken[]): void {
  const file = tokenFile(home);
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, writeTokens(tokens), { mode: 0o600 });
  // The mode above is that of new files only.
  chmodSync(unfinished, 0o600);
  renameSync(unfinished, file);
}

/** The tokens of a home while others make and revoke them. A file that cannot be read grants nothing. */
export function watchTokens(home: string, report: (line: string) => void): TokenSource {
  const file = tokenFile(home);
  let seen = '';
  let tokens: readonly AccessToken[] = [];
  return {
    current() {
      const facts = statSync(file, { throwIfNoEntry: false, bigint: true });
      const now = facts ? `${facts.ino} ${facts.size} ${facts.mtimeNs}` : '';
      if (now === seen) return tokens;
      seen = now;
      try {
        tokens = loadTokens(home);
      } catch (error) {
        tokens = [];
        report(`No token of this home is valid now: ${(error as Error).message}`);
      }
      return tokens;
    },
  };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new NightmarkError('SERVE_TOKENS_BROKEN', `${file} cannot be read (${code}).`, {
      hint: 'It belongs to whoever made the tokens.',
      cause: error,
    });
  }
}
