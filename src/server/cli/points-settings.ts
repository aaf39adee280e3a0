import { inspectHome } from '../../home/config/read-home.ts';
import type { HomeMetrics } from '../../home/core/home.ts';
import { type CliContext, flag, type Options, textOption } from '../../platform/cli/command.ts';
import { reportFailure } from '../../platform/cli/report-failure.ts';
import { NightmarkError } from '../../platform/core/errors.ts';

/** Reported when the pages are served without points. */
export const NO_POINTS = 'No points are taken or shown';

export interface UdpOptions {
  readonly host: string;
  /** 0: none. */
  readonly port: number;
  readonly database: string;
  readonly isStrict: boolean;
}

export interface PointsSettings extends Omit<HomeMetrics, 'udp'> {
  readonly keepsNotFinite: boolean;
  readonly udp: UdpOptions;
}

/** The port of Telegraf's socket listener, which its clients send to. */
const DEFAULT_UDP_PORT = 8092;
const DEFAULT_DATABASE = 'nightmark';
const DEFAULT_METRICS: HomeMetrics = { store: 'sqlite', forward: [] };

/**
 * The settings of points, from options first, then from the definition of the home. Undefined, and reported, when the
 * definition cannot be read: points must not go to another store than the one that a broken file meant.
 */
export async function pointsSettings(
  home: string,
  options: Options,
  context: CliContext,
): Promise<PointsSettings | undefined> {
  const portText = textOption(options, 'udpPort');
  const port = portText === undefined ? undefined : parsePort(portText);
  const metrics = await metricsOf(home, context);
  return (
    metrics && {
      ...metrics,
      keepsNotFinite: flag(options, 'keepNotFinite') || metrics.keepsNotFinite === true,
      udp: {
        host: textOption(options, 'udpHost') ?? '127.0.0.1',
        port: port ?? metrics.udp?.port ?? DEFAULT_UDP_PORT,
        database: textOption(options, 'udpDatabase') ?? metrics.udp?.database ?? DEFAULT_DATABASE,
        isStrict: flag(options, 'udpStrict') || metrics.udp?.isStrict === true,
      },
    }
  );
}

/** A folder of results without a definition has the defaults. */
async function metricsOf(home: string, context: CliContext): Promise<HomeMetrics | undefined> {
  const { disk, userHome, env } = context;
  const inspection = await inspectHome(home, {}, { disk, userHome, env });
  if (inspection.state === 'usable') return inspection.reading.home.metrics ?? DEFAULT_METRICS;
  if (inspection.error.code === 'CONFIG_MISSING') return DEFAULT_METRICS;
  reportFailure(inspection.error, NO_POINTS, context);
  return undefined;
}

/** "4177" -> 4177 */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new NightmarkError('SERVE_PORT_INVALID', `invalid port: "${text}"`, {
    hint: 'Give a number from 1 to 65535, or 0 for any free port.',
  });
}
