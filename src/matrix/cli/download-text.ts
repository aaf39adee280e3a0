import { visible } from '../../platform/core/text/terminal-text.ts';
import type { DownloadedFile } from '../app/download-effects.ts';
import type { DownloadReport, DownloadRequest } from '../app/download-results.ts';

export function describeFile({ path, state, bytes, resumedAt, reason }: DownloadedFile): string {
  const name = visible(path);
  if (state === 'planned') return `${name}${bytes === undefined ? '' : `  ${sizeText(bytes)}`}\n`;
  if (reason !== undefined) return `${state}: ${name}: ${visible(reason)}\n`;
  const resumed = resumedAt === undefined ? '' : `, of which ${sizeText(resumedAt)} were there`;
  return `${state}: ${name}  ${sizeText(bytes ?? 0)}${resumed}\n`;
}

export function fileJson({ resumedAt, ...file }: DownloadedFile): string {
  return `${JSON.stringify({ ...file, ...(resumedAt !== undefined && { resumed_at: resumedAt }) })}\n`;
}

export function describeDownload({ counts, bytes }: DownloadReport, { isDryRun }: DownloadRequest): string {
  const begin = isDryRun
    ? `${counts.planned} files would be fetched`
    : `${counts.fetched} files fetched (${sizeText(bytes)})`;
  const more = [
    [counts.kept, 'were there already'],
    [counts.refused, 'refused'],
    [counts.failed, 'failed'],
  ] as const;
  const told = more.filter(([count]) => count > 0).map(([count, word]) => `, ${count} ${word}`);
  return `${begin}${told.join('')}.\n`;
}

function sizeText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [value, unit] = [bytes, 0];
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024;
  return unit === 0 ? `${bytes} B` : `${value.toFixed(1)} ${units[unit]}`;
}
