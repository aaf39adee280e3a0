#!/usr/bin/env node
// What is installed as `nightmark`, bundled into one file (scripts/build-start.mjs): to find and load a hundred modules
// took longer than the one chart that a script often asks for. All the rest is main.ts, loaded when it is needed.
import { quickChart } from './chart/quick-chart.ts';

void quickChart(process.argv.slice(2)).then(async (isDrawn) => {
  if (!isDrawn) await import('./main.ts');
});
