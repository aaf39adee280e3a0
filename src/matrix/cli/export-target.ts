import type { Command as Parser } from 'commander';
import { adapterIds, loadAdapter } from '../../platform/cli/adapters.ts';
import { type CliContext, flag, type Options, textOption } from '../../platform/cli/command.ts';
import { parseYamlValue } from '../../platform/config/parse-yaml.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { isJsonObject } from '../../platform/core/text/json.ts';
import type { Exporter, ExportTarget } from '../core/exporter.ts';

/** Options of every command that talks to another system. */
export function addTargetOptions(parser: Parser): Parser {
  return parser
    .option('--user-env <name>', 'environment variable with the user')
    .option('--password-env <name>', 'environment variable with the password')
    .option('--token-env <name>', 'environment variable with a token or key, instead of user and password')
    .option('--secret-file <file>', 'file with user, password or token, readable by you only (mode 600)')
    .option('--ca <file>', 'certificates to trust, as PEM')
    .option('--insecure', 'do not check certificates')
    .option('--dry-run', 'print what would be done');
}

export interface Target {
  readonly exporter: Exporter;
  readonly target: ExportTarget;
}

/** Parses a target such as "opensearch:https://host:9200#index", and loads its exporter. */
export async function resolveTarget(
  text: string,
  { options, more }: { readonly options: Options; readonly more: Readonly<Record<string, string>> },
  context: CliContext,
): Promise<Target> {
  const at = text.indexOf(':');
  const kind = text.slice(0, Math.max(at, 0));
  const id = kind === 'files' ? 'payload-files' : kind;
  if (!adapterIds('exporters').includes(id)) throw unknownKind(text);
  const { place, name } = splitName(text.slice(at + 1), kind);
  const isAddress = ADDRESSES.includes(kind);
  const named = name ?? more['name'];
  const ca = textOption(options, 'ca');
  return {
    exporter: await loadAdapter<Exporter>('exporters', id),
    target: {
      place: isAddress ? place : resolvePath(context.cwd, place),
      options: {
        ...more,
        now: String(context.clock.now()),
        ...(named !== undefined && (name !== undefined || !isAddress) && { name: named }),
        ...(ca !== undefined && { ca: resolvePath(context.cwd, ca) }),
        ...(flag(options, 'insecure') && { insecure: 'true' }),
        ...(flag(options, 'byKpi') && { byKpi: 'true' }),
      },
      secrets: isAddress ? await readCredentials(kind, options, context) : {},
      isDryRun: flag(options, 'dryRun'),
    },
  };
}

/** A target as shown to users. */
export function targetText({ exporter, target: { place, options } }: Target): string {
  const isNamed = ADDRESSES.includes(exporter.id) && options['name'] !== undefined;
  return `${exporter.id} ${place}${isNamed ? `#${options['name']}` : ''}`;
}

/** Checks a target before anything is read. */
export function requireKnownTarget(text: string): void {
  if (!isExporterTarget(text)) throw unknownKind(text);
}

/** Whether a text names an exporter; otherwise it is a folder. */
export function isExporterTarget(text: string): boolean {
  const [kind = ''] = text.split(':', 1);
  return text.includes(':') && (kind === 'files' || adapterIds('exporters').includes(kind));
}

const ADDRESSES = ['opensearch', 'horreum', 'influx'];
const NAMED = [...ADDRESSES, 'files'];

function splitName(text: string, kind: string): { readonly place: string; readonly name?: string } {
  const at = text.lastIndexOf('#');
  if (at < 0 || !NAMED.includes(kind)) return { place: text };
  return { place: text.slice(0, at), name: text.slice(at + 1) };
}

function unknownKind(text: string): NightmarkError {
  const kinds = adapterIds('exporters').map((id) => (id === 'payload-files' ? 'files' : id));
  // It may contain a password.
  const shown = text.replace(/\/\/[^/@]*@/, '//...@');
  return new NightmarkError('CLI_INVALID_OPTION', `Invalid target: ${shown}`, {
    hint: `Begin it with one of ${kinds.join(', ')} and a colon: opensearch:https://host:9200#index, csv:table.csv`,
  });
}

const NAMES = ['user', 'password', 'token'] as const;

/**
 * Credentials from the environment or a file, never from the command line, which every user of the machine can read.
 * Options take precedence over NIGHTMARK_<KIND>_USER, _PASSWORD and _TOKEN.
 */
async function readCredentials(
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

/** Returns whether there was a value. */
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
      hint: 'Check --secret-file.',
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
