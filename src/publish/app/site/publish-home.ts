import { countTrials } from '../../../home/app/run-queries.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import type { Run } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Clock } from '../../../platform/core/clock.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import { baseName, joinPath } from '../../../platform/core/path.ts';
import type { Publication } from '../../core/site/publisher.ts';
import {
  type LeftOut,
  ROOT_PATH,
  readStatus,
  type SiteOutcome,
  type SiteStatus,
  STATUS_PATH,
  statusText,
} from '../../core/site/site-map.ts';
import type { Budget } from './artifact-files.ts';
import { openPublishCache } from './publish-cache.ts';
import { type PublishReport, publishSite, toPut } from './publish-site.ts';
import type { SiteEffects, SiteSource } from './site-files.ts';

export interface PublishRequest {
  readonly home: string;
  /** As it may be shown. */
  readonly target: string;
  readonly isDryRun: boolean;
  /** Bytes of artifacts. */
  readonly maxBytes: number;
  /** Everything is made anew, whatever the cache holds of earlier publications. */
  readonly isFresh: boolean;
  /** A broken night is published like any other. */
  readonly showsBroken: boolean;
  readonly version: string;
}

export interface PublishHomeEffects extends SiteEffects {
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: CancelSignal;
  readonly source: SiteSource;
  open(): Promise<Publication>;
}

export interface HomeReport extends PublishReport {
  readonly outcome: SiteOutcome;
  readonly leftOut: LeftOut;
  readonly dataAt?: number;
}

/** Publishes a home; after a night that broke only the status is written, and the earlier site stays. */
export async function publishHome(request: PublishRequest, effects: PublishHomeEffects): Promise<HomeReport> {
  const night = await newestNight(effects.store);
  const publication = await effects.open();
  let outcome: 'done' | 'given-up' = 'given-up';
  try {
    if (publication.holdsOther) throw notOurs(request.target);
    const isKept =
      night.outcome.state === 'broken' &&
      !request.showsBroken &&
      (await publication.read(ROOT_PATH)) !== undefined;
    const report = isKept
      ? await keepEarlier({ ...request, night }, { ...effects, publication })
      : await publishNew({ ...request, night }, { ...effects, publication });
    outcome = 'done';
    return report;
  } finally {
    await publication.close(outcome);
  }
}

type Request = PublishRequest & { readonly night: NewestNight };
type Effects = PublishHomeEffects & { readonly publication: Publication };

async function publishNew(request: Request, effects: Effects): Promise<HomeReport> {
  const { home, night, isDryRun, isFresh, version } = request;
  const { publication, clock, disk } = effects;
  const budget: Budget = { bytes: request.maxBytes, old: 0, unsafe: 0 };
  const stamps = await openPublishCache(joinPath(homeLayout(home).own, 'publish/stamps.json'), disk, isFresh);
  const leftOut = () => ({ old: budget.old, unsafe: budget.unsafe });
  const before = await readBefore(publication);
  const status = async (isChanged: boolean) =>
    statusText({
      project: night.project ?? baseName(home),
      ...(night.dataAt !== undefined && { dataAt: night.dataAt }),
      publishedAt: isChanged ? clock.now() : (before?.publishedAt ?? clock.now()),
      attemptedAt: clock.now(),
      outcome: night.outcome,
      leftOut: leftOut(),
    });
  const site = {
    files: effects.source({ home, budget, version, outlines: stamps }, effects),
    isDryRun,
    status,
    statusPath: STATUS_PATH,
  };
  let report: PublishReport;
  try {
    report = await publishSite(site, { ...effects, stamps });
  } catch (error) {
    if (!isDryRun && before && !isOurs(error)) await publishFailure(error, before, effects);
    throw error;
  }
  if (!isDryRun) await stamps.save();
  return { ...report, ...shared(night, leftOut()) };
}

