import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import localDisk from '../../platform/adapters/local-disk/local-disk.ts';
import type { Problem } from '../../platform/core/errors.ts';
import type { DuetBenchmark, DuetSuite } from '../core/duet.ts';
import { parseDuetFile, readDuetFile } from './read-duet-file.ts';

function suiteOf(text: string): DuetSuite {
  const reading = parseDuetFile('/f/duet.yml', text);
  assert.equal(reading.state, 'usable', JSON.stringify(reading.problems));
  return (reading as Extract<typeof reading, { state: 'usable' }>).suite;
}

function first(text: string): DuetBenchmark {
  return suiteOf(text).benchmarks[0] ?? assert.fail('there is a benchmark');
}

function problemsOf(text: string): readonly Problem[] {
  return parseDuetFile('/f/duet.yml', text).problems;
}

/** "line:column message", of errors. */
function errorsOf(text: string): readonly string[] {
  const reading = parseDuetFile('/f/duet.yml', text);
  assert.equal(reading.state, 'unusable', 'the file should be refused');
  return lines(reading.problems.filter(({ severity }) => severity === 'error'));
}

function warningsOf(text: string): readonly string[] {
  const reading = parseDuetFile('/f/duet.yml', text);
  assert.equal(reading.state, 'usable', JSON.stringify(reading.problems));
  return lines(reading.problems);
}

