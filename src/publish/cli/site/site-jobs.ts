import { homeLayout } from '../../../home/core/layout.ts';
import { openJobHome } from '../../../jobs/cli/open-queue.ts';
import type { JobService } from '../../../jobs/server/effects.ts';
import { PointFollower } from '../../../metrics/app/point-follower.ts';
import type { PointStorage } from '../../../metrics/core/points/point-storage.ts';
import { loadAdapter } from '../../../platform/cli/adapters.ts';
import type { CliContext } from '../../../platform/cli/context.ts';

export interface SiteJobs {
  readonly service: JobService;
  close(): Promise<void>;
}

/** Jobs of a home to be shown only; undefined where its folder has no queue: none is made for that. */
export async function openSiteJobs(home: string, context: CliContext): Promise<SiteJobs | undefined> {
  if (!(await context.disk.stat(homeLayout(home).jobs))) return undefined;
  const { queue, results } = await openJobHome({ home }, context);
  const shelf = await openShelf(home, context);
  const reader = shelf && (await PointFollower.open(shelf));
  return {
    service: {
      ...{ queue, results, clock: context.clock, randomSeed: () => context.randomSeed() },
      // Whether a worker lives is known to a server that is asked now, and not to a page that is read tomorrow.
      isAlive: () => undefined,
      ...(reader && { reader }),
    },
    async close() {
      await queue.close();
      await shelf?.close();
    },
  };
}

type OpenShelf = (place: string, options: { readonly readOnly: true }) => Promise<PointStorage>;

async function openShelf(home: string, { disk }: CliContext): Promise<PointStorage | undefined> {
  const place = homeLayout(home).points;
  if (!(await disk.stat(place))) return undefined;
  const open = await loadAdapter<OpenShelf>('shelves', 'sqlite');
  return open(place, { readOnly: true });
}
