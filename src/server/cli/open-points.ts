import { tellFailure } from '../../dashboard/cli/tell-failure.ts';
import { homeLayout } from '../../home/core/layout.ts';
import { type Forwarding, forwardingWriter } from '../../metrics/app/forward-points.ts';
import { PacketIngester } from '../../metrics/app/ingest-packets.ts';
import { LazyEngine, openWithRetry } from '../../metrics/app/lazy-engine.ts';
import { maintainPoints } from '../../metrics/app/maintain-points.ts';
import { PointEngine } from '../../metrics/app/point-engine.ts';
import { IngestCounters } from '../../metrics/core/lines/ingest-counters.ts';
import type { PacketListener, PacketListeners } from '../../metrics/core/packet-listener.ts';
import type { PointStorage } from '../../metrics/core/points/point-storage.ts';
import { uniqueTimestamps } from '../../metrics/core/points/points.ts';
import type { PointService } from '../../metrics/server/point-service.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import type { CliContext } from '../../platform/cli/context.ts';
import { openForwarding } from './open-forwarding.ts';
import { NO_POINTS, type PointsSettings, type UdpOptions } from './points-settings.ts';
import { watchRefusals } from './watch-refusals.ts';

export interface OpenPoints {
  readonly service: PointService;
  close(): Promise<void>;
}

/**
 * Opens the time series of a home, their mirrors and a port for packets. A store that cannot be opened is tried again while
 * the pages are served; undefined, and told, when that would not help.
 */
export async function openPoints(
  home: string,
  settings: PointsSettings,
  context: CliContext,
): Promise<OpenPoints | undefined> {
  const report = (line: string) => void context.stderr.write(`${line}\n`);
  const around: Surroundings = { home, settings, context, report };
  const late = new LazyEngine();
  const closing = new AbortController();
  const started = await openNowOrLater(late, around, closing.signal);
  if (started === undefined) return undefined;
  const { opening } = started;
  try {
    return await serveEngine(late, { ...around, closing, opening });
  } catch (error) {
    closing.abort();
    await opening;
    await late.engine?.close();
    throw error;
  }
}

interface Surroundings {
  readonly home: string;
  readonly settings: PointsSettings;
  readonly context: CliContext;
  report(line: string): void;
}

interface Serving extends Surroundings {
  readonly closing: AbortController;
  /** Settles when the engine is there, or never will be. */
  readonly opening: Promise<unknown>;
}

async function serveEngine(late: LazyEngine, around: Serving): Promise<OpenPoints> {
  const { settings, context, report, closing, opening } = around;
  const { keepsNotFinite, udp } = settings;
  const mirrors = await runMirrors(around);
  const writer = mirrors ? forwardingWriter(late, mirrors.forwarding) : late;
  const counters = new IngestCounters();
  const moment = uniqueTimestamps(context.clock);
  const { clock } = context;
  const taker = new PacketIngester({ ...udp, keepsNotFinite }, { writer, counters, clock, moment, report });
  const listener = await listenForPackets(udp, { taker, context });
  const packets = async () => {
    const lostByKernel = await listener?.lost();
    return { isListening: listener !== undefined, ...(lostByKernel !== undefined && { lostByKernel }) };
  };
  const service: PointService = {
    ...{ writer, reader: late, admin: late, stored: late, counters, keepsNotFinite, moment, packets },
    problem: () => late.problem,
    ...(mirrors && { forwarding: () => mirrors.forwarding.status() }),
  };
  const stopWatching = watchRefusals(service, report);
  const tended = opening.then(async () => {
    const { engine } = late;
    if (engine) await maintainPoints(engine, settings, { clock, tell: report, signal: closing.signal });
  });
  return {
    service,
    async close() {
      await listener?.close();
      await taker.drain();
      await stopWatching();
      closing.abort();
      await Promise.all([tended, mirrors?.stop()]);
      await late.engine?.close();
    },
  };
}

interface Mirrors {
  readonly forwarding: Forwarding;
  /** What is not sent yet stays on disk. */
  stop(): Promise<void>;
}

async function runMirrors({ home, settings, context, report }: Surroundings): Promise<Mirrors | undefined> {
  if (settings.forward.length === 0) return undefined;
  const forwarding = await openForwarding(
    { targets: settings.forward, folder: homeLayout(home).forward, env: context.env },
    { clock: context.clock, random: () => context.randomSeed() / 2 ** 32, tell: report },
  );
  const controller = new AbortController();
  const running = forwarding.run(controller.signal).catch((error: Error) => {
    report(`Points are no longer mirrored: ${error.stack ?? error.message}`);
  });
  return {
    forwarding,
    async stop() {
      controller.abort();
      await running;
    },
  };
}

/** Tells the first failure, and that it is over. */
async function openNowOrLater(
  late: LazyEngine,
  around: Surroundings,
  signal: AbortSignal,
): Promise<Pick<Serving, 'opening'> | undefined> {
  const { context, report } = around;
  const open = async () => late.isHere(await openEngine(around));
  try {
    await open();
    return { opening: Promise.resolve() };
  } catch (error) {
    tellFailure(error, NO_POINTS, context);
    if (!mayPass(error)) return undefined;
    late.isAway((error as Error).message);
  }
  report('It is tried again until it works; the pages are served meanwhile.');
  const failed = (error: unknown) => {
    late.isAway(error instanceof Error ? error.message : String(error));
    if (mayPass(error)) return true;
    report(`The store of points is not tried any more: ${(error as Error)?.stack ?? error}`);
    return false;
  };
  const opening = openWithRetry({ open, failed }, { clock: context.clock, signal }).then(() => {
    if (late.engine) report('The store of points is open now: points are taken and shown.');
  });
  return { opening };
}

/** Not what is written wrongly, nor what is ours. */
function mayPass(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && !LASTING.has(code);
}

const LASTING: ReadonlySet<string> = new Set([
  'POINTS_BAD_ADDRESS',
  'POINTS_BAD_NAME',
  'POINTS_SECRET_IN_ADDRESS',
  'POINTS_TOO_NEW',
]);

async function openEngine({ home, settings, context, report }: Surroundings): Promise<PointEngine> {
  const { store, udp } = settings;
  const openShelf = await loadAdapter<OpenShelf>('shelves', store);
  const place = store === 'sqlite' ? homeLayout(home).points : '';
  const shelf = await openShelf(place, { env: context.env, tell: report });
  try {
    const engine = await PointEngine.open(shelf, context);
    if (udp.port !== 0 && !engine.hasDatabase(udp.database)) await engine.createDatabase(udp.database);
    for (const damage of engine.damage()) report(`The log of points: ${JSON.stringify(damage)}`);
    return engine;
  } catch (error) {
    await shelf.close();
    throw error;
  }
}

/** What a shelf has no use for it does not look at. */
type OpenShelf = (
  place: string,
  options: { readonly env: CliContext['env']; readonly tell: (line: string) => void },
) => Promise<PointStorage>;

interface PacketParts {
  readonly taker: PacketIngester;
  readonly context: CliContext;
}

async function listenForPackets(
  { host, port, database }: UdpOptions,
  { taker, context }: PacketParts,
): Promise<PacketListener | undefined> {
  if (port === 0) return undefined;
  try {
    const listeners = await loadAdapter<PacketListeners>('listeners', 'udp');
    const listener = await listeners.open({ host, port, onPacket: (bytes) => taker.take(bytes) });
    context.stderr.write(
      `Taking points in UDP packets on ${host} port ${listener.port}, for database "${database}".\n`,
    );
    return listener;
  } catch (error) {
    tellFailure(error, 'No UDP packets are taken', context);
    return undefined;
  }
}
