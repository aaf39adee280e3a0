import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { drawChartFile } from '../../core/chart-file/draw-chart-file.ts';
import { readChartFile } from '../../core/chart-file/read-chart-file.ts';

/**
 * `nightmark chart SPEC -o FILE` and nothing else: a script draws one chart a process, and to load the whole program took
 * longer than the chart. False: not of that form, or something is wrong; then the whole program does it, and says what.
 */
export async function quickChart(words: readonly string[]): Promise<boolean> {
  const [command, spec = '', option, output = '', ...more] = words;
  const [, ending] = /^[^-].*\.(png|svg)$/.exec(output) ?? [];
  const isPlain = command === 'chart' && more.length === 0 && (option === '-o' || option === '--output');
  if (!isPlain || ending === undefined || spec === '' || spec.startsWith('-')) return false;
  const unfinished = `${output}.${process.pid}.part`;
  try {
    const text = readFileSync(spec, 'utf8');
    // To optimize functions that then run for some milliseconds takes more time than it saves.
    if (text.length < SMALL) setFlagsFromString('--no-opt');
    const svg = drawChartFile(readChartFile(text, spec));
    writeFileSync(unfinished, ending === 'png' ? await pictureOf(svg) : `${svg}\n`, { flag: 'wx' });
    renameSync(unfinished, output);
    return true;
  } catch {
    rmSync(unfinished, { force: true });
    return false;
  }
}

/** Characters of a chart file with some hundred values. */
const SMALL = 32_000;

async function pictureOf(svg: string): Promise<Uint8Array> {
  const { default: pictures } = await import('../../adapters/pictures/resvg/index.ts');
  return pictures.png(svg);
}
