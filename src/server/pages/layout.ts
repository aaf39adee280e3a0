import { type Content, type Html, html } from '../../core/text/html.ts';

export interface Page {
  readonly title: string;
  readonly project: string;
  /** Address of the same facts as JSON. */
  readonly json?: string;
  /** Changes when there is something new to see; absent: the page is never reloaded. */
  readonly liveToken?: string;
  /** Where the token is looked up; where nothing is said, /api/status. */
  readonly liveAddress?: string;
  readonly main: Content;
}

/** The frame of every page. No script but /live.js, no style but /style.css: the policy allows nothing else. */
export function layout(page: Page): string {
  const { title, project, json, liveToken, liveAddress = '/api/status', main } = page;
  const document: Html = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${liveToken !== undefined && html`<script src="/live.js" data-token="${liveToken}" data-address="${liveAddress}" defer></script>`}
</head>
<body>
<header><nav aria-label="Pages"><a class="mark" href="/">nightmark</a> / <a href="/">${project}</a><span class="right"><a href="/changes">changes</a> · <a href="/jobs">jobs</a> · <a href="/points">points</a> · <a href="/runs">all runs</a></span></nav></header>
<main>${main}</main>
<footer>${json !== undefined && html`<a href="${json}">This page as JSON</a> · `}Times are UTC. A cross marks a failure, a gap a night without a value.</footer>
</body>
</html>
`;
  return document.toString();
}
