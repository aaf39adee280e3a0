import type { CliContext } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';

/** Short ones can be guessed by trying. */
const SHORTEST = 16;
const MAKE_ONE = '(umask 077; openssl rand -hex 24 > token)';

/** The token that readers need, from a private file or the environment; undefined when none is set. */
export async function readToken(
  file: string | undefined,
  { disk, env }: Pick<CliContext, 'disk' | 'env'>,
): Promise<string | undefined> {
  const token = file === undefined ? env['NIGHTMARK_TOKEN'] : await tokenInFile(file, disk);
  if (token === undefined || token === '') return undefined;
  if (token.length < SHORTEST) {
    const place = file ?? 'NIGHTMARK_TOKEN';
    const message = `The token in ${place} has ${token.length} characters; at least ${SHORTEST} are needed.`;
    throw new NightmarkError('SERVE_TOKEN_SHORT', message, { hint: `Make one with: ${MAKE_ONE}` });
  }
  return token;
}

async function tokenInFile(file: string, disk: CliContext['disk']): Promise<string> {
  const facts = await disk.stat(file);
  if (facts?.type !== 'file') {
    throw new NightmarkError('SERVE_TOKEN_MISSING', `There is no token file ${file}.`, {
      hint: `Make one with: ${MAKE_ONE}`,
    });
  }
  if ((facts.mode & 0o077) !== 0) {
    const mode = facts.mode.toString(8);
    throw new NightmarkError(
      'SERVE_TOKEN_READABLE',
      `Others may read the token file ${file} (mode ${mode}).`,
      {
        hint: `chmod 600 ${file}`,
      },
    );
  }
  const token = (await disk.readText(file, { maxBytes: 4096 }))?.trim() ?? '';
  if (token === '') throw new NightmarkError('SERVE_TOKEN_MISSING', `The token file ${file} is empty.`);
  return token;
}
