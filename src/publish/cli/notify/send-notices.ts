import type { NotifyRoute } from '../../../home/core/home.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import type { Store } from '../../../home/core/store.ts';
import { fileLocks } from '../../../platform/adapters/file-locks.ts';
import { loadAdapter } from '../../../platform/cli/adapters.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import { type DeliveryReport, deliver } from '../../app/notify/deliver.ts';
import { DeliveryLog } from '../../app/notify/delivery-log.ts';
import type { Destination, DestinationPreview, NotifyEffects } from '../../app/notify/destination.ts';
import { drawChange } from '../../app/notify/draw-change.ts';
import type { Notice } from '../../core/notices/notice.ts';
import type { NoticePicture, Notifier, NotifyPlace, NotifySecrets } from '../../core/notices/notifier.ts';

export interface Delivering {
  readonly home: string;
  readonly destinations: readonly Destination[];
  /** Absent: there are no results, and no charts. */
  readonly store: Store | undefined;
  readonly context: CliContext;
}

/** Sends notices; one process at a time, so that none is sent twice. */
export async function sendNotices(
  { home, destinations, store, context }: Delivering,
  notices: readonly Notice[],
): Promise<readonly DeliveryReport[]> {
  const { disk, stderr } = context;
  const release = await lockNotices(home, context);
  try {
    const { log, note } = await DeliveryLog.open(home, disk);
    if (note !== undefined) stderr.write(`${note}\n`);
    return await deliver(notices, { destinations, log }, notifyEffects(store, context));
  } finally {
    release();
  }
}

export function notifyEffects(
  store: Store | undefined,
  { disk, clock, signal, randomSeed }: CliContext,
): NotifyEffects {
  return {
    disk,
    clock,
    signal,
    random: () => randomSeed() / 2 ** 32,
    draw: async (id) => store && draw(id, store),
  };
}

/** A notice goes without its chart rather than not at all. */
async function draw(id: string, store: Store): Promise<NoticePicture | undefined> {
  try {
    const { resvg: pictures } = await import('../../../charts/adapters/resvg.ts');
    return await drawChange(id, { store, pictures });
  } catch (error) {
    if (error instanceof NightmarkError) return undefined;
    throw error;
  }
}

const LOCK_WAIT = { tries: 20, pauseMs: 500 } as const;

async function lockNotices(home: string, context: CliContext): Promise<() => void> {
  const { clock, signal, processId, hostName, disk } = context;
  const { own, notices } = homeLayout(home);
  await disk.makeDir(own);
  for (let tried = 1; ; tried++) {
    const holder = { pid: processId, host: hostName };
    const outcome = await fileLocks.acquire(`${notices}.lock`, holder);
    if (outcome.state === 'acquired') return () => outcome.release();
    if (tried === LOCK_WAIT.tries || signal.aborted)
      throw new NightmarkError(
        'NOTIFY_BUSY',
        `Process ${outcome.holder['pid']} on ${outcome.holder['host']} is sending notices of ${home}.`,
        { hint: 'Nothing is lost: "nightmark notify" sends the rest later.' },
      );
    await clock.sleep(LOCK_WAIT.pauseMs, signal);
  }
}

/** The message for a failure that must not fail a night. */
export function failureLine(error: unknown): string {
  return `Notices could not be sent: ${messageOf(error)}; "nightmark notify" tries again.\n`;
}

/** The routes of a home with their notifiers; a route to several channels leads to several destinations. */
export async function openDestinations(
  routes: readonly NotifyRoute[],
  { env }: Pick<CliContext, 'env'>,
): Promise<readonly Destination[]> {
  const destinations: Destination[] = [];
  for (const route of routes) {
    const notifier = await loadAdapter<Notifier>('notifiers', route.to);
    const { secrets, missing } = secretsOf(route, env);
    const obstacle =
      missing.length === 0
        ? {}
        : { obstacle: `${missing.join(', ')}: not set in the environment, and the route needs it.` };
    for (const channel of route.channels.length === 0 ? [undefined] : route.channels) {
      destinations.push({
        name: route.channels.length > 1 ? `${route.name} ${channel}` : route.name,
        route,
        connection: notifier.open(placeOf(route, { channel, secrets, env })),
        ...obstacle,
      });
    }
  }
  return destinations;
}

interface PlaceParts {
  readonly channel: string | undefined;
  readonly secrets: NotifySecrets;
  readonly env: CliContext['env'];
}

function placeOf(route: NotifyRoute, { channel, secrets, env }: PlaceParts): NotifyPlace {
  const url = route.to === 'slack' ? env['SLACK_API_URL'] : route.url;
  return {
    ...(channel !== undefined && { channel }),
    addresses: route.addresses,
    ...(route.from !== undefined && { from: route.from }),
    ...(url !== undefined && { url }),
    secrets,
    timeoutMs: route.timeoutMs,
  };
}

function secretsOf({ variables }: NotifyRoute, env: CliContext['env']) {
  const missing: string[] = [];
  const secrets: Record<string, string> = {};
  for (const [what, variable] of Object.entries(variables)) {
    const value = env[variable];
    if (value === undefined || value === '') missing.push(variable);
    // What a notifier supports does not depend on the value: a preview is the same without it.
    secrets[what] = value ?? '';
  }
  return { secrets: secrets as NotifySecrets, missing };
}

/** A line for each destination, and one for each problem. */
export function describeDeliveries(reports: readonly DeliveryReport[]): string {
  return reports
    .flatMap((report) => [deliveryLine(report), ...report.problems.map((it) => `  ${visible(it)}`)])
    .map((line) => `${line}\n`)
    .join('');
}

function deliveryLine({ destination, messages, notices, held, waiting }: DeliveryReport): string {
  const parts: string[] = [];
  if (messages > 0) parts.push(`${counted(messages, 'message')} with ${counted(notices, 'notice')}`);
  if (held > 0) parts.push(`${counted(held, 'notice')} held back until quiet hours are over`);
  if (waiting > 0) parts.push(`${counted(waiting, 'notice')} kept for the next time`);
  return `Notified ${visible(destination)}: ${parts.join(', ') || 'nothing new'}.`;
}

/** The bodies as they would be sent. */
export function describePreviews(previews: readonly DestinationPreview[]): string {
  const lines = previews.flatMap(({ destination, obstacle, messages }) => {
    const held = messages.filter(({ isHeld }) => isHeld).length;
    const some = held < messages.length ? `${held} of them ` : '';
    const quiet = held > 0 ? `, ${some}held back until quiet hours are over` : '';
    return [
      `${visible(destination)}: ${messages.length === 0 ? 'nothing new' : counted(messages.length, 'message')}${quiet}`,
      ...(obstacle === undefined ? [] : [`  ! ${visible(obstacle)}`]),
      ...messages.flatMap(({ to, body, charts }) => [
        `  to ${visible(to)}${charts.length === 0 ? '' : `, with ${counted(charts.length, 'chart')}`}`,
        ...body.split('\n').map((line) => `    ${visible(line)}`),
      ]),
    ];
  });
  return lines.map((line) => `${line}\n`).join('');
}
