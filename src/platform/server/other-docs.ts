import type { RouteDescription } from './route-config.ts';
import { anything, mapOf } from './schema.ts';

/** What may be asked about learning curves, machines and the server itself. */
export const OTHER_DOCS = {
  curves: { summary: 'Tasks and algorithms that have learning curves', answer: mapOf(anything) },
  curveData: {
    summary: 'Curves of one task on a common axis, with bands over seeds',
    query: {
      task: 'which',
      x: 'column of the axis',
      y: 'column of the values',
      points: 'how many places the axis has',
      seeds: '1: with the curve of every seed',
    },
    answer: mapOf(anything),
  },
  scores: { summary: 'Final, best and mean performance of each algorithm', answer: { media: ['text/csv'] } },
  machines: { summary: 'Machines with their noise, and when they were seen', answer: mapOf(anything) },
  machineTable: { summary: 'The same as a table', answer: { media: ['text/csv; charset=utf-8'] } },
  machine: {
    summary: 'One machine: its facts and when they changed, its noise over time',
    answer: mapOf(anything),
  },
  machineTelemetry: {
    summary: 'What a machine did during one of its runs',
    query: { run: 'id of the run; the newest if left out' },
    answer: mapOf(anything),
  },
  server: { summary: 'How the server itself does', answer: mapOf(anything) },
  extent: { summary: 'From when until when there are points of these series', answer: mapOf(anything) },
} as const satisfies Readonly<Record<string, RouteDescription>>;
