#!/usr/bin/env node
// What is installed as `nightmark`, bundled into few files (scripts/build-start.mjs): to find and load a hundred modules takes
// longer than most of what a script asks for. Everything is loaded when it is needed.
import * as module from 'node:module';

// Node 22 keeps what it has compiled; 20 does not know how.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
void start(process.argv.slice(2));

async function start(words: readonly string[]): Promise<void> {
  if (words[0] === 'chart') {
    const { quickChart } = await import('./chart/quick-chart.ts');
    if (await quickChart(words)) return;
  }
  await import('./main.ts');
}
