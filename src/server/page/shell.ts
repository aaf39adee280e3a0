import { html } from '../../core/text/html.ts';
import type { PageFiles } from './page-files.ts';

/** What the browser gets for every address of a page: no inline script or style, the policy allows none. */
export function shell(
  { script, preload, style }: Pick<PageFiles, 'script' | 'preload' | 'style'>,
  chunks: readonly string[],
): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Nightmark</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/${style}">
<script type="module" src="/page/${script}"></script>
${[...preload, ...chunks].map((name) => html`<link rel="modulepreload" href="/page/${name}">`)}
</head>
<body>
<div id="app"></div>
<noscript><p>This page is drawn by a script. The same facts are at <a href="/api/experiments">/api/experiments</a>, and <code>nightmark status</code> prints them.</p></noscript>
</body>
</html>
`.toString();
}
