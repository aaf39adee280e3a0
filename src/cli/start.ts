#!/usr/bin/env node
// What is installed as `nightmark`, bundled into few files (scripts/build-start.mjs): to find and load a hundred modules takes
// longer than most of what a script asks for. Everything is loaded when it is needed.
import { useCompiledChunks } from './compiled-chunks.ts';

useCompiledChunks();
void start(process.argv.slice(2));

async function start(words: readonly string[]): Promise<void> {
  if (words[0] === 'chart') {
    const { quickChart } = await import('./chart/quick-chart.ts');
    if (await quickChart(words)) return;
  }
  await import('./main.ts');
}
