import { NightmarkError } from '../../../core/errors.ts';

/** Where the shelf lies, and how sure a write must be before it counts. */
export interface PostgresAddress {
  /** For the driver; may hold a password, so it is never shown. */
  readonly connection: string;
  /** For people. */
  readonly shown: string;
  /** In quotes: its name may be a word of SQL. */
  readonly schema: string;
  readonly synchronousCommit?: string;
}

const EXAMPLE = 'postgres://nightmark@db.example.org:5432/metrics';
const COMMITS: readonly string[] = ['on', 'off', 'local', 'remote_write', 'remote_apply'];

/**
 * `place` comes from a file or the command line and must hold no password; without one NIGHTMARK_POSTGRES_URL counts, which
 * may. What an address leaves out is taken from PGHOST, PGUSER, PGPASSWORD and their like by the driver.
 */
export function postgresAddress(
  place: string,
  env: Readonly<Record<string, string | undefined>>,
): PostgresAddress {
  const variable = env['NIGHTMARK_POSTGRES_URL'] ?? '';
  const url = parse(place === '' ? variable : place, place === '' ? 'NIGHTMARK_POSTGRES_URL' : 'The address');
  if (place !== '' && url.password !== '') {
    throw new NightmarkError('POINTS_SECRET_IN_ADDRESS', `The address of ${url.host} has a password.`, {
      hint: 'Leave it out and set PGPASSWORD, or put the whole address into NIGHTMARK_POSTGRES_URL.',
    });
  }
  const schema = taken(url, 'schema') ?? 'nightmark';
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new NightmarkError('POINTS_BAD_ADDRESS', `"${schema}" cannot be the name of a schema.`, {
      hint: 'Small letters, digits and underscores, for example ?schema=nightmark',
    });
  }
  const commit = taken(url, 'synchronous_commit');
  if (commit !== undefined && !COMMITS.includes(commit)) {
    throw new NightmarkError('POINTS_BAD_ADDRESS', `synchronous_commit=${commit} is not known.`, {
      hint: `There are: ${COMMITS.join(', ')}.`,
    });
  }
  const shown = `postgres://${url.host}${url.pathname} (schema ${schema})`;
  return {
    connection: url.href,
    shown,
    schema: `"${schema}"`,
    ...(commit !== undefined && { synchronousCommit: commit }),
  };
}

function parse(text: string, what: string): URL {
  if (URL.canParse(text)) {
    const url = new URL(text);
    if (/^postgres(?:ql)?:$/.test(url.protocol)) return url;
  }
  // The text itself is not shown: it may be a password with a typing error before it.
  throw new NightmarkError('POINTS_BAD_ADDRESS', `${what} is no address of a PostgreSQL server.`, {
    hint: `For example: ${EXAMPLE}`,
  });
}

/** A parameter that is ours: the driver is not to see it. */
function taken(url: URL, name: string): string | undefined {
  const value = url.searchParams.get(name) ?? undefined;
  url.searchParams.delete(name);
  return value;
}