function lines(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

interface Case {
  readonly config: unknown;
  readonly ok: boolean;
  readonly [fact: string]: unknown;
}
const cases = JSON.parse(readFileSync('test/golden/duet/config-cases.json', 'utf8')) as Readonly<
  Record<string, Case>
>;

/** What our message must name: the key and its block. */
const REFUSALS: Readonly<Record<string, RegExp>> = {
  'no-suite': /^d: suite is missing/,
  'no-results': /^d\.A: results is missing/,
  'no-A': /^d: A is missing$/,
  'unknown-top-key': /^duetbench\.bogus is not a known key$/,
  'unknown-pair-key': /^d\.A\.timeout is not a known key$/,
  'dup-duet': /^duetbench\.duets: "d" is there twice$/,
  'bad-schedule':
    /^duetbench\.schedule: expected one of sequential, randomized_interleaving_trials, found "random"$/,
  'timeout-string': /^duetbench\.timeout: expected seconds as a number .*, found "10"$/,
};

describe('the recorded cases', () => {
  test('there are some', () => assert.equal(Object.keys(cases).length, 11));

  for (const [name, { config, ok, ...facts }] of Object.entries(cases)) {
    const text = JSON.stringify(config, null, 2);
    if (!ok) {
      test(`${name} is refused, and key and block are named with their line`, () => {
        const reading = parseDuetFile('/f/duet.yml', text);
        assert.equal(reading.state, 'unusable');
        const [problem, ...more] = reading.problems;
        assert.deepEqual(more, []);
        assert.match(problem?.message ?? '', REFUSALS[name] ?? assert.fail(`no expectation for ${name}`));
        assert.ok((problem?.line ?? 0) > 1, 'the line is known');
      });
      continue;
    }
    test(`${name} is read with the original's values`, () => {
      const suite = suiteOf(text);
      const [benchmark] = suite.benchmarks;
      assert.deepEqual(
        {
          a_run: benchmark?.sides.A.command,
          a_sync: benchmark?.sides.A.syncCommand ?? null,
          b_run: benchmark?.sides.B.command,
          type: benchmark?.type,
          timeout: benchmark?.timeoutMs ?? null,
          duet: benchmark?.duetRepetitions,
          sync: benchmark?.syncduetRepetitions,
          seq: benchmark?.sequentialRepetitions,
          rm: benchmark?.removeContainers,
          sched: suite.schedule,
        },
        facts,
      );
    });
  }
});

const TOP = 'duetbench: { suite: debug, results: [r], duets: [d] }\n';

describe('a good file', () => {
  test('the smallest one has defaults for everything, and runs local processes', () => {
    const side = { results: ['r'], command: ' x' };
    assert.deepEqual(suiteOf(`${TOP}d: { A: { run: x } }\n`), {
      name: 'debug',
      verbose: false,
      artifacts: [],
      schedule: 'sequential',
      benchmarks: [
        {
          name: 'd',
          suite: 'debug',
          type: 'A-A',
          removeContainers: true,
          duetRepetitions: 1,
          syncduetRepetitions: 0,
          sequentialRepetitions: 0,
          order: 'random',
          sides: { A: side, B: side },
        },
      ],
    });
  });

  test('every key is understood', () => {
    const suite = suiteOf(readFileSync('test/golden/duet/inputs/tiny.duet.yml', 'utf8'));
    const [chi, als, fop] = suite.benchmarks;
    assert.equal(suite.name, 'tiny');
    assert.equal(suite.verbose, true);
    assert.equal(suite.seed, 42);
    assert.equal(suite.engine, 'podman');
    assert.equal(suite.schedule, 'randomized_interleaving_trials');
    assert.deepEqual(
      suite.artifacts.map(({ name, command }) => `${name}: ${command}`),
      ['date: date', 'hostname: hostname', 'uname: uname -a', 'lscpu: lscpu', 'meminfo: cat /proc/meminfo'],
    );
    assert.equal(chi?.duetRepetitions, 2);
    assert.equal(chi?.timeoutMs, 30_000);
    assert.equal(als?.type, 'A-B');
    assert.equal(als?.sides.B.command.endsWith(' als -slow'), true);
    assert.equal(fop?.suite, 'dacapo');
    assert.deepEqual(fop?.sides.A, {
      image: 'duet-bash',
      results: ['/duet/results.csv'],
      command: 'bash /duet/bench/fakebench.sh dacapo /duet/results.csv 5 0.2 fop',
      syncCommand: 'echo barrier=$$ && bash /duet/bench/fakebench.sh dacapo /duet/results.csv 5 0.2 fop',
    });
  });

  test('a file in the form of the documented example, without a name, is called after its suite', () => {
    const text = [
      'duetbench:',
      '  verbose: yes',
      '  seed: 7',
      '  docker_command: docker',
      '  suite: renaissance',
      '  remove_containers: no',
      '  schedule: randomized_interleaving_trials',
      '  duet_repetitions: 3',
      '  sequential_repetitions: 2',
      '  image: registry.example.org/renaissance:11',
      '  results:',
      '    - /results/out.json',
      '  artifacts:',
      '    date: date',
      '  duets: [scrabble, philosophers]',
      'scrabble:',
      '  A: { run: java -jar r.jar scrabble }',
      'philosophers:',
      '  sequential_repetitions: 0',
      '  A: { run: java -jar r.jar philosophers }',
      '  B: { image: "registry.example.org/renaissance:17", run: java -jar r.jar philosophers }',
      '',
    ].join('\n');
    const suite = suiteOf(text);
    assert.equal(suite.name, 'renaissance');
    assert.equal(suite.verbose, true);
    assert.equal(suite.benchmarks[0]?.removeContainers, false);
    assert.equal(suite.benchmarks[1]?.sides.A.image, 'registry.example.org/renaissance:11');
    assert.equal(suite.benchmarks[1]?.sides.B.image, 'registry.example.org/renaissance:17');
  });

  test('the file of the reference page and the example have no problems', () => {
    const page = readFileSync('docs/reference/duet-yml.md', 'utf8');
    const [, shown = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];
    assert.deepEqual(warningsOf(shown), []);
    assert.equal(first(shown).sides.A.command, ' $NIGHTMARK_DUET_DIR/old --out results.csv');
    const example = readFileSync('examples/duet/duet.yml', 'utf8');
    assert.deepEqual(warningsOf(example), []);
    assert.equal(suiteOf(example).benchmarks.length, 3);
  });

  test('the name is that of the first duet when only duets have a suite', () => {
    const text =
      'duetbench: { results: [r], duets: [d, e] }\nd: { suite: one, A: { run: x } }\ne: { suite: two, A: { run: x } }\n';
    assert.equal(suiteOf(text).name, 'one');
  });

  test('blocks that duets does not name may hold anything, also what others are made of', () => {
    const text = `${TOP}common: &common { timeout: 5, A: { run: x }, bogus: 1 }\nother: 3\nd:\n  timeout: 5\n  A: &a { run: x }\n  B:\n    <<: *a\n    run_base: fast\n`;
    assert.equal(first(text).sides.B.command, 'fast x');
  });

  test('what hundreds of duets share can be merged into them', () => {
    const names = Array.from({ length: 300 }, (_, i) => `d${i}`);
    const blocks = names.map((name) => `${name}:\n  <<: *common\n  A: { run: ${name} }\n`).join('');
    const text = `common: &common { duet_repetitions: 2, timeout: 9 }\nduetbench: { suite: s, results: [r], duets: [${names.join(', ')}] }\n${blocks}`;
    const { benchmarks } = suiteOf(text);
    assert.equal(benchmarks.length, 300);
    assert.equal(benchmarks[299]?.duetRepetitions, 2);
    assert.equal(benchmarks[299]?.sides.A.command, ' d299');
  });

  test('names that look like numbers are names', () => {
    assert.equal(
      first('duetbench: { suite: s, results: [r], duets: [500] }\n500: { A: { run: x } }\n').name,
      '500',
    );
  });

  test('artifacts are in the order of the file', () => {
    const text =
      'duetbench: { suite: s, results: [r], duets: [d], artifacts: { z: a, 10: b, 2: c } }\nd: { A: { run: x } }\n';
    assert.deepEqual(
      suiteOf(text).artifacts.map(({ name }) => name),
      ['z', '10', '2'],
    );
  });
});

describe('inheritance', () => {
  const levels = (a: string, duet: string, top: string) =>
    `duetbench: { suite: s, duets: [d], ${top} }\nd: { ${duet} A: { run: x, ${a} } }\n`;

  test('the innermost block wins, and lists are replaced whole', () => {
    const top = 'image: it, run_base: bt, results: [/t1, /t2], syncduet_run_base: st $$';
    const duet = 'image: id, run_base: bd, results: [/d], syncduet_run_base: sd $$,';
    const side = 'image: ia, run_base: ba, results: [/a], syncduet_run_base: sa $$';
    assert.deepEqual(first(levels(side, duet, top)).sides.A, {
      image: 'ia',
      results: ['/a'],
      command: 'ba x',
      syncCommand: 'sa $$ x',
    });
    assert.deepEqual(first(levels('', duet, top)).sides.A, {
      image: 'id',
      results: ['/d'],
      command: 'bd x',
      syncCommand: 'sd $$ x',
    });
    assert.deepEqual(first(levels('', '', top)).sides.A, {
      image: 'it',
      results: ['/t1', '/t2'],
      command: 'bt x',
      syncCommand: 'st $$ x',
    });
  });

  test('null stops it: the default holds', () => {
    const text = levels(
      'image: null, run_base: ~',
      'timeout: null,',
      'image: i, run_base: b, timeout: 9, results: [/r]',
    );
    const { sides, timeoutMs } = first(text);
    assert.deepEqual(sides.A, { results: ['/r'], command: ' x' });
    assert.equal(timeoutMs, undefined);
    assert.deepEqual(errorsOf(levels('results: null', '', 'results: [/r]')), [
      '2:29 d.A.results is needed, found null',
    ]);
    assert.deepEqual(
      errorsOf('duetbench: { suite: s, results: [r], duets: [d] }\nd: { suite: , A: { run: x } }\n'),
      ['2:13 d.suite is needed, found null'],
    );
  });

  test('without B both sides are A with all that A says', () => {
    const { type, sides } = first(levels('image: i, results: [/a]', '', 'results: [/r]'));
    assert.equal(type, 'A-A');
    assert.deepEqual(sides.B, sides.A);
    assert.equal(sides.B.image, 'i');
  });

  test('an order is given for all duets or for one, by either key', () => {
    assert.equal(first(levels('', '', 'results: [r], order: swap')).order, 'swap');
    assert.equal(first(levels('', 'order: in_order,', 'results: [r], order: swap')).order, 'in_order');
    assert.equal(first(levels('', 'duet_order: random,', 'results: [r], order: swap')).order, 'random');
    assert.equal(first(levels('', '', 'results: [r], duet_order: in_order')).order, 'in_order');
    assert.deepEqual(errorsOf(levels('', 'order: AB,', 'results: [r]')), [
      '2:13 d.order: expected one of random, swap, in_order, found "AB"',
    ]);
    assert.deepEqual(errorsOf(levels('', 'order: swap, duet_order: swap,', 'results: [r]')), [
      '2:19 d.duet_order is another name for order, which is set too',
    ]);
  });
});

describe('numbers', () => {
  const top = (field: string) =>
    `duetbench: { suite: s, results: [r], duets: [d], ${field} }\nd: { A: { run: x } }\n`;

  test('a seed is a whole number; 0 and numbers below 0 are some', () => {
    assert.equal(suiteOf(top('seed: 0')).seed, 0);
    assert.equal(suiteOf(top('seed: -3')).seed, -3);
    assert.equal(suiteOf(top('seed: 4294967296')).seed, 4294967296);
    assert.equal(suiteOf(top('seed: null')).seed, undefined);
    for (const [seed, found] of [
      ['"42"', '"42"'],
      ['abc', '"abc"'],
      ['1.5', '1.5'],
      ['true', 'true'],
    ]) {
      assert.deepEqual(errorsOf(top(`seed: ${seed}`)), [
        `1:56 duetbench.seed: expected a whole number, found ${found}`,
      ]);
    }
    assert.match(errorsOf(top('seed: 12345678901234567890'))[0] ?? '', /at most 9007199254740991/);
  });

  test('a timeout is seconds, or a duration with its unit; 0 and less is none', () => {
    assert.equal(first(top('timeout: 300')).timeoutMs, 300_000);
    assert.equal(first(top('timeout: 5m')).timeoutMs, 300_000);
    assert.equal(first(top('timeout: 0')).timeoutMs, undefined);
    assert.equal(first(top('timeout: -1')).timeoutMs, undefined);
    assert.match(
      errorsOf(top('timeout: "300"'))[0] ?? '',
      /^1:59 duetbench\.timeout: expected seconds as a number/,
    );
    assert.match(errorsOf(top('timeout: 99999999'))[0] ?? '', /at most 24 days/);
  });

  test('repetitions are whole numbers from 0', () => {
    assert.deepEqual(errorsOf(top('duet_repetitions: -1')), [
      '1:68 duetbench.duet_repetitions: expected a number of at least 0, found -1',
    ]);
    assert.match(errorsOf(top('sequential_repetitions: 600000'))[0] ?? '', /the file has 1200001 runs/);
    assert.deepEqual(warningsOf(top('duet_repetitions: 0')), [
      '2:1 d: has no runs: all its repetitions are 0',
    ]);
  });
});

describe('synchronised runs', () => {
  test('need a command, and the line that requests them is reported', () => {
    const text =
      'duetbench:\n  suite: s\n  results: [r]\n  duets: [d]\nd:\n  syncduet_repetitions: 2\n  A: { run: x }\n  B: { run: y, syncduet_run_base: sync $$ }\n';
    assert.deepEqual(errorsOf(text), [
      '6:25 d.syncduet_repetitions is 2, but d has no syncduet_run_base for A',
    ]);
    const inherited =
      'duetbench:\n  suite: s\n  results: [r]\n  duets: [d]\n  syncduet_repetitions: 1\nd: { A: { run: x } }\n';
    assert.deepEqual(errorsOf(inherited), [
      '5:25 duetbench.syncduet_repetitions is 1, but d has no syncduet_run_base for A and B',
    ]);
  });

  test('that do not name their barrier are warned about', () => {
    const top = 'duetbench: { suite: s, results: [/r], duets: [d], image: i, syncduet_repetitions: 1 }\n';
    assert.deepEqual(warningsOf(`${top}d: { syncduet_run_base: java -agent, A: { run: x } }\n`), [
      '2:1 d: the synchronised command of A and B has no $$: it may not wait at the barrier',
    ]);
    assert.deepEqual(warningsOf(`${top}d: { syncduet_run_base: java $$, A: { run: x } }\n`), []);
  });
});

describe('results', () => {
  const withResults = (results: string, image = '') =>
    `duetbench: { suite: s, ${image} duets: [d, e] }\nd: &d\n  results: ${results}\n  A: { run: x }\ne: { results: [r], A: { run: x } }\n`;

  test('may be relative: below the folder of a local run', () => {
    assert.deepEqual(warningsOf(withResults('[out/r.csv, ./s, /tmp/t, a/../b]')), []);
    assert.deepEqual(errorsOf(withResults('[out/r.csv, ../r.json]')), [
      '3:24 d.results[1]: "../r.json" leads out of the folder of the run',
    ]);
    assert.deepEqual(errorsOf(withResults('[a/../../r.json]')), [
      '3:13 d.results[0]: "a/../../r.json" leads out of the folder of the run',
    ]);
  });

  test('relative ones in a container are warned about', () => {
    assert.deepEqual(warningsOf(withResults('[r.json]', 'image: i,')), [
      '3:13 d.results[0]: "r.json" is relative: where that is in a container depends on the engine',
      '5:16 e.results[0]: "r" is relative: where that is in a container depends on the engine',
    ]);
  });

  test('with the same last part would overwrite each other', () => {
    assert.deepEqual(errorsOf(withResults('[/a/r.csv, /b/r.csv/]')), [
      '3:23 d.results[1]: "/b/r.csv/" and "/a/r.csv" would be kept under the same name',
    ]);
  });

  test('must name something', () => {
    assert.deepEqual(errorsOf(withResults('[/]')), [
      '3:13 d.results[0]: "/" does not name a file or a folder',
    ]);
    assert.deepEqual(errorsOf(withResults('[a/..]')), [
      '3:13 d.results[0]: "a/.." does not name a file or a folder',
    ]);
    assert.match(
      errorsOf(withResults('[]'))[0] ?? '',
      /^3:12 d\.results: expected a list of at least 1, found \[\]/,
    );
    assert.match(
      errorsOf(withResults('/r.csv'))[0] ?? '',
      /^3:12 d\.results: expected a list of paths, found "\/r\.csv"/,
    );
    assert.match(errorsOf(withResults('[5]'))[0] ?? '', /^3:13 d\.results\[0\]: expected a path, found 5/);
  });

  test('inherited by many are complained about once', () => {
    const text =
      'duetbench: { suite: s, results: [../r], duets: [d, e] }\nd: { A: { run: x } }\ne: { A: { run: x }, B: { run: y } }\n';
    assert.deepEqual(errorsOf(text), [
      '1:34 duetbench.results[0]: "../r" leads out of the folder of the run',
    ]);
  });

  test('of two duets whose names differ by a dot only would overwrite each other', () => {
    const text =
      'duetbench:\n  suite: s\n  results: [r]\n  duets:\n    - als.v2\n    - als_v2\nals.v2: { A: { run: x } }\nals_v2: { A: { run: x } }\n';
    assert.deepEqual(errorsOf(text), [
      '6:7 duetbench.duets: results of "als_v2" and "als.v2" would have the same names (s.als_v2...)',
    ]);
    assert.equal(suiteOf(text.replace('als_v2: { A', 'als_v2: { suite: t, A')).benchmarks.length, 2);
  });
});

describe('a bad file', () => {
  test('is reported with all its problems at once, in the order of their lines', () => {
    const text = [
      'duetbench:',
      '  suite: s',
      '  results: [r]',
      '  tiemout: 3',
      '  seed: x',
      '  duets: [one, two, three, artifacts, "a/b"]',
      'one:',
      '  schedule: sequential',
      '  A: { rn: x, image: 5 }',
      'two:',
      '  A: x',
      '  B:',
      'thre: { A: { run: x } }',
      'artifacts: { A: { run: x } }',
      '',
    ].join('\n');
    assert.deepEqual(errorsOf(text), [
      '4:3 duetbench.tiemout is not a known key',
      '5:9 duetbench.seed: expected a whole number, found "x"',
      '6:21 duetbench.duets: there is no block "three" in the file',
      '6:28 duetbench.duets: "artifacts" cannot be the name of a duet: it is taken',
      '6:39 duetbench.duets[4]: expected the name of a duet that can be part of a file name: not empty, without "/" and NUL, found "a/b"',
      '8:3 one.schedule is not a known key',
      '9:6 one.A.run: expected a command, found nothing',
      '9:8 one.A.rn is not a known key',
      '9:22 one.A.image: expected the name of an image, found 5',
      '11:6 two.A: expected a mapping of keys to values, found "x"',
      '12:5 two.B: expected a mapping of keys to values, found null',
    ]);
    const hints = new Map(problemsOf(text).map(({ message, hint }) => [message.split(' ')[0], hint]));
    assert.equal(hints.get('duetbench.tiemout'), 'Did you mean "timeout"?');
    assert.equal(hints.get('one.schedule'), 'It belongs to duetbench.');
    const missing = problemsOf(text).find(({ message }) => message.includes('no block'));
    assert.equal(missing?.hint, 'Did you mean "thre"?');
  });

  test('the hint for a key of another block names that block', () => {
    const [problem] = problemsOf(`${TOP}d: { A: { run: x, timeout: 3 } }\n`);
    assert.equal(problem?.message, 'd.A.timeout is not a known key');
    assert.equal(problem?.hint, 'It belongs to duetbench, or to the block of a duet.');
  });

  test('without duetbench is no duet file', () => {
    assert.deepEqual(errorsOf('duetbnch: {}\n'), ['1:1 the file has no block duetbench']);
    assert.equal(problemsOf('duetbnch: {}\n')[0]?.hint, 'Did you mean "duetbench" where "duetbnch" is?');
    assert.match(errorsOf('[1]\n')[0] ?? '', /expected a mapping with a block duetbench, found \[1\]/);
    assert.match(errorsOf('duetbench: 3\n')[0] ?? '', /^1:12 duetbench: expected a mapping/);
    assert.match(errorsOf('')[0] ?? '', /expected a mapping with a block duetbench/);
    assert.deepEqual(errorsOf('duetbench: { suite: s }\n'), [
      '1:12 duetbench.duets: expected a list of names of duets, found nothing',
    ]);
    assert.match(
      errorsOf('duetbench: { suite: s, duets: [] }\n')[0] ?? '',
      /^1:31 duetbench\.duets: expected a list of at least 1, found \[\]/,
    );
  });

  test('cannot name artifacts or results that no folder can hold', () => {
    const text = `duetbench: { suite: s, results: [r], duets: [d], artifacts: { ../x: date } }\nd: { A: { run: x } }\n`;
    assert.deepEqual(errorsOf(text), [
      '1:63 duetbench.artifacts: "../x" cannot be the name of a file: it contains "/"',
    ]);
    const long = 'n'.repeat(230);
    assert.match(
      errorsOf(
        `duetbench: { suite: s, results: [results.csv], duets: [${long}] }\n${long}: { A: { run: x } }\n`,
      )[0] ?? '',
      /would be longer than 255 bytes/,
    );
  });

  test('names of what every object has are names like any other', () => {
    const text =
      'duetbench: { suite: s, results: [r], duets: [__proto__, toString, constructor] }\n__proto__: { A: { run: x } }\n';
    assert.deepEqual(errorsOf(text), [
      '1:57 duetbench.duets: there is no block "toString" in the file',
      '1:67 duetbench.duets: there is no block "constructor" in the file',
    ]);
  });

  test('is refused with its line when it is no YAML', () => {
    const reading = parseDuetFile('/f/duet.yml', 'duetbench: {\n');
    assert.equal(reading.state, 'unusable');
    assert.equal(reading.state === 'unusable' && reading.error.code, 'CONFIG_SYNTAX');
    assert.match(errorsOf('a: 1\na: 2\n')[0] ?? '', /^2:1 the key "a" is there twice/);
  });
});

describe('a hostile file', () => {
  test('of brackets, of aliases, of aliases to itself, of keys', () => {
    assert.match(errorsOf('['.repeat(500_000))[0] ?? '', /nested too deeply/);
    const laughs = Array.from({ length: 12 }, (_, i) =>
      i === 0 ? 'a0: &a0 [x, x]' : `a${i}: &a${i} [${`*a${i - 1}, `.repeat(9)}*a${i - 1}]`,
    ).join('\n');
    assert.match(errorsOf(laughs)[0] ?? '', /an alias cannot be used/);
    assert.match(errorsOf('duetbench: &d { duets: [d], suite: *d }\n')[0] ?? '', /alias/);
    const keys = Array.from({ length: 40_000 }, (_, i) => `  k${i}: 1`).join('\n');
    const merges = Array.from({ length: 900 }, (_, i) => `d${i}: { <<: *c }`).join('\n');
    assert.match(errorsOf(`c: &c\n${keys}\n${merges}\n`)[0] ?? '', /merge keys \("<<"\) copy too much/);
  });

  test('with very many mistakes is reported with all of them', () => {
    const names = Array.from({ length: 10_000 }, (_, i) => `n${i}`);
    const text = `duetbench: { suite: s, results: [r], duets: [${names.join(', ')}] }\n`;
    assert.equal(errorsOf(text).length, 10_000);
    const keys = names.map((name) => `  ${name}: 1\n`).join('');
    assert.equal(
      errorsOf(`duetbench:\n  suite: s\n  results: [r]\n  duets: [d]\n${keys}d: { A: { run: x } }\n`).length,
      10_000,
    );
    const paths = Array.from({ length: 110_000 }, () => '..').join(', ');
    assert.equal(
      errorsOf(`duetbench: { suite: s, results: [${paths}], duets: [d] }\nd: { A: { run: x } }\n`).length,
      110_000,
    );
  });
});

describe('reading from disk', () => {
  test('keeps the text, and names what is not there or too large', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'nightmark-duet-'));
    try {
      const [good, large] = [join(dir, 'duet.yml'), join(dir, 'large.yml')];
      writeFileSync(good, `${TOP}d: { A: { run: x } }\n`);
      writeFileSync(large, `# ${'x'.repeat(1024 * 1024)}\n`);
      const reading = await readDuetFile(good, { disk: localDisk });
      assert.equal(reading.state === 'usable' && reading.text, readFileSync(good, 'utf8'));
      const missing = await readDuetFile(join(dir, 'none.yml'), { disk: localDisk });
      assert.equal(missing.state === 'unusable' && missing.error.code, 'DUET_NO_FILE');
      const refused = await readDuetFile(large, { disk: localDisk });
      assert.equal(refused.state === 'unusable' && refused.error.code, 'DISK_TOO_LARGE');
      assert.equal(refused.problems[0]?.file, large);
      const folder = await readDuetFile(dir, { disk: localDisk });
      assert.equal(folder.state, 'unusable');
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
