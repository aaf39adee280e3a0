import type { Workload } from '../../formats/core/kpi/workload.ts';
import { type CliContext, type Options, textOption } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { makePayloads, payloadRulesOf, type TestPayload } from '../app/make-payloads.ts';
import { locationOf } from '../app/parse-request.ts';
import type { MatrixOutcome } from '../app/run-matrix.ts';
import { describePayloadProblems, splitPayloads } from './judge-payloads.ts';
import { homeOf, saveInHome } from './keep-payloads.ts';
import { loadWorkload } from './load-workload.ts';
import { matrixEffects, parseRequest } from './parse-options.ts';

/** A home that keeps the KPIs of a run, and how they are read. */
export interface RunKeeping {
  readonly home: string;
  readonly workload: Workload;
}

/** --store and --workload, looked at before anything runs. */
export async function keepingOf(options: Options, context: CliContext): Promise<RunKeeping | undefined> {
  const [store, file] = [textOption(options, 'store'), textOption(options, 'workload')];
  if (store === undefined && file === undefined) return undefined;
  if (store === undefined || file === undefined)
    throw new NightmarkError('CLI_INVALID_OPTION', '--store and --workload are given together.', {
      hint: 'For example: --store ~/bench --workload tiny.workload.yml',
    });
  const home = await homeOf(store, context);
  const workload = await loadWorkload(file, context);
  payloadRulesOf(workload);
  return { home: home ?? store, workload };
}

/** Keeps the KPIs of the tests that this run executed, and judges them. False: some could not be kept. */
export async function keepRun(
  { results }: MatrixOutcome,
  { home, workload, dir }: RunKeeping & { readonly dir: string },
  context: CliContext,
): Promise<boolean> {
  const tests: TestPayload[] = [];
  const request = parseRequest(dir, {}, { workload, cwd: context.cwd, env: context.env });
  const executed = results.flatMap(({ state, folder = '' }) => (state === 'succeeded' ? [folder] : []));
  const folders = new Set(executed.map((folder) => locationOf(request, folder)));
  if (folders.size === 0) return true;
  const take = (test: TestPayload) => {
    if (folders.has(test.location)) tests.push(test);
  };
  const { failed } = await makePayloads({ request, numbers: 'lenient' }, take, matrixEffects(context));
  const own = failed.filter(({ location }) => folders.has(location));
  context.stderr.write(describePayloadProblems(tests, own));
  const { stored, refused } = splitPayloads(tests);
  await saveInHome(stored, { workload: workload.name, home, dir, tests }, context);
  context.stderr.write(`${counted(stored.length, 'payload')} kept in ${home}\n`);
  return refused + own.length === 0;
}
