import { type Content, html } from '../../core/text/html.ts';

export interface PlainPage {
  readonly title: string;
  readonly main: Content;
}

/** A page without a script, for those who may not read yet and for what went wrong. */
export function layout({ title, main }: PlainPage): string {
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
