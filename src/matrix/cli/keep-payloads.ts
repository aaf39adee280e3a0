import type { Payload } from '../../formats/core/kpi/kpi.ts';
import { indexName } from '../../formats/core/kpi/payload-files.ts';
import { payloadMachine } from '../../formats/core/kpi/read-payload.ts';
import { requireHome } from '../../home/cli/home-argument.ts';
import { ensureIndex } from '../../home/cli/home-index.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { Store } from '../../home/core/store.ts';
import { judgeHome } from '../../judge/app/changes/judge-home.ts';
import { describeNews } from '../../judge/cli/changes/describe-news.ts';
import { rulesOf } from '../../judge/cli/changes/open-home.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import { type CliContext, type Options, textOption } from '../../platform/cli/command.ts';
import { messageOf } from '../../platform/core/errors.ts';
import { resolvePath } from '../../platform/core/path.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import type { TestPayload } from '../app/make-payloads.ts';
import { locationOf } from '../app/parse-request.ts';
import { readMachines } from '../app/read-machines.ts';
import { storePayloads } from '../app/store-payloads.ts';
import { writePayloads } from '../app/write-payloads.ts';

/** The home of --store; refuses a folder that is none before anything is read. */
export async function homeOf(
  given: string | undefined,
  { cwd, disk }: CliContext,
): Promise<string | undefined> {
  return given === undefined ? undefined : requireHome(resolvePath(cwd, given), disk);
}

interface Keeping {
  readonly workload: string;
  readonly home: string | undefined;
  readonly options: Options;
  /** The folder that the tests were read from. */
  readonly dir: string;
  readonly tests: readonly TestPayload[];
}

/** Writes payloads where the options say. False when nothing was to be kept. */
export async function keepPayloads(
  payloads: readonly Payload[],
  { workload, home, options, dir: results, tests }: Keeping,
  context: CliContext,
): Promise<boolean> {
  const folder = textOption(options, 'payloads');
  const told = counted(payloads.length, 'payload');
  if (folder !== undefined) {
    const filter = textOption(options, 'filter');
    const dir = resolvePath(context.cwd, folder);
    const filters = filter === undefined ? [] : [filter];
    await writePayloads(payloads, { dir, index: indexName(workload), filters }, context);
    context.stderr.write(`${told} written to ${folder}\n`);
  }
  if (home !== undefined) {
    await saveInHome(payloads, { workload, home, dir: results, tests }, context);
    context.stderr.write(`${told} kept in ${home}\n`);
  }
  return folder !== undefined || home !== undefined;
}

interface HomePlace {
  readonly workload: string;
  readonly home: string;
  /** Results that a run of ours left know the machine of each test. */
  readonly dir?: string;
  readonly tests?: readonly TestPayload[];
}

/** Keeps payloads in a home, and judges what is new. */
export async function saveInHome(
  given: readonly Payload[],
  place: HomePlace,
  context: CliContext,
): Promise<void> {
  const payloads = await withMachines(given, place, context);
  await ensureIndex(place.home, context);
  const openStore = await loadAdapter<(file: string) => Promise<Store>>('stores', 'sqlite');
  await context.disk.makeDir(homeLayout(place.home).own);
  const store = await openStore(homeLayout(place.home).index);
  try {
    await storePayloads(payloads, place, { ...context, store });
    await judgePayloads(payloads, { home: place.home, store }, context);
  } finally {
    store.close();
  }
}

/** Says in each document where its test ran; what the document says itself is left alone. */
async function withMachines(
  payloads: readonly Payload[],
  { dir, tests = [] }: HomePlace,
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

/** The payloads are kept whatever becomes of their judgement: a judge that fails is a warning. */
async function judgePayloads(
  payloads: readonly Payload[],
  { home, store }: { readonly home: string; readonly store: Store },
  context: CliContext,
): Promise<void> {
  const { disk, clock, signal, stderr } = context;
  const testIds = payloads.map(({ metadata }) => metadata.test_uuid);
  try {
    const rules = await rulesOf(home, context);
    const report = await judgeHome({ home, rules, scope: { testIds } }, { disk, clock, store, signal });
    for (const line of [...report.notes, ...describeNews(report)]) stderr.write(`${line}\n`);
  } catch (error) {
    stderr.write(
      `warning: the KPIs could not be judged (${messageOf(error)}); "nightmark changes ${home}" tries again.\n`,
    );
  }
}
