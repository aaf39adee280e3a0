import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Comparison } from '../core/comparison.ts';
import { againstSummary, type SummaryFacts } from './against-summary.ts';

const side = (name: string, times: readonly number[]) => ({
  name,
  command: './bench | tail',
  times,
  exitCodes: times.map(() => 0),
});

const comparison: Comparison = {
  mode: 'together',
  seed: 7,
  parameters: {},
  sides: { A: side('baseline abc1234', [0.1, 0.2]), B: side('working tree', [0.11, 0.22]) },
  judgement: {
    verdict: 'slower',
    effect: { ratio: 1.1, low: 1.05, high: 1.15, level: 0.95 },
    minEffect: 0.01,
    runs: 2,
    notes: [],
  },
  decidedBy: 'wall',
  deciders: ['wall'],
  measures: [],
  absent: [],
  state: 'complete',
  planned: 2,
  pairsARun: 1,
  orders: ['AB', 'BA'],
  notes: ['Turbo is on. → echo 1 | sudo tee /sys/x', '<script>'],
};

const version = { date: '2026-01-02T03:04:05Z', isChanged: false };
const facts: SummaryFacts = {
  comparison,
  against: {
    ref: 'main',
    base: 'merge-base',
    build: 'make `all`',
    prefix: 'my part',
    folder: 'my part',
    sides: {
      A: {
        name: 'a',
        cwd: '/a',
        version: { ...version, commit: 'abc1234ffff', shortCommit: 'abc1234', subject: 'Mend | #12 @ada' },
      },
      B: {
        name: 'b',
        cwd: '/b',
        version: {
          ...version,
          commit: 'def5678ffff',
          shortCommit: 'def5678',
          subject: '</td>',
          isChanged: true,
        },
      },
    },
    release: async () => {},
  },
  machine: { id: 'fe01', name: 'host', facts: { cpu: 'AMD EPYC', cores: 2, kernel: '6.1.0_x' } },
  allow: 0,
  isRegression: true,
  again: 'nightmark duet --against abc1234ffff',
};

test('the verdict is first, with baseline, machine, numbers, noise and how to do it again', () => {
  const THIN = '\u202f';
  assert.equal(
    againstSummary(facts).replaceAll(THIN, ' '),
    `### Working tree is 10 % slower than baseline abc1234

ratio 1.100, 95 % interval 1.050 to 1.150; 2 pairs, together.

| | version | mean | min | max | user | system |
|---|---|---|---|---|---|---|
| A | \`abc1234\` 2026-01-02 \`Mend \\| #12 @ada\` | 150 ms ± 70.7 ms | 100 ms | 200 ms |  |  |
| B | \`def5678\` 2026-01-02 \`</td>\` with uncommitted changes | 165 ms ± 77.8 ms | 110 ms | 220 ms |  |  |

- Measured: \`./bench | tail\` in \`my part\`
- Built by: \`\` make \`all\` \`\`
- Baseline: the merge base with \`main\`, \`abc1234ffff\`
- Machine: AMD EPYC, 2 cores, kernel 6.1.0\\_x, id fe01

Notes:

- Turbo is on. → echo 1 \\| sudo tee /sys/x
- \\<script\\>

To reproduce:

\`\`\`sh
git checkout --detach def5678ffff  # and the uncommitted changes
cd 'my part'
nightmark duet --against abc1234ffff
\`\`\`
`,
  );
});

test('says what is allowed where something is', () => {
  const heading = (more: Partial<SummaryFacts>) => againstSummary({ ...facts, ...more }).split('\n')[0];
  assert.match(heading({ allow: 0.05 }) ?? '', /\(more than the allowed 5 %\)$/);
  assert.match(
    heading({ allow: 0.08, isRegression: false }) ?? '',
    /\(not surely more than the allowed 8 %\)$/,
  );
  assert.match(heading({ allow: 0.2, isRegression: false }) ?? '', /\(within the allowed 20 %\)$/);
});

test('has nothing to say about runs that are not there', () => {
  const sides = { A: side('baseline', []), B: side('working tree', []) };
  const judgement = { verdict: 'undecided', minEffect: 0.01, runs: 0, notes: [] } as const;
  const text = againstSummary({
    ...facts,
    comparison: { ...comparison, sides, judgement, state: 'interrupted', notes: [] },
  });
  assert.match(text, /^### Undecided: too few pairs/);
  assert.match(text, /0 of 2 pairs, together, interrupted\./);
  assert.ok(!text.includes('Notes'));
});
