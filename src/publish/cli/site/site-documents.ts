import type { WatchedIndex } from '../../../home/cli/home-index.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import type { Store } from '../../../home/core/store.ts';
import { openJobHome } from '../../../jobs/cli/open-queue.ts';
import type { JobService } from '../../../jobs/server/job-service.ts';
import { commitLog } from '../../../judge/cli/changes/open-home.ts';
import { PointFollower } from '../../../metrics/app/point-follower.ts';
import type { PointStorage } from '../../../metrics/core/points/point-storage.ts';
import { loadAdapter } from '../../../platform/cli/adapters.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import { homePlans, openChanges, openDuets } from '../../../server/cli/home-services.ts';
import { cachedStore } from '../../app/site/store-cache.ts';

/** Documents as the server gives them: the site shows what the dashboard shows. Nothing listens anywhere. */
export async function siteDocuments(home: string, watched: WatchedIndex, context: CliContext) {
  const report = (line: string) => void context.stderr.write(`${line}\n`);
  const index = cachedIndex(watched);
  const plans = homePlans(home, context);
  const jobs = await openSiteJobs(home, context);
  // The whole server: a night that publishes nothing does not load it.
  const { createServer } = await import('../../../server/create-server.ts');
  const app = createServer(
    { home, isLoopback: true },
    {
      ...{ ...context, index, plans, report, commits: await commitLog() },
      ...{ changes: await openChanges(home, context), duets: openDuets(context) },
      ...(jobs && { jobs: jobs.service }),
    },
  );
  return {
    async document(address: string): Promise<unknown> {
      const { statusCode, body } = await app.inject({
        url: `/api/${address}`,
        headers: { host: 'localhost' },
      });
      if (statusCode === 404 || (statusCode === 400 && address.startsWith('compare?'))) return undefined;
      if (statusCode !== 200)
        throw new Error(`The document "${address}" could not be made (status ${statusCode}).`);
      return JSON.parse(body);
    },
    async jobFile(id: string, path: string): Promise<Uint8Array | undefined> {
      const { statusCode, rawPayload } = await app.inject({
        url: `/file/${[id, ...path.split('/')].map(encodeURIComponent).join('/')}`,
        headers: { host: 'localhost' },
      });
      return statusCode === 200 ? rawPayload : undefined;
    },
    async close() {
      await app.close();
      await jobs?.close();
    },
  };
}

/** The same index; another one, when it was swapped, is read anew. */
function cachedIndex(watched: WatchedIndex): WatchedIndex {
  let known: { readonly store: Store; readonly reads: Store } | undefined;
  return {
    ...watched,
    async current() {
      const store = await watched.current();
      if (store && known?.store !== store) known = { store, reads: cachedStore(store) };
      return store && known?.reads;
    },
  };
}

export interface SiteJobs {
  readonly service: JobService;
  close(): Promise<void>;
}

/** Jobs of a home to be shown only; undefined where its folder has no queue: none is made for that. */
async function openSiteJobs(home: string, context: CliContext): Promise<SiteJobs | undefined> {
  if (!(await context.disk.stat(homeLayout(home).jobs))) return undefined;
  const { queue, results } = await openJobHome({ home }, context);
  const storage = await openStorage(home, context);
  const reader = storage && (await PointFollower.open(storage));
  return {
    service: {
      ...{ queue, results, clock: context.clock, randomSeed: () => context.randomSeed() },
      // Only a running server knows whether a worker is alive; a static page may be read tomorrow.
      isAlive: () => undefined,
      ...(reader && { reader }),
    },
    async close() {
      await queue.close();
      await storage?.close();
    },
  };
}

type OpenStorage = (place: string, options: { readonly readOnly: true }) => Promise<PointStorage>;

async function openStorage(home: string, { disk }: CliContext): Promise<PointStorage | undefined> {
  const place = homeLayout(home).points;
  if (!(await disk.stat(place))) return undefined;
  const open = await loadAdapter<OpenStorage>('storages', 'sqlite');
  return open(place, { readOnly: true });
}
