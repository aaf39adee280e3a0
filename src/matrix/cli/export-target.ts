import type { Command as Parser } from 'commander';
import { adapterIds, loadAdapter } from '../../platform/cli/adapters.ts';
import { type CliContext, flag, type Options, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import type { Exporter, ExportTarget } from '../core/exporter.ts';
import { secretsOf } from './export-secrets.ts';

/** Options of every command that talks to another system. */
export function addTargetOptions(parser: Parser): Parser {
  return parser
    .option('--user-env <name>', 'environment variable with the user')
    .option('--password-env <name>', 'environment variable with the password')
    .option('--token-env <name>', 'environment variable with a token or key, instead of user and password')
    .option('--secret-file <file>', 'file with user, password or token, readable by you only (mode 600)')
    .option('--ca <file>', 'certificates to trust, as PEM')
    .option('--insecure', 'do not check certificates')
    .option('--dry-run', 'say what would be done');
}

export interface Target {
  readonly exporter: Exporter;
  readonly target: ExportTarget;
}

/** Understands "opensearch:https://host:9200#index". */
export async function targetOf(
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
      secrets: isAddress ? await secretsOf(kind, options, context) : {},
      isDryRun: flag(options, 'dryRun'),
    },
  };
}

/** A target as people are told of it. */
export function shownTarget({ exporter, target: { place, options } }: Target): string {
  const isNamed = ADDRESSES.includes(exporter.id) && options['name'] !== undefined;
  return `${exporter.id} ${place}${isNamed ? `#${options['name']}` : ''}`;
}

/** Before anything is read that would be read for nothing. */
export function refuseUnknownTarget(text: string): void {
  if (!namesExporter(text)) throw unknownKind(text);
}

/** Whether a text names an exporter; otherwise it is a folder. */
export function namesExporter(text: string): boolean {
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
  // Somebody may have put a password into it.
  const shown = text.replace(/\/\/[^/@]*@/, '//...@');
  return new NightmarkError('CLI_INVALID_OPTION', `"${shown}" does not say what kind of system it is.`, {
    hint: `Begin it with one of ${kinds.join(', ')} and a colon: opensearch:https://host:9200#index, csv:table.csv`,
  });
}
