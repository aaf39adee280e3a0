import type { Overview } from '../../app/read-overview.ts';
import { type Html, html } from '../../core/text/html.ts';

/** Says what would be here, and the command that brings it. */
export function emptyHome({ home, isDefined }: Overview): Html {
  return html`<h1>No night yet</h1>
<p>Here you will see how the last night went, every value with its history, and the log of whatever failed.</p>
${
  isDefined
    ? html`<p>The first one begins with</p><pre class="command">nightmark run ${shellWord(home)}</pre>`
    : html`<p>There is no definition in this folder yet (nightmark.yml or config.json). Make a home that runs, and run it:</p><pre class="command">nightmark init ${shellWord(home)}
nightmark run ${shellWord(home)}</pre>`
}
<p class="quiet">Results are there already? <code>nightmark reindex ${shellWord(home)}</code> reads them.</p>`;
}

/** Can be pasted, whatever the folder is called. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
