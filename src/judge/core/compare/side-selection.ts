import { NightmarkError } from '../../../platform/core/errors.ts';

/** What somebody typed to say which runs: "latest~2", a run, a commit, "machine:bench-1", "2026-01-01/2026-01-31". */
export type Selection =
  | { readonly kind: 'latest'; readonly back: number }
  | { readonly kind: 'machine'; readonly name: string }
  | { readonly kind: 'branch'; readonly name: string }
  /** Of any source, unless one is named. */
  | { readonly kind: 'commit'; readonly hash: string; readonly source?: string }
  /** Runs that began at `from` or later and before `to`. */
  | { readonly kind: 'span'; readonly from: number; readonly to: number }
  /** Id or label of a run, or its beginning; or else a commit. */
  | { readonly kind: 'name'; readonly text: string };

/** Reads a selection. Days are those of UTC. */
export function parseSelection(text: string): Selection {
  const [, word = '', rest = ''] = /^(machine|branch|commit|run|since|until):(.*)$/s.exec(text) ?? [];
  if (word !== '' && rest.trim() === '') throw unclear(text);
  if (word === 'machine' || word === 'branch') return { kind: word, name: rest };
  if (word === 'run') return { kind: 'name', text: rest };
  if (word === 'commit') return commitOf(rest);
  if (word === 'since') return { kind: 'span', from: dayIn(rest, text), to: Number.MAX_SAFE_INTEGER };
  if (word === 'until') return { kind: 'span', from: 0, to: dayIn(rest, text) + DAY_MS };
  const latest = /^latest(?:~(\d{1,6}))?$/.exec(text);
  if (latest) return { kind: 'latest', back: Number(latest[1] ?? 0) };
  const days = /^(\d{4}-\d\d-\d\d)(?:\/(\d{4}-\d\d-\d\d))?$/.exec(text);
  if (days) {
    const [, from = '', to = from] = days;
    return { kind: 'span', from: dayIn(from, text), to: dayIn(to, text) + DAY_MS };
  }
  if (text.trim() === '' || text.length > MOST_TEXT) throw unclear(text);
  return text.includes('@') ? commitOf(text) : { kind: 'name', text };
}

/** Both sides of "base..head"; a side that is left out is undefined. Undefined: there is no ".." in it. */
export function splitPair(text: string): { readonly base?: string; readonly head?: string } | undefined {
  const at = text.indexOf('..');
  if (at < 0) return undefined;
  const [base, head] = [text.slice(0, at), text.slice(at + 2)];
  return { ...(base !== '' && { base }), ...(head !== '' && { head }) };
}

const DAY_MS = 86_400_000;
const MOST_TEXT = 300;

function commitOf(text: string): Selection {
  const at = text.lastIndexOf('@');
  const [source, hash] = at < 0 ? [undefined, text] : [text.slice(0, at), text.slice(at + 1)];
  if (!/^[0-9a-f]{4,64}$/i.test(hash)) throw unclear(text);
  return { kind: 'commit', hash: hash.toLowerCase(), ...(source && { source }) };
}

function dayIn(day: string, text: string): number {
  const at = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at)) throw unclear(text);
  return at;
}

function unclear(text: string): NightmarkError {
  return new NightmarkError('COMPARE_UNCLEAR', `"${text.slice(0, MOST_TEXT)}" names no runs.`, {
    hint: 'Say latest, latest~3, a run, a commit (commit:6de6d63, repo@6de6d63), machine:NAME, branch:NAME, 2026-01-31, 2026-01-01/2026-01-31 or since:2026-01-01.',
  });
}
