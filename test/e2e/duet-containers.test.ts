import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { DuetRunRecord } from '../../src/duet/core/duet-journal.ts';
import { MEASURES_FILE } from '../../src/executors/core/measured-command.ts';
import { runBinary, startBinary } from '../support/binary.ts';
import { type DuetFolder, duetFolder, until } from '../support/duet-folder.ts';
import { containersNamed, findPodman } from '../support/podman.ts';

const INPUTS = join(process.cwd(), 'test/golden/duet/inputs');
const podman = findPodman();
const folders: DuetFolder[] = [];
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill();
  for (const { dir } of folders) fs.rmSync(dir, { recursive: true, force: true });
});

function newFolder(): DuetFolder {
  const folder = duetFolder();
  folders.push(folder);
  return folder;
}

function records(folder: DuetFolder): readonly DuetRunRecord[] {
  return folder.journal('res').flatMap((event) => (event.type === 'run-ended' ? [event.record] : []));
}

/** Containers of the run that wrote the journal. */
function containersOf(folder: DuetFolder): readonly string[] {
  const [begin] = folder.journal('res');
  return begin?.type === 'begin' ? containersNamed(begin.runId, podman) : assert.fail('no journal');
}

/** An engine that writes down how it is called: arguments between bars, a line each. */
function recordingEngine(folder: DuetFolder): string {
  const file = folder.write(
    'engine',
    `#!/bin/bash\n( IFS='|'; echo "$*" >> ${folder.path('calls')} )\nexec podman "$@"\n`,
  );
  fs.chmodSync(file, 0o755);
  return file;
}

