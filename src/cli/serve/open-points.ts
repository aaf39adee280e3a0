import { type Forwarding, forwardingWriter } from '../../app/points/forward-points.ts';
import { PointEngine } from '../../app/points/point-engine.ts';
import { PacketTaker } from '../../app/points/take-packets.ts';
import { tendPoints } from '../../app/points/tend-points.ts';
import { IngestCounters } from '../../core/lines/ingest-counters.ts';
import { homeLayout } from '../../core/model/layout.ts';
import { uniqueMoments } from '../../core/points/unique-moments.ts';
import type { PacketListener, PacketListeners } from '../../core/ports/packet-listener.ts';
import type { PointShelf } from '../../core/ports/point-shelf.ts';
import type { PointService } from '../../server/points/effects.ts';
import { loadAdapter } from '../adapters.ts';
import type { CliContext } from '../context.ts';
import { openForwarding } from './open-forwarding.ts';
import { NO_POINTS, type PointsSettings, type UdpOptions } from './points-settings.ts';
import { tellFailure } from './tell-failure.ts';
import { watchRefusals } from './watch-refusals.ts';

export interface OpenPoints {
  readonly service: PointService;
  close(): Promise<void>;
}

/** Opens the time series of a home, their mirrors and a port for packets. Without the store the pages are served anyway. */
export async function openPoints(
  home: string,
  settings: PointsSettings,
  context: CliContext,
): Promise<OpenPoints | undefined> {
  const report = (line: string) => void context.stderr.write(`${line}\n`);
  const engine = await openEngine(home, settings.store, { context, report });
  if (engine === undefined) return undefined;
  try {
    return await serveEngine(engine, { home, settings, context, report });
  } catch (error) {
    await engine.close();
    throw error;
  }
}

interface Surroundings {
  readonly home: string;
  readonly settings: PointsSettings;
  readonly context: CliContext;
  report(line: string): void;
}

async function serveEngine(engine: PointEngine, around: Surroundings): Promise<OpenPoints> {
  const { settings, context, report } = around;
  const { keepsNotFinite, udp } = settings;
  const mirrors = await runMirrors(around);
  const writer = mirrors ? forwardingWriter(engine, mirrors.forwarding) : engine;
  const counters = new IngestCounters();
  const moment = uniqueMoments(context.clock);
  const { clock } = context;
  const taker = new PacketTaker({ ...udp, keepsNotFinite }, { writer, counters, clock, moment, report });
  const listener = await listenForPackets(udp, { engine, taker, context });
  const packets = async () => {
    const lostByKernel = await listener?.lost();
    return { isListening: listener !== undefined, ...(lostByKernel !== undefined && { lostByKernel }) };
  };
  const service: PointService = {
    ...{ writer, reader: engine, admin: engine, stored: engine, counters, keepsNotFinite, moment, packets },
    ...(mirrors && { forwarding: () => mirrors.forwarding.status() }),
  };
  const stopWatching = watchRefusals(service, report);
  const tending = new AbortController();
  const tended = tendPoints(engine, settings, { clock, tell: report, signal: tending.signal });
  return {
    service,
    async close() {
      await listener?.close();
      await taker.drain();
      await stopWatching();
      tending.abort();
      await Promise.all([tended, mirrors?.stop()]);
      await engine.close();
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

async function openEngine(
  home: string,
  store: PointsSettings['store'],
  { context, report }: Pick<Surroundings, 'context' | 'report'>,
): Promise<PointEngine | undefined> {
  try {
    const openShelf = await loadAdapter<OpenShelf>('shelves', store);
    const place = store === 'sqlite' ? homeLayout(home).points : '';
    const engine = await PointEngine.open(
      await openShelf(place, { env: context.env, tell: report }),
      context,
    );
    for (const damage of engine.damage()) report(`The log of points: ${JSON.stringify(damage)}`);
    return engine;
  } catch (error) {
    tellFailure(error, NO_POINTS, context);
    return undefined;
  }
}

/** What a shelf has no use for it does not look at. */
type OpenShelf = (
  place: string,
  options: { readonly env: CliContext['env']; readonly tell: (line: string) => void },
) => Promise<PointShelf>;

interface PacketParts {
  readonly engine: PointEngine;
  readonly taker: PacketTaker;
  readonly context: CliContext;
}

async function listenForPackets(
  { host, port, database }: UdpOptions,
  { engine, taker, context }: PacketParts,
): Promise<PacketListener | undefined> {
  if (port === 0) return undefined;
  try {
    if (!engine.hasDatabase(database)) await engine.createDatabase(database);
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
