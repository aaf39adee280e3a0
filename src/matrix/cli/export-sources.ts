import type { Payload } from '../../formats/core/kpi/kpi.ts';
import { ANCHOR } from '../../formats/core/kpi/payload-files.ts';
import { payloadCheck } from '../../formats/core/kpi/validate-payload.ts';
import type { Workload } from '../../formats/core/kpi/workload.ts';
import { type CliContext, flag, type Options, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath, resolvePath } from '../../platform/core/path.ts';
import type { JsonValue } from '../../platform/core/text/json.ts';
import { importPayloads } from '../app/import-payloads.ts';
import { makePayloads, type TestPayload } from '../app/make-payloads.ts';
import { parseFilters } from '../core/filters.ts';
import { describeParseProblems } from './describe-parsing.ts';
import { targetOf } from './export-target.ts';
import { describeImport } from './export-text.ts';
import { describePayloadProblems, splitPayloads } from './judge-payloads.ts';
import { loadWorkload } from './load-workload.ts';
import { matrixEffects, parseRequest } from './parse-options.ts';

interface Gathered {
  readonly payloads: readonly Payload[];
  readonly workload?: string;
  /** Tests and documents that cannot be exported. */
  readonly lost: number;
}

/** The payloads of everything that was named, checked where a workload says how. What cannot be used goes to stderr. */
export async function gatherPayloads(
  sources: readonly string[],
  options: Options,
  context: CliContext,
): Promise<Gathered> {
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
  throw new NightmarkError(
    'EXPORT_NO_PAYLOADS',
    `${sources.join(', ')} gave no payload that can be exported.`,
    {
      hint: 'Look at what was said above, and at --filter.',
    },
  );
}

async function holdsPayloads(source: string, { cwd, disk }: CliContext): Promise<boolean> {
  const path = resolvePath(cwd, source);
  return (await disk.stat(path))?.type === 'file' || (await disk.stat(joinPath(path, ANCHOR))) !== undefined;
}

async function fromResults(
  dir: string,
  { workload, options }: { readonly workload: Workload; readonly options: Options },
  context: CliContext,
): Promise<Gathered> {
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
): Promise<Gathered> {
  const { exporter, target } = await targetOf(`files:${source}`, { options: {}, more: {} }, context);
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
