import { jsonStrings, type StringValue, yamlStrings } from './config-strings.ts';
import { baseName } from './path.ts';

/** Stands in a backup where a secret was; a restore puts the value of the present home back in its place. */
export const LEFT_OUT = '(left out of the backup)';

export type TextKind = 'json' | 'yaml';

/** Which kind of configuration text a file holds; undefined when it holds none. */
export function textKind(path: string): TextKind | undefined {
  if (/\.json$/i.test(path)) return 'json';
  return /\.ya?ml$/i.test(path) ? 'yaml' : undefined;
}

/**
 * Whether a file of a home (path relative to it) is searched for secret keys. Results are not: they may say "token"
 * and mean a word, and they must come back as they were.
 */
export function mayHoldSecretKeys(path: string): boolean {
  return textKind(path) !== undefined && !/^(results|\.nightmark)\//.test(path);
}

/** Files that are secrets as a whole, recognised by their names. */
export function isSecretFile(path: string): boolean {
  const name = baseName(path).toLowerCase();
  return SECRET_FILES.some((pattern) => pattern.test(name)) && !HARMLESS_FILES.test(name);
}

/** The text without its secrets, and the keys of what was left out; undefined when there are none. */
export function withoutSecrets(
  text: string,
  kind: TextKind,
): { readonly text: string; readonly leftOut: readonly string[] } | undefined {
  const secrets = stringsOf(text, kind).filter((found) => isSecret(found, kind));
  if (secrets.length === 0) return undefined;
  const replacement = JSON.stringify(LEFT_OUT);
  return {
    text: splice(
      text,
      secrets.map((secret) => ({ ...secret, by: replacement })),
    ),
    leftOut: secrets.map(keyOf),
  };
}

/** What a restore makes of a text: secrets put back from the present text, and those whose value is lost. */
interface SecretsBack {
  readonly text: string;
  readonly kept: readonly string[];
  readonly missing: readonly string[];
}

/** The reverse of withoutSecrets; undefined when nothing was left out of the text. */
export function withSecretsOf(
  present: string | undefined,
  text: string,
  kind: TextKind,
): SecretsBack | undefined {
  const gaps = stringsOf(text, kind).filter(({ value }) => value === LEFT_OUT);
  if (gaps.length === 0) return undefined;
  const known = new Map(stringsOf(present ?? '', kind).map((found) => [placeOf(found), found]));
  const filled = gaps.flatMap((gap) => {
    const source = known.get(placeOf(gap));
    if (!source || source.value === LEFT_OUT) return [];
    return [{ ...gap, by: (present ?? '').slice(source.start, source.end) }];
  });
  const kept = filled.map(keyOf);
  return { text: splice(text, filled), kept, missing: gaps.map(keyOf).filter((key) => !kept.includes(key)) };
}

const SECRET_FILES: readonly RegExp[] = [
  /^\.env(\..+)?$/,
  /\.(pem|key|p12|pfx|jks|kdbx|keytab)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)/,
  /^[._]netrc$/,
  /^\.(pgpass|git-credentials|htpasswd)$/,
  /^credentials$/,
];
const HARMLESS_FILES = /\.(pub|example|sample|template|dist)$/;

type Found = StringValue & { readonly column?: number };

function stringsOf(text: string, kind: TextKind): readonly Found[] {
  return kind === 'json' ? jsonStrings(text) : yamlStrings(text);
}

function isSecret({ keys, value }: Found, kind: TextKind): boolean {
  if (value === '' || value === LEFT_OUT || isReference(value)) return false;
  // A name and a password in front of the host, and Slack's addresses, which are passwords by themselves.
  if (/:\/\/[^/\s:@]*:[^/\s@]+@|hooks\.slack\.com\/services\//.test(value)) return true;
  if (!keys.some(isSecretKey)) return false;
  const isText = kind === 'json' || !/^(true|false|yes|no|null|~|[-+]?[\d._]+)$/i.test(value);
  return isText || keys.some((key) => /passw|passphrase/i.test(key));
}

/** ${NAME} is read from the environment, *name is an alias: neither is a secret itself. */
function isReference(value: string): boolean {
  return /^\$\{\w+\}$|^\$\w+$|^\*\S+$/.test(value);
}

/** By the words of the key, so that "slackToken" is one and "tokenizer" and "max_tokens" are none. */
export function isSecretKey(key: string): boolean {
  const words = key
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  // "token_file" and "token_env" say where the secret is.
  if (['file', 'path', 'env', 'variable', 'name'].includes(last) && words.length > 1) return false;
  const isWord = words.some((word) =>
    /(token|secrets?|passw(or)?d|passphrase|apikey|credentials?)$/.test(word),
  );
  return isWord || /\b((api|private|access|secret|signing) keys?|webhooks?( url)?)$/.test(words.join(' '));
}

function keyOf({ keys }: Found): string {
  return keys.join('.');
}

/** Keys and column: a block of YAML fits only where its key is as far in as it was. */
function placeOf({ keys, column = 0 }: Found): string {
  return JSON.stringify([keys, column]);
}

function splice(text: string, changes: readonly (Found & { readonly by: string })[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, by } of changes) {
    result += text.slice(at, start) + by;
    at = end;
  }
  return result + text.slice(at);
}
