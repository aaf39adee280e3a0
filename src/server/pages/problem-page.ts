import { type Content, html } from '../../core/text/html.ts';

export interface ProblemWords {
  readonly heading: string;
  readonly explanation: string;
}

/** A page for what did not work: what happened, and where to go from here. */
export function problemPage({ heading, explanation }: ProblemWords): Content {
  return html`<h1>${heading}</h1><p>${explanation}</p><p><a href="/">To the first page</a>, <a href="/runs">to all runs</a></p>`;
}

/** Asks for the token; the form is posted, so that it stays out of addresses and histories. */
export function loginPage(wasWrong: boolean): Content {
  return html`<h1>This page needs its token</h1>
${wasWrong && html`<p class="message" role="alert">That is not the token.</p>`}
<form method="post" action="/login"><label>Token <input type="password" name="token" autocomplete="current-password" required autofocus></label> <button>Open</button></form>
<p class="quiet">Whoever started the server has it: NIGHTMARK_TOKEN or the file given with --token-file. Programs send "Authorization: Bearer TOKEN".</p>`;
}