/** Failures of the target or the user are reported to the user; failures of the home also to the readers of the site. */
function isOurs(error: unknown): boolean {
  return error instanceof NightmarkError && error.code.startsWith('PUBLISH_');
}

async function publishFailure(error: unknown, before: SiteStatus, effects: Effects): Promise<void> {
  const reason = `The site could not be made: ${messageOf(error)}`;
  await writeStatus({ ...before, outcome: { state: 'broken', reason } }, effects);
}

async function keepEarlier({ night, isDryRun, home }: Request, effects: Effects): Promise<HomeReport> {
  const { clock, publication } = effects;
  const before = (await readBefore(publication)) ?? {
    project: night.project ?? baseName(home),
    publishedAt: clock.now(),
    leftOut: { old: 0, unsafe: 0 },
  };
  const size = isDryRun
    ? 0
    : await writeStatus({ ...before, attemptedAt: clock.now(), outcome: night.outcome }, effects);
  const written = [{ path: STATUS_PATH, size }];
  const nothing = { isFirst: false, isChanged: false, removed: [], unchanged: 0, bytesWritten: size };
  return { ...nothing, written, ...shared(night, before.leftOut) };
}

async function writeStatus(status: SiteStatus, effects: Effects): Promise<number> {
  const file = toPut(STATUS_PATH, statusText({ ...status, attemptedAt: effects.clock.now() }), effects);
  await effects.publication.commit([file]);
  return file.size;
}

function shared(night: NewestNight, leftOut: LeftOut) {
  return { outcome: night.outcome, leftOut, ...(night.dataAt !== undefined && { dataAt: night.dataAt }) };
}

async function readBefore(publication: Publication): Promise<SiteStatus | undefined> {
  const text = await publication.read(STATUS_PATH);
  return text === undefined ? undefined : readStatus(text);
}

function notOurs(target: string): NightmarkError {
  return new NightmarkError('PUBLISH_NOT_EMPTY', `${target} holds other things, and no site of Nightmark.`, {
    hint: 'Nothing was changed. Name an empty place, for example a new folder or a new branch.',
  });
}

export interface NewestNight {
  readonly project?: string;
  /** The newest run that ended and has something to show. */
  readonly dataAt?: number;
  readonly outcome: SiteOutcome;
}

/** Whether the newest night has something worth showing. A running one does not count yet. */
async function newestNight(store: Store): Promise<NewestNight> {
  const runs = [
    ...(await store.latestRuns({ limit: SEARCHED_RUNS, kind: 'night' })),
    ...(await store.latestRuns({ limit: SEARCHED_RUNS, kind: 'import' })),
  ].sort((a, b) => b.startedAt - a.startedAt);
  const ended = runs.filter(({ state }) => state !== 'running');
  let outcome: SiteOutcome = { state: 'fine' };
  for (const [place, run] of ended.entries()) {
    const verdict = await judgeNight(run, store);
    if (verdict.state === 'shows')
      return { project: run.project, dataAt: run.endedAt ?? run.startedAt, outcome };
    if (place === 0 && verdict.state === 'broken') outcome = { ...verdict, runId: run.id };
  }
  return { ...(ended[0] && { project: ended[0].project }), outcome };
}

const SEARCHED_RUNS = 60;

type Verdict =
  | { readonly state: 'shows' }
  /** Without a new commit there was nothing to measure: nothing is wrong, and nothing is new. */
  | { readonly state: 'skipped' }
  | { readonly state: 'broken'; readonly reason: string };

async function judgeNight(run: Run, store: Store): Promise<Verdict> {
  if (run.state === 'interrupted')
    return { state: 'broken', reason: `The night ${run.label} was interrupted.` };
  const { total, succeeded, skipped } = countTrials(await store.trialsOf([run.id]), 'experiment');
  if (succeeded > 0 || total === 0) return { state: 'shows' };
  if (total === skipped) return { state: 'skipped' };
  return { state: 'broken', reason: `No experiment of the night ${run.label} succeeded.` };
}
