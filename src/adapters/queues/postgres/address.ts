import { NightmarkError } from '../../../core/errors.ts';

export interface PostgresAddress {
  /** For the driver; may hold a password, so it is never shown. */
  readonly connection: string;
  /** For people. */
  readonly shown: string;
  readonly schema: string;
}

/**
 * `place` comes from a file or the command line and must hold no password; without one NIGHTMARK_POSTGRES_URL counts, which
 * may. What an address leaves out is taken from PGHOST, PGUSER, PGPASSWORD and their like by the driver.
 */
export function postgresAddress(
  place: string,
  env: Readonly<Record<string, string | undefined>>,
): PostgresAddress {
  const text = place === '' ? (env['NIGHTMARK_POSTGRES_URL'] ?? '') : place;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol)) {
    // The text itself is not shown: it may be a password with a typing error before it.
    const what = place === '' ? 'NIGHTMARK_POSTGRES_URL' : 'The address';
    throw new NightmarkError('JOBS_BAD_ADDRESS', `${what} is no address of a PostgreSQL server.`, {
      hint: 'For example: postgres://nightmark@db.example.org:5432/jobs',
    });
  }
  if (place !== '' && url.password !== '') {
    throw new NightmarkError('JOBS_SECRET_IN_ADDRESS', `The address of ${url.host} has a password.`, {
      hint: 'Leave it out and set PGPASSWORD, or put the whole address into NIGHTMARK_POSTGRES_URL.',
    });
  }
  const schema = url.searchParams.get('schema') ?? 'nightmark';
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new NightmarkError('JOBS_BAD_ADDRESS', `"${schema}" cannot be the name of a schema.`, {
      hint: 'Small letters, digits and underscores, for example ?schema=nightmark',
    });
  }
  const commit = url.searchParams.get('synchronous_commit') ?? '';
  if (!/^(?:on|off|local|remote_write|remote_apply|)$/.test(commit)) {
    throw new NightmarkError('JOBS_BAD_ADDRESS', `synchronous_commit=${commit} is not known.`, {
      hint: 'There are: on, off, local, remote_write, remote_apply.',
    });
  }
  // These are ours: the driver is not to see them. What they ask for is said to the server when a connection begins.
  for (const name of ['schema', 'synchronous_commit']) url.searchParams.delete(name);
  // To compile a search takes longer than to run it.
  const settings = ['-c jit=off', url.searchParams.get('options') ?? '', `-c search_path=${schema}`];
  if (commit !== '') settings.push(`-c synchronous_commit=${commit}`);
  url.searchParams.set('options', settings.join(' ').trim());
  return { connection: url.href, shown: `postgres://${url.host}${url.pathname} (schema ${schema})`, schema };
}
