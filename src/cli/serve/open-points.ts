import { PointEngine } from '../../app/points/point-engine.ts';
import { PacketTaker } from '../../app/points/take-packets.ts';
import { NightmarkError } from '../../core/errors.ts';
import { IngestCounters } from '../../core/lines/ingest-counters.ts';
import { homeLayout } from '../../core/model/layout.ts';
import { uniqueMoments } from '../../core/points/unique-moments.ts';
import type { PacketListener, PacketListeners } from '../../core/ports/packet-listener.ts';
import type { PointShelf } from '../../core/ports/point-shelf.ts';
import type { PointService } from '../../server/points/effects.ts';
import { loadAdapter } from '../adapters.ts';
import type { CliContext } from '../context.ts';
import { watchRefusals } from './watch-refusals.ts';

export interface UdpOptions {
  readonly host: string;
  /** 0: none. */
  readonly port: number;
  readonly database: string;
  readonly isStrict: boolean;
}

export interface PointsOptions {
  readonly home: string;
  readonly keepsNotFinite: boolean;
  readonly udp: UdpOptions;
}

export interface OpenPoints {
  readonly service: PointService;
  readonly engine: PointEngine;
  close(): Promise<void>;
}

/** Opens the time series of a home and listens for packets. What cannot be opened is told; the pages are served anyway. */
export async function openPoints(
  options: PointsOptions,
  context: CliContext,
): Promise<OpenPoints | undefined> {
  const engine = await openEngine(options.home, context);
  if (engine === undefined) return undefined;
  const counters = new IngestCounters();
  const moment = uniqueMoments(context.clock);
  const report = (line: string) => void context.stderr.write(`${line}\n`);
  const packetOptions = { ...options.udp, keepsNotFinite: options.keepsNotFinite };
  const taker = new PacketTaker(packetOptions, {
    writer: engine,
    counters,
    clock: context.clock,
    moment,
    report,
  });
  const listener = await listenForPackets(options.udp, { engine, taker, context });
  const packets = async () => {
    const lostByKernel = await listener?.lost();
    return { isListening: listener !== undefined, ...(lostByKernel !== undefined && { lostByKernel }) };
  };
  const service = { writer: engine, counters, keepsNotFinite: options.keepsNotFinite, moment, packets };
  const stopWatching = watchRefusals(service, report);
  return {
    service,
    engine,
    async close() {
      await listener?.close();
      await taker.drain();
      await stopWatching();
      await engine.close();
    },
  };
}

async function openEngine(home: string, context: CliContext): Promise<PointEngine | undefined> {
  try {
    const openShelf = await loadAdapter<(folder: string) => Promise<PointShelf>>('shelves', 'sqlite');
    const engine = await PointEngine.open(await openShelf(homeLayout(home).points), context);
    for (const damage of engine.damage())
      context.stderr.write(`The log of points: ${JSON.stringify(damage)}\n`);
    return engine;
  } catch (error) {
    tell(error, 'No points are taken or shown', context);
    return undefined;
  }
}

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
    tell(error, 'No UDP packets are taken', context);
    return undefined;
  }
}

/** Of errors of people and of the system; anything else is a bug of ours. */
function tell(error: unknown, consequence: string, { stderr }: CliContext): void {
  const { code } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || code === undefined) throw error;
  const hint = error instanceof NightmarkError ? error.hint : undefined;
  stderr.write(`${consequence}: ${error.message} [${code}]\n${hint === undefined ? '' : `  ${hint}\n`}`);
}
