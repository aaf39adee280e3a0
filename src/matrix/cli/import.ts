import { indexName } from '../../formats/core/kpi/payload-files.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { exportPayloads, type ImportedPayloads, importPayloads } from '../app/transfer-payloads.ts';
import { parseFilters } from '../core/filters.ts';
import { describeExport, describeImport } from './describe-payloads.ts';
import { addTargetOptions, isExporterTarget, resolveTarget, targetText } from './export-target.ts';
import { requireStoreHome, storeInHome } from './save-payloads.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .requiredOption('--from <source>', 'where from: opensearch:URL#index, csv:FILE, caliper:FILE, ...')
      .option('-t, --to <folder>', 'folder for payload files; or csv:FILE and other targets that are files')
      .option('--store <home>', 'store the payloads in this home')
      .option('--name <name>', 'index of the files, or workload in the home (default: that of the source)')
      .option('--filter <filters>', 'only these tests: key=v1:v2,key2=v3')
      .option('--max-records <count>', 'limit of payloads to read')
      .option('--json', 'print the report as JSON');
    addTargetOptions(parser).addHelpText('after', HELP);
  },

  async run(_, options, context) {
    const to = textOption(options, 'to');
    const home = await requireStoreHome(textOption(options, 'store'), context);
    if ((to === undefined) === (home === undefined)) {
      throw new NightmarkError('CLI_INVALID_OPTION', 'Where to store the payloads is not clear.', {
        hint: 'Give --to FOLDER or --store HOME.',
      });
    }
    const from = textOption(options, 'from') ?? '';
    const { exporter, target } = await resolveTarget(from, { options, more: {} }, context);
    const filters = parseFilters(textOption(options, 'filter') ?? '');
    const maxRecords = countOf(textOption(options, 'maxRecords'));
    const request = { exporter, target, filters, ...(maxRecords !== undefined && { maxRecords }) };
    const imported = await importPayloads(request, context.signal);
    context.stderr.write(describeImport(imported));
    const name = indexName(textOption(options, 'name') ?? target.options['name'] ?? exporter.id);
    const isComplete =
      home === undefined
        ? await writeTo(to ?? '', imported, { name, options }, context)
        : await storeIn(home, imported, { name, options }, context);
    return isComplete && imported.refused.length === 0 ? EXIT.fine : EXIT.error;
  },
};

export default command;

const HELP = `
Reads payloads that were exported, here or by other programs: an index of OpenSearch, folders of payload files, KPI files of
Caliper, CSV, Parquet. See docs/guide/matrix-export.md.`;

interface ImportNaming {
  readonly name: string;
  readonly options: Options;
}

async function writeTo(
  to: string,
  { payloads }: ImportedPayloads,
  { name, options }: ImportNaming,
  context: CliContext,
): Promise<boolean> {
  const filter = textOption(options, 'filter');
  const more = { name, ...(filter !== undefined && { filter }) };
  const { exporter, target } = await resolveTarget(
    isExporterTarget(to) ? to : `files:${to}`,
    { options, more },
    context,
  );
  const report = await exportPayloads({ payloads, exporter, target }, context.signal);
  const { isDryRun } = target;
  const isJson = flag(options, 'json');
  const { stdout, stderr } = describeExport(report, {
    place: targetText({ exporter, target }),
    isDryRun,
    isJson,
  });
  context.stderr.write(stderr);
  context.stdout.write(stdout);
  return report.refused.length === 0;
}

async function storeIn(
  home: string,
  { payloads }: ImportedPayloads,
  { name, options }: ImportNaming,
  context: CliContext,
): Promise<boolean> {
  const isDryRun = flag(options, 'dryRun');
  if (!isDryRun) await storeInHome(payloads, { workload: name, home }, context);
  const report = { place: home, dry_run: isDryRun, sent: isDryRun ? 0 : payloads.length };
  const sentence = `${counted(payloads.length, 'payload')} ${isDryRun ? 'would be ' : ''}stored in ${home}\n`;
  context.stdout.write(flag(options, 'json') ? `${JSON.stringify(report, null, 2)}\n` : sentence);
  return true;
}

function countOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new NightmarkError('CLI_INVALID_OPTION', `Invalid --max-records: ${text}`, {
    hint: 'Give a whole number above 0.',
  });
}
