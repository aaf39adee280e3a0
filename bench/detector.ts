// Whether changes are found where they are, and nowhere else. Run: node dist/bench/detector.js [series of each history] [--peer-python PATH]
// Exit code 1 when an aim is missed. bench/detector says how series are made; docs/statistics.md what the numbers mean.

import { parseArgs } from 'node:util';
import { findChanges } from '../src/judge/core/levels/find-changes.ts';
import { printTable } from './accuracy/table.ts';
import { type Figures, figuresOf, type Kind, makeAll, STEPS } from './detector/accuracy.ts';
import { coverageOf } from './detector/coverage.ts';
import { appendMs, cpuMs, drifting, stepped } from './detector/cpu.ts';
import { hunter } from './detector/hunter.ts';
import { askPeers } from './detector/peers.ts';
import { prototype } from './detector/prototype.ts';
import { readHistories } from './detector/residuals.ts';
import { addScore, type Detector, emptyScore, f1, falseAlarmsPerThousand } from './detector/score.ts';
import { stabilityOf } from './detector/stability.ts';

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'peer-python': { type: 'string' } },
});
const repetitions = Number(positionals[0] ?? 20);
const all = readHistories();
const tuned = all.filter((_, index) => index % 2 === 1);
const kept = all.filter((_, index) => index % 2 === 0);
/** Blocks of 25 residuals, put together to 300 points. */
const MAIN: Kind = {
  detrending: { price: 2 },
  block: [25, 25],
  length: [300, 300],
  space: 25,
  repetitions,
};
/** The other reading of the same words: blocks and series of any length. */
const SHORT: Kind = { ...MAIN, block: [10, 40], length: [25, 300], space: 8 };
const ours: Detector = (values) => findChanges({ values }).changes.map(({ index }) => index);
const missed: string[] = [];
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const HEAD = ['', 'false per 1,000', 'F1 at 2 %', '5 %', '10 %', '20 %'];
const row = (name: string, figures: Figures) => [
  name,
  ...figures.map((value) => (Number.isFinite(value) ? value.toFixed(3) : '-')),
];

printAccuracy('Series of 300 points in blocks of 25', MAIN);
printAccuracy('Series of 25 to 300 points in blocks of 10 to 40', SHORT);
printSensitivity();
printCoverage();
printDrifts();
printStability();
printCpu();
printPeers(flags['peer-python']);
for (const miss of missed) console.log(`missed: ${miss}`);
if (missed.length > 0) process.exitCode = 1;

function printAccuracy(title: string, kind: Kind): void {
  const fewer = { ...kind, repetitions: Math.ceil(repetitions / 4) };
  const [one, other] = [figuresOf(ours, tuned, kind), figuresOf(ours, kept, kind)];
  const both = one.map((value, index) => (value + (other[index] ?? 0)) / 2);
  const aims = [0.07, 0.62, 0.88, 0.95, 0.97];
  printTable(title, HEAD, [
    row('tuned on this half', one),
    row('kept aside', other),
    row('mean of both', both),
    row('aim', aims),
    row('prototype, first half', figuresOf(prototype, tuned, fewer)),
    row('prototype, second half', figuresOf(prototype, kept, fewer)),
    row('hunter, p < 0.001, first half', figuresOf(hunter, tuned, fewer)),
    row('hunter, p < 0.001, second half', figuresOf(hunter, kept, fewer)),
  ]);
  both.forEach((value, index) => {
    const aim = aims[index] ?? 0;
    const isMet = index === 0 ? value <= aim : value >= aim;
    if (!isMet) missed.push(`${title}, ${HEAD[index + 1]}: ${value.toFixed(3)}, aim ${aim}`);
  });
}

/** The same with other ideas of what noise is: the figures depend on it, the order of the detectors should not. */
function printSensitivity(): void {
  const kinds: readonly (readonly [string, Kind])[] = [
    ['levels at price 4', { ...MAIN, detrending: { price: 4 } }],
    ['levels at price 8', { ...MAIN, detrending: { price: 8 } }],
    ['running median of 31', { ...MAIN, detrending: { window: 31 } }],
    ['running median of 61', { ...MAIN, detrending: { window: 61 } }],
    ['single points', { ...MAIN, block: [1, 1] }],
    ['steps up to 10 points apart', { ...MAIN, space: 10 }],
    ['25 to 300 points in one piece', { ...MAIN, block: [25, 300], length: [25, 300], space: 8 }],
  ];
  const rows = kinds.flatMap(([name, kind]) => {
    const fewer = { ...kind, repetitions: Math.ceil(kind.repetitions / 4) };
    return [
      row(`${name}: ours`, figuresOf(ours, all, fewer)),
      row(`${name}: prototype`, figuresOf(prototype, all, fewer)),
    ];
  });
  printTable('Other residuals and blocks, both halves', HEAD, rows);
}

