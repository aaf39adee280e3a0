import type { PictureMaker } from '../../../charts/core/picture-maker.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import type { Store } from '../../../home/core/store.ts';
import { loadAdapter } from '../../../platform/cli/adapters.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import type { Locks } from '../../../platform/core/lock.ts';
import { type DeliveryReport, deliver } from '../../app/notify/deliver.ts';
import { drawChange } from '../../app/notify/draw-change.ts';
import { NoticeBook } from '../../app/notify/notice-book.ts';
import type { Destination, NotifyEffects } from '../../app/notify/notify-effects.ts';
import type { Notice } from '../../core/notices/notice.ts';
import type { NoticePicture } from '../../core/notifier.ts';

export interface NotifyWorld {
  readonly home: string;
  readonly destinations: readonly Destination[];
  /** Absent: there are no results, and no charts. */
  readonly store: Store | undefined;
  readonly context: CliContext;
}

/** Sends; one process at a time, so that nothing is told twice. */
export async function deliverFrom(
  { home, destinations, store, context }: NotifyWorld,
  notices: readonly Notice[],
): Promise<readonly DeliveryReport[]> {
  const { disk, stderr } = context;
  const release = await takeNotices(home, context);
  try {
    const { book, note } = await NoticeBook.open(home, disk);
    if (note !== undefined) stderr.write(`${note}\n`);
    return await deliver(notices, { destinations, book }, notifyEffects(store, context));
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
    const pictures = await loadAdapter<PictureMaker>('pictures', 'resvg');
    return await drawChange(id, { store, pictures });
  } catch (error) {
    if (error instanceof NightmarkError) return undefined;
    throw error;
  }
}

const PATIENCE = { tries: 20, pauseMs: 500 } as const;

async function takeNotices(home: string, context: CliContext): Promise<() => void> {
  const { clock, signal, processId, hostName, disk } = context;
  const locks = await loadAdapter<Locks>('locks', 'sqlite');
  const { own, notices } = homeLayout(home);
  await disk.makeDir(own);
  for (let tried = 1; ; tried++) {
    const holder = { pid: processId, host: hostName };
    const outcome = await locks.acquire(`${notices}.lock`, holder);
    if (outcome.state === 'acquired') return () => outcome.release();
    if (tried === PATIENCE.tries || signal.aborted)
      throw new NightmarkError(
        'NOTIFY_BUSY',
        `Process ${outcome.holder['pid']} on ${outcome.holder['host']} sends notices of ${home} at this moment.`,
        { hint: 'Nothing is lost: "nightmark notify" sends later what was not told.' },
      );
    await clock.sleep(PATIENCE.pauseMs, signal);
  }
}

/** The words of a failure that must not fail a night. */
export function failureLine(error: unknown): string {
  return `People could not be told: ${messageOf(error)}; "nightmark notify" tries again.\n`;
}
