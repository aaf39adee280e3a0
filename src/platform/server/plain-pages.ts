import { type Content, html } from '../core/text/html.ts';

export interface ProblemWords {
  readonly heading: string;
  readonly explanation: string;
}

/** A page for what did not work: what happened, and where to go from here. */
export function problemPage({ heading, explanation }: ProblemWords): string {
  const main = html`<h1>${heading}</h1><p>${explanation}</p><p><a href="/">To the first page</a>, <a href="/runs">to all runs</a></p>`;
  return layout(heading, main);
}

/** Asks for the token; the form is posted, so that it stays out of addresses and histories. */
export function loginPage(title: string, problem?: string): string {
  const main = html`<h1>This page needs its token</h1>
${problem !== undefined && html`<p class="message" role="alert">${problem}</p>`}
<form method="post" action="/login"><label>Token <input type="password" name="token" autocomplete="current-password" required autofocus></label> <button>Open</button></form>
<p class="quiet">Whoever runs the server makes one with "nightmark token create NAME --scope read"; that of NIGHTMARK_TOKEN or --token-file opens everything. Programs send "Authorization: Bearer TOKEN".</p>`;
  return layout(title, main);
}

/** A page without a script, for those who may not read yet and for what went wrong. */
function layout(title: string, main: Content): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
</head>
<body>
<header><nav aria-label="Pages"><a class="mark" href="/">nightmark</a></nav></header>
<main>${main}</main>
</body>
</html>
`.toString();
}
