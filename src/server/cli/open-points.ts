import { homeLayout } from '../../home/core/home-layout.ts';
import { type Forwarding, forwardingWriter } from '../../metrics/app/forward-points.ts';
import { PacketIngester } from '../../metrics/app/ingest-packets.ts';
import { LazyEngine, openWithRetry } from '../../metrics/app/lazy-engine.ts';
import { maintainPoints } from '../../metrics/app/maintain-points.ts';
import { PointEngine } from '../../metrics/app/point-engine.ts';
import { IngestCounters, type IngestReport } from '../../metrics/core/lines/ingest-counters.ts';
import type { PacketListener } from '../../metrics/core/packet-listener.ts';
import type { PointStorage } from '../../metrics/core/points/point-storage.ts';
import { uniqueTimestamps } from '../../metrics/core/points/points.ts';
import type { PointService } from '../../metrics/server/point-service.ts';
import { loadAdapter } from '../../platform/cli/adapters.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import { reportFailure } from '../../platform/cli/report-failure.ts';
import { openForwarding } from './open-forwarding.ts';
import { NO_POINTS, type PointsSettings, type UdpOptions } from './points-settings.ts';

export interface OpenPoints {
  readonly service: PointService;
  close(): Promise<void>;
}

/**
 * Opens the time series of a home, their mirrors and a port for packets. A store that cannot be opened is retried while the
 * pages are served; undefined, and reported, when that would not help.
 */
export async function openPoints(
  home: string,
  settings: PointsSettings,
  context: CliContext,
): Promise<OpenPoints | undefined> {
  const report = (line: string) => void context.stderr.write(`${line}\n`);
  const around: Surroundings = { home, settings, context, report };
  const lazy = new LazyEngine();
  const closing = new AbortController();
  const started = await openWithRetries(lazy, around, closing.signal);
  if (started === undefined) return undefined;
  const { opening } = started;
  try {
    return await serveEngine(lazy, { ...around, closing, opening });
  } catch (error) {
    closing.abort();
    await opening;
    await lazy.engine?.close();
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
  /** Resolves when the engine is open, or given up. */
  readonly opening: Promise<unknown>;
}

async function serveEngine(lazy: LazyEngine, around: Serving): Promise<OpenPoints> {
  const { settings, context, report, closing, opening } = around;
  const { keepsNotFinite, udp } = settings;
  const mirrors = await runMirrors(around);
  const writer = mirrors ? forwardingWriter(lazy, mirrors.forwarding) : lazy;
  const counters = new IngestCounters();
  const nextTimestamp = uniqueTimestamps(context.clock);
  const { clock } = context;
  const taker = new PacketIngester(
    { ...udp, keepsNotFinite },
    { writer, counters, clock, nextTimestamp, report },
  );
  const listener = await listenForPackets(udp, { taker, context });
  const packets = async () => {
    const lostByKernel = await listener?.lost();
    return { isListening: listener !== undefined, ...(lostByKernel !== undefined && { lostByKernel }) };
  };
  const service: PointService = {
    ...{ writer, reader: lazy, admin: lazy, stored: lazy, counters, keepsNotFinite, nextTimestamp, packets },
    problem: () => lazy.problem,
    ...(mirrors && { forwarding: () => mirrors.forwarding.status() }),
  };
  const stopWatching = reportRefusals(service, report);
  const maintenance = opening.then(async () => {
    const { engine } = lazy;
    if (engine) await maintainPoints(engine, settings, { clock, report, signal: closing.signal });
  });
  return {
    service,
    async close() {
      await listener?.close();
      await taker.drain();
      await stopWatching();
      closing.abort();
      await Promise.all([maintenance, mirrors?.stop()]);
      await lazy.engine?.close();
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
    { clock: context.clock, random: () => context.randomSeed() / 2 ** 32, report },
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

/** Reports the first failure, and when the store is available. */
async function openWithRetries(
  lazy: LazyEngine,
  around: Surroundings,
  signal: AbortSignal,
): Promise<Pick<Serving, 'opening'> | undefined> {
  const { context, report } = around;
  const open = async () => lazy.setEngine(await openEngine(around));
  try {
    await open();
    return { opening: Promise.resolve() };
  } catch (error) {
    reportFailure(error, NO_POINTS, context);
    if (!isTransient(error)) return undefined;
    lazy.setUnavailable((error as Error).message);
  }
  report('It is retried until it works; the pages are served meanwhile.');
  const failed = (error: unknown) => {
    lazy.setUnavailable(error instanceof Error ? error.message : String(error));
    if (isTransient(error)) return true;
    report(`The storage of points is no longer retried: ${(error as Error)?.stack ?? error}`);
    return false;
  };
  const opening = openWithRetry({ open, failed }, { clock: context.clock, signal }).then(() => {
    if (lazy.engine) report('The storage of points is available now: points are taken and shown.');
  });
  return { opening };
}

/** Neither invalid settings nor bugs. */
function isTransient(error: unknown): boolean {
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
  const openStorage = await loadAdapter<OpenStorage>('storages', store);
  const place = store === 'sqlite' ? homeLayout(home).points : '';
  const storage = await openStorage(place, { env: context.env, report });
  try {
    const engine = await PointEngine.open(storage, context);
    if (udp.port !== 0 && !engine.hasDatabase(udp.database)) await engine.createDatabase(udp.database);
    for (const damage of engine.damage()) report(`The log of points: ${JSON.stringify(damage)}`);
    return engine;
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** Each storage reads the options that it needs. */
type OpenStorage = (
  place: string,
  options: { readonly env: CliContext['env']; readonly report: (line: string) => void },
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
    const { openUdpListener } = await import('../../metrics/adapters/udp/udp.ts');
    const listener = await openUdpListener({ host, port, onPacket: (bytes) => taker.take(bytes) });
    context.stderr.write(
      `Taking points in UDP packets on ${host} port ${listener.port}, for database "${database}".\n`,
    );
    return listener;
  } catch (error) {
    reportFailure(error, 'No UDP packets are taken', context);
    return undefined;
  }
}

/** At most one line in this time, however much is refused. */
const REPORT_EVERY_MS = 10_000;

/** Reports refused lines and lost packets since the last check. Returns a function that stops it after a last check. */
function reportRefusals(
  { counters, packets }: Pick<PointService, 'counters' | 'packets'>,
  report: (line: string) => void,
): () => Promise<void> {
  let before = { refused: 0, lost: 0 };
  const check = async () => {
    const counts = counters.report(await packets());
    const now = totals(counts);
    const refused = now.refused - before.refused;
    const lost = now.lost - before.lost;
    before = now;
    const [last] = counts.latest;
    if (refused > 0 && last !== undefined) {
      report(
        `${refused} lines of points were refused, the last because of ${last.message}: ${shown(last.line)}`,
      );
    }
    if (lost > 0) report(`${lost} UDP packets were lost; GET /api/ingest says where.`);
  };
  const timer = setInterval(check, REPORT_EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await check();
  };
}

function totals({ sources, packets }: IngestReport): { refused: number; lost: number } {
  const lost = Object.values(packets.lost).reduce((sum, count) => sum + count, packets.lostByKernel ?? 0);
  return { refused: sources.http.refusedLines + sources.udp.refusedLines, lost };
}

/** Quoted, so that nothing from outside can move the cursor of a terminal. */
function shown(line: string): string {
  return JSON.stringify(line.length > 200 ? `${line.slice(0, 200)}...` : line);
}