/** Of all changes that hit a step, of both halves; the aim is for all sizes together, since nobody knows the size. */
function printCoverage(): void {
  const steps = STEPS.slice(1).map((step) => ({ step, ...coverageOf(all, step, MAIN) }));
  const rows = steps.map(({ step, hits, held, width }) => [
    `${step * 100} %`,
    String(hits),
    percent(held / hits),
    percent(width),
  ]);
  const [held, hits] = [sum(steps.map((one) => one.held)), sum(steps.map((one) => one.hits))];
  printTable(
    'Intervals of 95 %: how often they hold the true shift',
    ['step', 'hits', 'held', 'width'],
    [...rows, ['all', String(hits), percent(held / hits), '']],
  );
  if (held / hits < 0.93 || held / hits > 0.97)
    missed.push(`intervals: ${percent(held / hits)}, aim 93 to 97 %`);
}

/** No aim: a slow drift and a small step are the same to any eye. */
function printDrifts(): void {
  const rows = [0.01, 0.02, 0.05, 0.1, 0.3].map((slope) => {
    const found = drifting(slope).map((values) => [ours(values).length, prototype(values).length] as const);
    const share = (which: 0 | 1) => percent(found.filter((one) => one[which] > 0).length / found.length);
    return [`${slope} deviations a point`, share(0), share(1)];
  });
  printTable(
    'Series of 150 points with a drift that are said to have a step',
    ['', 'ours', 'prototype'],
    rows,
  );
}

function printStability(): void {
  const { old, vanished, moved, appeared } = stabilityOf(all, MAIN);
  console.log(
    `\n50 more points: of ${old} changes at least 30 points old ${vanished} vanished and ${moved} moved by up to 5 points; ${appeared} appeared.`,
  );
}

function printCpu(): void {
  const rows = [1_000, 10_000, 100_000].flatMap((length) =>
    [Number.POSITIVE_INFINITY, 150].map((every) => {
      const rounds = { 1000: 200, 10000: 20 }[length] ?? 5;
      // Another series in each round: what was learnt of one must not make the next one fast.
      const fresh = Array.from({ length: rounds }, (_, round) => stepped(length, every, 7 * round));
      const at = (round: number) => fresh[(round + rounds) % rounds] ?? new Float64Array(0);
      const ms = cpuMs(rounds, (round) => findChanges({ values: at(round) }));
      const peer = cpuMs(Math.ceil(rounds / 5), (round) => hunter(at(round)));
      const [limit, append] = [{ 1000: 3, 10000: 30 }[length] ?? 400, appendMs(at(0))];
      const name = `${length} points, ${every === 150 ? 'a step each 150' : 'no step'}`;
      if (ms > limit) missed.push(`${name}: ${ms.toFixed(1)} ms, aim ${limit}`);
      if (append > 2 && length === 10_000) missed.push(`append to ${name}: ${append.toFixed(2)} ms, aim 2`);
      return [name, ms.toFixed(1), String(limit), append.toFixed(2), peer.toFixed(1), (peer / ms).toFixed(1)];
    }),
  );
  printTable('CPU, ms', ['', 'whole', 'aim', 'append', 'hunter', 'times as long'], rows);
}

function printPeers(python: string | undefined): void {
  if (python === undefined) {
    console.log(
      '\nNo peers: make a venv, pip install apache-otava asv, and give --peer-python VENV/bin/python.',
    );
    return;
  }
  const tools = new Map<string, number[]>();
  for (const step of STEPS) {
    const made = makeAll(all, step, { ...MAIN, repetitions: 2 });
    for (const [name, { found, cpu_ms }] of Object.entries(
      askPeers(
        python,
        made.map(({ values }) => values),
      ),
    )) {
      const score = emptyScore();
      for (const [index, one] of made.entries()) addScore(score, one, found[index] ?? []);
      const figures = tools.get(name) ?? [];
      figures.push(step === 0 ? falseAlarmsPerThousand(score) : f1(score));
      tools.set(name, figures);
      if (step === 0) console.log(`${name}: ${(cpu_ms / made.length).toFixed(2)} ms a series`);
    }
  }
  printTable(
    'Peers, both halves',
    HEAD,
    [...tools].map(([name, figures]) => row(name, figures)),
  );
}
