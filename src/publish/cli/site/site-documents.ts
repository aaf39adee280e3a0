import type { WatchedIndex } from '../../../home/cli/home-index.ts';
import type { Store } from '../../../home/core/store.ts';
import { commitLog } from '../../../judge/cli/changes/open-home.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import { homePlans } from '../../../server/cli/home-plans.ts';
import { openChanges } from '../../../server/cli/open-changes.ts';
import { openDuets } from '../../../server/cli/open-duets.ts';
import { rememberReads } from '../../app/site/remember-reads.ts';
import { openSiteJobs } from './site-jobs.ts';

/** Documents as the server gives them: the site shows what the dashboard shows. Nothing listens anywhere. */
export async function siteDocuments(home: string, watched: WatchedIndex, context: CliContext) {
  const report = (line: string) => void context.stderr.write(`${line}\n`);
  const index = remembering(watched);
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
function remembering(watched: WatchedIndex): WatchedIndex {
  let known: { readonly store: Store; readonly reads: Store } | undefined;
  return {
    ...watched,
    async current() {
      const store = await watched.current();
      if (store && known?.store !== store) known = { store, reads: rememberReads(store) };
      return store && known?.reads;
    },
  };
}
