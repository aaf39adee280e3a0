import { sampleValues } from '../../formats/core/sample-data.ts';
import { fileLocks } from '../../platform/adapters/file-locks.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { openSqliteStore } from '../adapters/store/sqlite-store.ts';
import { reindexHome } from '../app/reindex/reindex-home.ts';
import type { ReindexReport } from '../app/reindex/reindex-progress.ts';
import { homeLayout } from '../core/home-layout.ts';
import { readTelemetryFile } from '../core/machine/telemetry-file.ts';
import type { Store } from '../core/store.ts';
import { declaredDirections } from './declared-directions.ts';

/**
 * Builds the index of a home anew, so that a crash at any time leaves the old one.
 *
 * A healthy index is rebuilt in place as one transaction: other processes (a running `serve`) have the file and its
 * write-ahead log open, and renaming another file over it would mix the two. Only where there is none, or a damaged one,
 * a fresh file is built beside it and moved into its place.
 */
export async function rebuildIndex(home: string, context: CliContext): Promise<ReindexReport> {
  const lock = await fileLocks.acquire(homeLayout(home).lock, {
    command: 'reindex',
    pid: context.processId,
    host: context.hostName,
    startedAt: context.clock.now(),
  });
  if (lock.state === 'held') {
    throw new NightmarkError('REINDEX_HOME_BUSY', `${home} is in use: ${JSON.stringify(lock.holder)}.`, {
      hint: 'The index is written by the night that runs. Try again when it is done.',
    });
  }
  try {
    const { index } = homeLayout(home);
    const exists = (await context.disk.stat(index)) !== undefined;
    return (
      (exists ? await rebuildInPlace(home, index, context) : undefined) ??
      (await buildFresh(home, index, context))
    );
  } finally {
    lock.release();
  }
}

/** Undefined when the file is too damaged to be used. */
async function rebuildInPlace(
  home: string,
  index: string,
  context: CliContext,
): Promise<ReindexReport | undefined> {
  try {
    const store = await openSqliteStore(index);
    try {
      return await store.together(() => fill(home, store, context));
    } finally {
      store.close();
    }
  } catch (error) {
    if (error instanceof NightmarkError && error.code === 'STORE_DAMAGED') return undefined;
    throw error;
  }
}

async function buildFresh(
  home: string,
  index: string,
  { disk, ...context }: CliContext,
): Promise<ReindexReport> {
  const fresh = `${index}.new`;
  await removeWithLog(disk, fresh);
  const store = await openSqliteStore(fresh);
  let report: ReindexReport;
  try {
    report = await fill(home, store, { disk, ...context });
  } finally {
    store.close();
  }
  // What is still in the log of the new file would stay behind when the file is moved.
  const log = await disk.stat(`${fresh}-wal`);
  if (log !== undefined && log.size > 0) {
    throw new NightmarkError('STORE_FAILED', `The new index ${fresh} could not be completed.`, {
      hint: 'Is another program reading it? Close it and try again.',
    });
  }
  // The log of the old file must go first: SQLite would replay it into the new one.
  if (await disk.stat(index)) await disk.rename(index, `${index}.damaged`);
  await removeWithLog(disk, index);
  await disk.rename(fresh, index);
  await removeWithLog(disk, fresh);
  return report;
}

async function fill(home: string, store: Store, context: CliContext): Promise<ReindexReport> {
  const { disk, clock, stderr } = context;
  const report = (line: string) => stderr.write(`${line}\n`);
  const directions = await declaredDirections(home, context);
  if (directions) await store.saveDirections(directions);
  return reindexHome(
    { home },
    { disk, clock, store, report, sampleValues, readTelemetry: readTelemetryFile },
  );
}

async function removeWithLog(disk: CliContext['disk'], file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) await disk.remove(`${file}${suffix}`);
}
