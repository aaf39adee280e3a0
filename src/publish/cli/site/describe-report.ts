import { visible } from '../../../platform/core/text/terminal-text.ts';
import type { HomeReport } from '../../app/site/publish-home.ts';

const MOST_LINES = 40;

/** What was published, or would be. */
export function describeReport(report: HomeReport, shown: string, isDryRun: boolean): string {
  const { written, removed, unchanged, bytesWritten, isChanged, leftOut } = report;
  const lines: string[] = [];
  if (isDryRun) {
    lines.push(
      ...cut(written.map(({ path, size }) => `write   ${sizeText(size).padStart(10)}  ${visible(path)}`)),
    );
    lines.push(...cut(removed.map((path) => `remove              ${visible(path)}`)));
  }
  const files = `${written.length} ${written.length === 1 ? 'file' : 'files'} (${sizeText(bytesWritten)})`;
  const would = isDryRun ? 'would be ' : '';
  const what = isChanged ? `${files} ${would}written` : `Nothing changed: only the status ${would}written`;
  lines.push(`${what}, ${removed.length} ${would}removed, ${unchanged} unchanged: ${visible(shown)}`);
  const { old, unsafe } = leftOut;
  if (old > 0) lines.push(`${old} older artifacts are left out to keep the site small (--max-size).`);
  if (unsafe > 0) lines.push(`${unsafe} pictures are left out: they could run something in a browser.`);
  return `${lines.join('\n')}\n`;
}

function cut(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), `... and ${lines.length - MOST_LINES} more: --json names them all`];
}

function sizeText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let [value, unit] = [bytes, 0];
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024;
  return unit === 0 ? `${bytes} B` : `${value.toFixed(1)} ${units[unit]}`;
}
