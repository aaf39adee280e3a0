import { readFile } from 'node:fs/promises';
import { authorization, httpUrl } from '../../../platform/adapters/http.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import type { ExportTarget } from '../../core/exporter.ts';
import type { ExportAccess } from './ask.ts';

const PAUSE_MS = 500;

/** What a target says about credentials and certificates. `scheme` is how its tokens are introduced. */
export async function accessOf({ options, secrets }: ExportTarget, scheme = 'Bearer'): Promise<ExportAccess> {
  const ca = options['ca'] === undefined ? {} : { ca: await readCertificate(options['ca']) };
  return {
    headers: authorization(secrets, scheme),
    ...ca,
    isInsecure: options['insecure'] === 'true',
    pauseMs: Number(options['pauseMs'] ?? PAUSE_MS),
  };
}

/** The address of a server, and that it carries no secret: it would be in the history of the shell and in logs. */
export function addressOf({ place }: ExportTarget): URL {
  const url = httpUrl(place);
  if (url === undefined) {
    throw new NightmarkError('EXPORT_BAD_ADDRESS', `"${place}" is no http or https address.`, {
      hint: 'For example: opensearch:https://search.example.org:9200#my-index',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new NightmarkError(
      'EXPORT_SECRET_IN_ADDRESS',
      `The address of ${url.host} has a user or a password.`,
      {
        hint: 'Give them by --user-env and --password-env, or --secret-file.',
      },
    );
  }
  url.pathname = url.pathname.replace(/\/+$/, '/').replace(/([^/])$/, '$1/');
  return url;
}

/** What stands behind "#": an index, a test, a database. */
export function requiredName({ options, place }: ExportTarget, what: string): string {
  const name = options['name'] ?? '';
  if (name !== '') return name;
  throw new NightmarkError('EXPORT_NO_NAME', `Which ${what} of ${place}?`, {
    hint: `Put its name behind the address: ${place}#my-${what}`,
  });
}

async function readCertificate(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new NightmarkError(
      'EXPORT_NO_SOURCE',
      `The certificate ${path} cannot be read: ${messageOf(cause)}`,
      {
        hint: 'Look at --ca.',
        cause,
      },
    );
  }
}