describe('duets in containers', { skip: podman.skip }, () => {
  test('10: the engine is called in the sequence of the original, and results have its names', async () => {
    const folder = newFolder();
    const engine = recordingEngine(folder);
    const file = join(INPUTS, 'tiny.duet.yml');
    const ran = await runBinary(['duet', 'run', file, '-o', folder.path('res'), '-d', engine], podman.env);
    assert.equal(ran.code, 0, ran.stderr);
    const theirs = fs.readFileSync('test/golden/duet/engine-commands.txt', 'utf8').trim().split('\n');
    assert.deepEqual(shortened(oursAsTheirs(folder)), shortened(theirs.map(simplified)));
    assert.deepEqual(folder.list('res'), [
      'artifacts',
      'dacapo.fop.0.duet.AB.A.results.csv',
      'dacapo.fop.0.duet.AB.B.results.csv',
      'dacapo.fop.0.seqn.None.A.results.csv',
      'dacapo.fop.0.seqn.None.B.results.csv',
      'dacapo.fop.0.syncduet.AB.A.results.csv',
      'dacapo.fop.0.syncduet.AB.B.results.csv',
      'renaissance.als_v2.0.duet.BA.A.results.json',
      'renaissance.als_v2.0.duet.BA.B.results.json',
      'renaissance.als_v2.0.seqn.None.A.results.json',
      'renaissance.als_v2.0.seqn.None.B.results.json',
      'renaissance.chi-square.0.duet.AB.A.results.json',
      'renaissance.chi-square.0.duet.AB.B.results.json',
      'renaissance.chi-square.0.seqn.None.A.results.json',
      'renaissance.chi-square.0.seqn.None.B.results.json',
      'renaissance.chi-square.1.duet.AB.A.results.json',
      'renaissance.chi-square.1.duet.AB.B.results.json',
    ]);
    assert.deepEqual(folder.list('res/artifacts'), ['date', 'hostname', 'lscpu', 'meminfo', 'uname']);
    assert.match(records(folder)[0]?.sides.A?.digest ?? '', /^sha256:[0-9a-f]{64}$/);
    assert.ok((records(folder)[0]?.sides.A?.measures?.wall ?? 0) > 0);
    assert.deepEqual(containersOf(folder), []);
    assert.ok(!fs.existsSync('/dev/shm/java-ubench-agentsyncduet.fop.0:barrier'), 'the barrier is removed');
  });

  test('11, 12, 13: timeouts, failures and missing results cost nothing else', async () => {
    const folder = newFolder();
    const file = join(INPUTS, 'timeout.duet.yml');
    const ran = await runBinary(['duet', 'run', file, '-o', folder.path('res')], podman.env);
    assert.equal(ran.code, 4, ran.stderr);
    const [slow, fails, noresult] = records(folder);
    assert.equal(slow?.outcome, 'timeout');
    assert.deepEqual(slow?.sides.A?.exit, { type: 'timeout', afterMs: 3000 });
    assert.deepEqual(slow?.sides.B?.exit, { type: 'code', code: 0 });
    const order = slow?.run.type === 'duet' ? slow.run.order : '';
    assert.equal(folder.read(`res/debug.slow.0.duet.${order}.A.results`), 'RunningA\n');
    assert.equal(folder.read(`res/debug.slow.0.duet.${order}.B.results`), 'RunningB\n');
    assert.deepEqual(
      [fails?.sides.A?.exit, fails?.sides.B?.exit],
      [
        { type: 'code', code: 3 },
        { type: 'code', code: 3 },
      ],
    );
    assert.deepEqual([fails?.sides.A?.fetched.length, fails?.sides.B?.fetched.length], [1, 1]);
    assert.deepEqual(noresult?.sides.B?.missing, ['/duet/results']);
    assert.match(ran.stderr, /1 warnings: \[TIMEOUT:duet\.slow\.0\]/);
    assert.match(ran.stderr, /2 errors: \[RUN:duet\.fails\.0, RESULTS:duet\.noresult\.0\]/);
    assert.deepEqual(containersOf(folder), []);
  });

  test('14: Ctrl-C fetches what is there, removes the containers and ends with 130', async () => {
    const folder = newFolder();
    const child = startBinary(
      ['duet', 'run', join(INPUTS, 'sigint.duet.yml'), '-o', folder.path('res')],
      podman.env,
    );
    children.push(child);
    const exit = once(child, 'close');
    let talk = '';
    child.stderr?.on('data', (chunk) => (talk += chunk));
    await until(() => talk.includes('duet.a.0 RUN'));
    const begun = containersOf(folder);
    assert.equal(begun.length, 2);
    // The commands need a moment to have written something.
    await until(() => begun.every((name) => hasFile(name, '/duet/results')));
    child.kill('SIGINT');
    assert.deepEqual(await exit, [130, null]);
    assert.deepEqual(containersOf(folder), []);
    const [interrupted] = records(folder);
    assert.equal(interrupted?.outcome, 'interrupted');
    assert.equal(folder.read(`res/${interrupted?.sides.B?.fetched[0]}`), 'x\n');
  });

  test('containers of a run that was killed are removed by the next one, with the barrier', async () => {
    const folder = newFolder();
    const file = folder.write(
      'a.yml',
      `duetbench: {suite: debug, docker_command: podman, image: duet-bash, results: [results], duets: [killed]}
killed: {duet_repetitions: 0, syncduet_repetitions: 1, syncduet_run_base: 'echo $$; sleep 60;', A: {run: ':'}}
`,
    );
    const barrier = '/dev/shm/java-ubench-agentsyncduet.killed.0:barrier';
    const child = startBinary(['duet', 'run', file, '-o', folder.path('res')], podman.env);
    children.push(child);
    const exit = once(child, 'close');
    let talk = '';
    child.stderr?.on('data', (chunk) => (talk += chunk));
    await until(() => talk.includes('syncduet.killed.0 RUN'));
    assert.ok(fs.existsSync(barrier));
    child.kill('SIGKILL');
    await exit;
    assert.equal(containersOf(folder).length, 2);

    const other = folder.write(
      'b.yml',
      `duetbench: {suite: debug, docker_command: podman, image: duet-bash, results: [r], remove_containers: false, duets: [kept]}
kept: {A: {run: 'echo $NIGHTMARK_SIDE > r'}}
`,
    );
    const next = await runBinary(['duet', 'run', other, '-o', folder.path('other')], podman.env);
    assert.equal(next.code, 0, next.stderr);
    assert.deepEqual(containersOf(folder), []);
    assert.ok(!fs.existsSync(barrier));
    const kept = [...next.stdout.matchAll(/^ {2}kept: (.*)$/gm)].map(([, name = '']) => name);
    assert.equal(kept.length, 2, next.stdout);
    for (const name of kept) {
      const look = engine(['container', 'inspect', '--format', '{{.State.Running}}', name]);
      assert.equal(look.stdout.trim(), 'false', 'it is stopped and left');
      engine(['rm', '-f', name]);
    }
  });

  test('an engine or an image that is not there is a problem of its runs, said with a way out', async () => {
    const folder = newFolder();
    const file = folder.write(
      'a.yml',
      'duetbench: {suite: debug, image: no-such/image, results: [r], duets: [x]}\nx: {A: {run: ls}}\n',
    );
    const missing = await runBinary(['duet', 'run', file, '-o', folder.path('one'), '-d', 'no-such-engine']);
    assert.equal(missing.code, 4);
    assert.match(missing.stderr, /RUN: duet\.x\.0: The engine "no-such-engine" is not installed\./);
    const image = await runBinary(
      ['duet', 'run', file, '-o', folder.path('two'), '-d', 'podman'],
      podman.env,
    );
    assert.equal(image.code, 4);
    assert.match(image.stderr, /RUN: duet\.x\.0: podman could not start a container of no-such\/image: /);
  });

  test('the docker command line does as well', { skip: whyNoDocker() }, async () => {
    const folder = newFolder();
    const socket = folder.path('api.sock');
    // Containers of docker have a network; in a namespace of their own it is none of a browser that another test runs.
    const command = ['podman', 'system', 'service', '--time=0', `unix://${socket}`];
    const isRoot = process.getuid?.() === 0;
    const service = spawn(isRoot ? 'unshare' : 'podman', isRoot ? ['--net', ...command] : command.slice(1), {
      env: { ...process.env, ...podman.env },
      stdio: 'ignore',
    });
    children.push(service);
    await until(() => fs.existsSync(socket));
    const file = folder.write(
      'a.yml',
      `duetbench: {suite: debug, docker_command: docker, image: duet-bash, results: [results, /duet/dir], duets: [x, slow]}
x: {A: {run: 'mkdir dir; echo 1 > dir/one; echo $NIGHTMARK_SIDE > results; exit 4'}}
slow: {timeout: 2, A: {run: 'trap "mkdir dir; echo late > results; exit" TERM; while :; do sleep 0.1; done'}}
`,
    );
    const ran = await runBinary(['duet', 'run', file, '-o', folder.path('res')], {
      ...podman.env,
      DOCKER_HOST: `unix://${socket}`,
    });
    assert.equal(ran.code, 4, ran.stderr);
    const [x, slow] = records(folder);
    assert.deepEqual(x?.sides.B?.exit, { type: 'code', code: 4 });
    assert.equal(x?.sides.B?.fetched.length, 2);
    assert.equal(folder.read(`res/${x?.sides.B?.fetched[0]}`), 'B\n');
    assert.deepEqual(slow?.sides.A?.exit, { type: 'timeout', afterMs: 2000 });
    assert.equal(folder.read(`res/${slow?.sides.A?.fetched[0]}`), 'late\n');
    assert.deepEqual(containersOf(folder), []);
  });
});

