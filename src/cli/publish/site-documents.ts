import { commitLog } from '../changes/explanation.ts';
import type { CliContext } from '../context.ts';
import type { WatchedIndex } from '../home/index-source.ts';
import { homePlans } from '../serve/home-plans.ts';
import { openChanges } from '../serve/open-changes.ts';
import { openDuets } from '../serve/open-duets.ts';

/** Documents as the server gives them: the site shows what the dashboard shows. Nothing listens anywhere. */
export async function siteDocuments(home: string, index: WatchedIndex, context: CliContext) {
  const report = (line: string) => void context.stderr.write(`${line}\n`);
  const plans = homePlans(home, context);
  // The whole server: a night that publishes nothing does not load it.
  const { createServer } = await import('../../server/create-server.ts');
  const app = createServer(
    { home, isLoopback: true },
    {
      ...{ ...context, index, plans, report, commits: await commitLog() },
      ...{ changes: await openChanges(home, context), duets: openDuets(context) },
    },
  );
  return {
    async document(address: string): Promise<unknown> {
      const { statusCode, body } = await app.inject({
        url: `/api/${address}`,
        headers: { host: 'localhost' },
      });
      if (statusCode === 404) return undefined;
      if (statusCode !== 200)
        throw new Error(`The document "${address}" could not be made (status ${statusCode}).`);
      return JSON.parse(body);
    },
    close: () => app.close(),
  };
}
