import type { SiteFiles } from '../../core/site/site-file.ts';
import type { ByteTools } from './load-file.ts';

/** The page itself: what a browser opens first. It keeps its path. */
export async function* pageFiles({ encode }: ByteTools): SiteFiles {
  yield {
    path: 'index.html',
    isNamed: true,
    async *bytes() {
      yield encode(PAGE);
    },
  };
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Nightmark</title>
<p>The documents of this site are listed in <a href="site.js">site.js</a>, and how old they are in <a href="status.js">status.js</a>.</p>
</html>
`;
