// Publishes a made-up site and may be killed on the way: node publish-child.js PUBLISHER TARGET VARIANT WORK [KILL_AFTER_MS]

import disk from '../../src/platform/adapters/local-disk/local-disk.ts';
import { loadAdapter } from '../../src/platform/cli/adapters.ts';
import { openPublishCache } from '../../src/publish/app/site/publish-cache.ts';
import { type PublishReport, publishSite } from '../../src/publish/app/site/publish-site.ts';
import type { Publisher } from '../../src/publish/core/site/publisher.ts';
import type { SiteFiles } from '../../src/publish/core/site/site-map.ts';
import { byteTools, publisherOptions } from './publish-targets.ts';

const [, , id = '', place = '', variant = '', workFolder = '', killAfter] = process.argv;
const publisher = await loadAdapter<Publisher>('publishers', id);
const options = publisherOptions(
  { ...(process.env as Record<string, string>) },
  { workFolder, now: Date.now },
);
if (killAfter !== undefined) setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(killAfter));
const publication = await publisher.open(place, options);
const report: PublishReport = await publishSite(
  { files: files(), isDryRun: false, status: async () => `status of ${variant}`, statusPath: 'status.js' },
  { publication, stamps: await openPublishCache('/nowhere', disk), ...byteTools, signal: options.signal },
);
await publication.close('done');
console.log(JSON.stringify(report));

/** Every file says of which variant it is; half of them change with it. */
async function* files(): SiteFiles {
  const file = (path: string, text: string, isNamed = false) => ({
    path,
    isNamed,
    async *bytes() {
      yield Buffer.from(text);
    },
  });
  yield file('index.html', '<p>page</p>', true);
  for (const folder of ['data', 'data/deep']) {
    for (let place = 0; place < 12; place++)
      yield file(
        `${folder}/${place}.js`,
        place % 2 === 0 ? `always ${place}` : `${variant} ${place}\n`.repeat(2_000),
      );
  }
}
