import { type CliContext, type Options, textOption } from '../../platform/cli/command.ts';
import { parseYamlValue } from '../../platform/config/parse-yaml.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { isJsonObject } from '../../platform/core/text/json.ts';

const NAMES = ['user', 'password', 'token'] as const;

/**
 * Credentials from the environment or a file, never from the command line, where everybody on the machine reads them. What
 * the user named counts before NIGHTMARK_<KIND>_USER, _PASSWORD and _TOKEN.
 */
export async function secretsOf(
  kind: string,
  options: Options,
  context: CliContext,
): Promise<Readonly<Record<string, string>>> {
  const file = textOption(options, 'secretFile');
  const secrets: Record<string, string> = {};
  for (const name of NAMES) take(secrets, name, context.env[`NIGHTMARK_${kind}_${name}`.toUpperCase()]);
  if (file !== undefined) Object.assign(secrets, await readSecrets(file, context));
  for (const name of NAMES) {
    const variable = textOption(options, `${name}Env`);
    if (variable === undefined || take(secrets, name, context.env[variable])) continue;
    throw new NightmarkError('EXPORT_NO_SECRET', `The environment variable ${variable} is not set.`, {
      hint: `--${name}-env names a variable; the secret itself is its value.`,
    });
  }
  return secrets;
}

/** Whether there was something to take. */
function take(secrets: Record<string, string>, name: string, value: string | undefined): boolean {
  if (value === undefined || value === '') return false;
  secrets[name] = value;
  return true;
}

async function readSecrets(file: string, { cwd, disk }: CliContext): Promise<Record<string, string>> {
  const path = resolvePath(cwd, file);
  const facts = await disk.stat(path);
  const text = await disk.readText(path);
  if (!facts || text === undefined) {
    throw new NightmarkError('EXPORT_NO_SECRET', `There is no file ${file}.`, {
      hint: 'Look at --secret-file.',
    });
  }
  if ((facts.mode & 0o077) !== 0) {
    throw new NightmarkError('EXPORT_OPEN_SECRET', `${file} can be read by others.`, {
      hint: `chmod 600 ${file}`,
    });
  }
  const content = parseYamlValue(text);
  const fields = isJsonObject(content) ? content : {};
  const found = NAMES.flatMap((name) => {
    const value = fields[name];
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [];
  });
  if (found.length > 0) return Object.fromEntries(found) as Record<string, string>;
  throw new NightmarkError('EXPORT_NO_SECRET', `${file} has no user, password or token.`, {
    hint: 'It is YAML: "user: me" and "password: ..." on lines of their own.',
  });
}
