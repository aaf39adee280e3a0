import type { Payload } from '../../formats/core/kpi/kpi.ts';
import { indexName } from '../../formats/core/kpi/payload-files.ts';
import { payloadMachine } from '../../formats/core/kpi/read-payload.ts';
import type { Workload } from '../../formats/core/kpi/workload.ts';
import { openSqliteStore } from '../../home/adapters/store/sqlite-store.ts';
import { requireHome } from '../../home/cli/home-argument.ts';
import { ensureIndex } from '../../home/cli/home-index.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { Store } from '../../home/core/store.ts';
import { type JudgeRequest, judgeHome } from '../../judge/app/changes/judge-home.ts';
import { describeNews } from '../../judge/cli/changes/describe-news.ts';
import { rulesOf } from '../../judge/cli/changes/open-home.ts';
import { type CliContext, type Options, textOption } from '../../platform/cli/command.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { makePayloads, payloadRulesOf, type TestPayload } from '../app/make-payloads.ts';
import { locationOf } from '../app/parse/parse-request.ts';
import { readMachines } from '../app/run/run-journal.ts';
import type { MatrixOutcome } from '../app/run/run-matrix.ts';
import { storePayloads, writePayloads } from '../app/store-payloads.ts';
import { describePayloadProblems, splitPayloads } from './describe-payloads.ts';
import { loadWorkload } from './load-workload.ts';
import { matrixEffects, parseRequest } from './parse-options.ts';

/** The home of --store; checked before anything is read. */
export async function requireStoreHome(
  given: string | undefined,
  { cwd, disk }: CliContext,
): Promise<string | undefined> {
  return given === undefined ? undefined : requireHome(resolvePath(cwd, given), disk);
}

interface SaveRequest {
  readonly workload: string;
  readonly home: string | undefined;
  readonly options: Options;
  /** The folder that the tests were read from. */
  readonly dir: string;
  readonly tests: readonly TestPayload[];
}

/** Writes payloads to the folder and the home of the options. False when there is neither. */
export async function savePayloads(
  payloads: readonly Payload[],
  { workload, home, options, dir: results, tests }: SaveRequest,
  context: CliContext,
): Promise<boolean> {
  const folder = textOption(options, 'payloads');
  const count = counted(payloads.length, 'payload');
  if (folder !== undefined) {
    const filter = textOption(options, 'filter');
    const dir = resolvePath(context.cwd, folder);
    const filters = filter === undefined ? [] : [filter];
    await writePayloads(payloads, { dir, index: indexName(workload), filters }, context);
    context.stderr.write(`${count} written to ${folder}\n`);
  }
  if (home !== undefined) {
    await storeInHome(payloads, { workload, home, dir: results, tests }, context);
    context.stderr.write(`${count} stored in ${home}\n`);
  }
  return folder !== undefined || home !== undefined;
}

interface HomeTarget {
  readonly workload: string;
  readonly home: string;
  /** The journals in the results have the machine of each test. */
  readonly dir?: string;
  readonly tests?: readonly TestPayload[];
}

/** Stores payloads in a home, and checks them for changes. */
export async function storeInHome(
  given: readonly Payload[],
  place: HomeTarget,
  context: CliContext,
): Promise<void> {
  const payloads = await withMachines(given, place, context);
  await ensureIndex(place.home, context);
  await context.disk.makeDir(homeLayout(place.home).own);
  const store = await openSqliteStore(homeLayout(place.home).index);
  try {
    const rules = await rulesOf(place.home, context);
    const testIds = payloads.map(({ metadata }) => metadata.test_uuid);
    await storePayloads(payloads, place, { ...context, store });
    await checkForChanges({ home: place.home, rules, scope: { testIds } }, store, context);
  } finally {
    store.close();
  }
}

/** Adds to each payload the machine of its test, unless the payload has one. */
async function withMachines(
  payloads: readonly Payload[],
  { dir, tests = [] }: HomeTarget,
  { cwd, disk }: CliContext,
): Promise<readonly Payload[]> {
  const machines =
    dir === undefined ? new Map<string, string>() : await readMachines(resolvePath(cwd, dir), disk);
  if (machines.size === 0) return payloads;
  const places = [...machines].map(
    ([folder, machine]) => [locationOf({ label: dir ?? '' }, folder), machine] as const,
  );
  const byLocation = new Map(places);
  const locations = new Map(tests.map(({ payload, location }) => [payload, location]));
  return payloads.map((payload) => {
    const machine = byLocation.get(locations.get(payload) ?? '');
    if (machine === undefined || payloadMachine(payload) !== undefined) return payload;
    return { ...payload, metadata: { ...payload.metadata, machine } };
  });
}

/** The payloads are stored already: a failure here is a warning. */
async function checkForChanges(request: JudgeRequest, store: Store, context: CliContext): Promise<void> {
  const { disk, clock, signal, stderr } = context;
  try {
    const report = await judgeHome(request, { disk, clock, store, signal });
    for (const line of [...report.notes, ...describeNews(report)]) stderr.write(`${line}\n`);
  } catch (error) {
    stderr.write(
      `warning: the KPIs could not be checked for changes (${messageOf(error)}); "nightmark changes ${request.home}" tries again.\n`,
    );
  }
}

/** The home that stores the KPIs of a run, and their workload. */
export interface StoreRequest {
  readonly home: string;
  readonly workload: Workload;
}

/** --store and --workload, checked before anything runs. */
export async function storeRequestOf(
  options: Options,
  context: CliContext,
): Promise<StoreRequest | undefined> {
  const [store, file] = [textOption(options, 'store'), textOption(options, 'workload')];
  if (store === undefined && file === undefined) return undefined;
  if (store === undefined || file === undefined)
    throw new NightmarkError('CLI_INVALID_OPTION', '--store and --workload must be given together.', {
      hint: 'For example: --store ~/bench --workload tiny.workload.yml',
    });
  const home = await requireStoreHome(store, context);
  const workload = await loadWorkload(file, context);
  payloadRulesOf(workload);
  return { home: home ?? store, workload };
}

/** Stores the KPIs of the tests that this run executed, and checks them for changes. False: some could not be stored. */
export async function storeRun(
  { results }: MatrixOutcome,
  { home, workload, dir }: StoreRequest & { readonly dir: string },
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
  await storeInHome(stored, { workload: workload.name, home, dir, tests }, context);
  context.stderr.write(`${counted(stored.length, 'payload')} stored in ${home}\n`);
  return refused + own.length === 0;
}
