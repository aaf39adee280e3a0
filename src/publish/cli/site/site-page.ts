import { html } from '../../../platform/core/text/html.ts';
import { readPageFiles } from '../../../server/shell/page-files.ts';
import type { SiteFile, SiteFiles } from '../../core/site/site-file.ts';

/** The page of a static site: one HTML file that names a classic script and the style sheet by their content. */
export async function* sitePage(): SiteFiles {
  const { style, site, files } = readPageFiles();
  const [script, sheet, icon] = [files.get(site), files.get(style), files.get('icon.svg')];
  if (!script || !sheet || !icon) throw new Error('The page was not built: run "npm run build".');
  yield named('icon.svg', icon.plain);
  yield named('index.html', Buffer.from(indexPage(site, style)));
  yield named(site, script.plain);
  yield named(style, sheet.plain);
}

function named(path: string, bytes: Uint8Array): SiteFile {
  return {
    path,
    isNamed: true,
    async *bytes() {
      yield bytes;
    },
  };
}

/** "file:" because a page that is opened from disk has no origin that "self" could be. */
const POLICY =
  "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file:; base-uri 'none'; form-action 'none'";

function indexPage(script: string, style: string): string {
  return html`<!doctype html>
<html lang="en" data-site>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>Nightmark</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
<script src="${script}" defer></script>
</head>
<body>
<div id="app"></div>
<noscript><p>This page is drawn by a script; its data is in the folder "data".</p></noscript>
</body>
</html>
`.toString();
}
