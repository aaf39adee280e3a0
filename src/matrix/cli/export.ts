import type { Payload } from '../../formats/core/kpi/kpi.ts';
import { ANCHOR } from '../../formats/core/kpi/payload-files.ts';
import { payloadCheck } from '../../formats/core/kpi/validate-payload.ts';
import type { Workload } from '../../formats/core/kpi/workload.ts';
import {
  type CliContext,
  type CommandModule,
  EXIT,
  flag,
  type Options,
  textOption,
} from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { makePayloads, type TestPayload } from '../app/make-payloads.ts';
import { exportPayloads, importPayloads } from '../app/transfer-payloads.ts';
import { parseFilters } from '../core/filters.ts';
import {
  describeExport,
  describeImport,
  describePayloadProblems,
  splitPayloads,
} from './describe-payloads.ts';
import { addTargetOptions, requireKnownTarget, resolveTarget, targetText } from './export-target.ts';
import { loadWorkload } from './load-workload.ts';
import { describeParseProblems, matrixEffects, parseRequest } from './parse-options.ts';

const command: CommandModule = {
  configure(parser) {
    parser
      .argument('<source...>', 'folders of results, folders of payloads, payload files')
      .requiredOption('-t, --to <target>', 'where to: opensearch:URL#index, csv:FILE, ... (see below)')
      .option('-w, --workload <file>', 'how the tests of results are read, and payloads are checked')
      .option('--filter <filters>', 'only these tests: key=v1:v2,key2=v3')
      .option('--no-cache', 'read every file of the results again, without the cache')
      .option('--compat', "the original's rules for settings and filters")
      .option('--strict-numbers', 'refuse "4" and true where a number, and 4 where a text is expected')
      .option('--by-kpi', 'opensearch: an index for each KPI, <index>.<kpi>')
      .option('--json', 'print the report as JSON');
    addTargetOptions(parser).addHelpText('after', HELP);
  },

  async run(sources, options, context) {
    const to = textOption(options, 'to') ?? '';
    requireKnownTarget(to);
    const gathered = await collectPayloads(sources, options, context);
    const filter = textOption(options, 'filter');
    const more = {
      ...(gathered.workload !== undefined && { name: gathered.workload }),
      ...(filter !== undefined && { filter }),
    };
    const { exporter, target } = await resolveTarget(to, { options, more }, context);
    const report = await exportPayloads({ payloads: gathered.payloads, exporter, target }, context.signal);
    const { stdout, stderr } = describeExport(report, {
      place: targetText({ exporter, target }),
      isDryRun: target.isDryRun,
      isJson: flag(options, 'json'),
    });
    context.stderr.write(stderr);
    context.stdout.write(stdout);
    return gathered.lost + report.refused.length > 0 ? EXIT.error : EXIT.fine;
  },
};

export default command;

const HELP = `
Targets:
  opensearch:URL#index   horreum:URL#test   influx:URL#database
  csv:FILE   parquet:FILE   caliper:FILE   files:DIR
Credentials come from NIGHTMARK_OPENSEARCH_USER, _PASSWORD and _TOKEN (HORREUM, INFLUX alike), from variables that you name, or
from a file. What is not a payload is reported and left out, and the exit code is 1. See docs/guide/matrix-export.md.`;

interface CollectedPayloads {
  readonly payloads: readonly Payload[];
  readonly workload?: string;
  /** Tests and documents that cannot be exported. */
  readonly lost: number;
}

/** The payloads of all sources, checked where there is a workload. Problems go to stderr. */
async function collectPayloads(
  sources: readonly string[],
  options: Options,
  context: CliContext,
): Promise<CollectedPayloads> {
  const file = textOption(options, 'workload');
  const workload = file === undefined ? undefined : await loadWorkload(file, context);
  const payloads: Payload[] = [];
  let lost = 0;
  for (const source of sources) {
    const isResults = workload !== undefined && !(await holdsPayloads(source, context));
    const found = isResults
      ? await fromResults(source, { workload, options }, context)
      : await fromPayloads(source, { workload, options }, context);
    payloads.push(...found.payloads);
    lost += found.lost;
  }
  if (payloads.length > 0) return { payloads, lost, ...(workload && { workload: workload.name }) };
  throw new NightmarkError('EXPORT_NO_PAYLOADS', `No payload to export in ${sources.join(', ')}.`, {
    hint: 'See the messages above, and check --filter.',
  });
}

async function holdsPayloads(source: string, { cwd, disk }: CliContext): Promise<boolean> {
  const path = resolvePath(cwd, source);
  return (await disk.stat(path))?.type === 'file' || (await disk.stat(joinPath(path, ANCHOR))) !== undefined;
}

async function fromResults(
  dir: string,
  { workload, options }: { readonly workload: Workload; readonly options: Options },
  context: CliContext,
): Promise<CollectedPayloads> {
  const request = parseRequest(dir, options, { workload, cwd: context.cwd, env: context.env });
  const tests: TestPayload[] = [];
  const job = { request, numbers: numbersOf(options) };
  const made = await makePayloads(job, (it) => void tests.push(it), matrixEffects(context));
  context.stderr.write(describeParseProblems(made.report) + describePayloadProblems(tests, made.failed));
  const { stored, refused } = splitPayloads(tests);
  return { payloads: stored, lost: refused + made.failed.length };
}

async function fromPayloads(
  source: string,
  { workload, options }: { readonly workload: Workload | undefined; readonly options: Options },
  context: CliContext,
): Promise<CollectedPayloads> {
  const { exporter, target } = await resolveTarget(`files:${source}`, { options: {}, more: {} }, context);
  const filters = parseFilters(textOption(options, 'filter') ?? '');
  const imported = await importPayloads({ exporter, target, filters }, context.signal);
  context.stderr.write(describeImport(imported));
  if (!workload) return { payloads: imported.payloads, lost: imported.refused.length };
  const check = payloadCheck(workload, numbersOf(options));
  const tests = imported.payloads.map((payload): TestPayload => {
    const problems = check(payload as unknown as JsonValue); // it was read from JSON
    return { payload, problems, values: [], settings: {}, location: payload.metadata.test_uuid };
  });
  context.stderr.write(describePayloadProblems(tests, []));
  const fine = tests.filter(({ problems }) => problems.length === 0);
  const lost = imported.refused.length + tests.length - fine.length;
  return { payloads: fine.map(({ payload }) => payload), lost };
}

function numbersOf(options: Options): 'strict' | 'lenient' {
  return flag(options, 'strictNumbers') ? 'strict' : 'lenient';
}