function engine(args: readonly string[]) {
  return spawnSync('podman', args, { env: { ...process.env, ...podman.env }, encoding: 'utf8' });
}

function hasFile(container: string, path: string): boolean {
  return engine(['exec', container, 'test', '-e', path]).status === 0;
}

function whyNoDocker(): string | false {
  return spawnSync('docker', ['--version']).status === 0 ? false : 'the docker command is not installed';
}

/** A call of the original in the words that ours are brought to: "run fop.A", "exec fop.A COMMAND", "cp fop.A /x". */
function simplified(line: string): string {
  const text = line
    .replace(/^[^>]*> /, '')
    .replaceAll("'", '')
    .replaceAll(/[[\],]/g, '');
  const [, verb = '', rest = ''] = /^podman (\w+) (.*)$/.exec(text.replaceAll('PID.', '')) ?? [];
  if (verb === 'run')
    return `run ${rest.replace(/^--name (\S+) (.*)-it -d duet-bash bash$/, '$1 $2')}`.trim();
  if (verb === 'cp') return `cp ${rest.replace(/^(\S+):(\S+) .*$/, '$1 $2')}`;
  return `${verb} ${rest.replace(/ bash -c /, ' ')}`;
}

/** Ours, without what is ours alone: labels, marks, measures, looks at containers, the list of leftovers. */
function oursAsTheirs(folder: DuetFolder): readonly string[] {
  return folder
    .read('calls')
    .trim()
    .split('\n')
    .flatMap((line) => {
      const words = line.split('|');
      const name = (word = '') => word.replace(/^nightmark-[^.]*\.\w+\.(.*)\.\d+\.([AB])/, '$1.$2');
      const [verb, ...rest] = words;
      if (verb === 'run') {
        const shares = rest.includes('--ipc') ? ' -v /dev/shm:/dev/shm --ipc host' : '';
        return [`run ${name(rest[1])}${shares}`];
      }
      if (verb === 'exec') {
        const at = rest.findIndex((word) => word.startsWith('nightmark-'));
        // "bash -c COMMAND", with what measures it before where it is that of a side.
        const command = rest.indexOf('bash', at);
        return [
          `exec ${name(rest[at])} ${rest
            .slice(command + 2)
            .join('|')
            .replaceAll(/[[\],]/g, '')}`,
        ];
      }
      if (verb === 'cp' && rest[0]?.endsWith(MEASURES_FILE)) return [];
      if (verb === 'cp') return [`cp ${name(rest[0]).replace(':', ' ')}`];
      if (verb === 'rm') return [`stop ${name(rest[2])}`, `rm ${name(rest[2])}`];
      return [];
    });
}

/**
 * What both sides do at the same time is put in a fixed order: they are started right after one another, and chance says
 * which engine call is written down first; with us they are also removed at the same time.
 */
function shortened(lines: readonly string[]): readonly string[] {
  const result: string[] = [];
  let together: string[] = [];
  let kind = '';
  for (const line of [...lines, '']) {
    const next = /^(stop|rm) /.test(line) ? 'end' : /^exec (?!.*\/barrier\/)/.test(line) ? 'command' : '';
    if (next !== kind || next === '') {
      result.push(...together.sort());
      together = [];
    }
    kind = next;
    if (next === '') result.push(line);
    else together.push(line);
  }
  return result;
}
