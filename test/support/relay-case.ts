import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import type { Clock } from '../../src/platform/core/clock.ts';
import { type Ran, runInProcess } from './in-process.ts';

const GOLDEN = join(process.cwd(), 'test/golden/relay');

/** One recorded case of the original dashboard, laid out in a temporary folder. */
export class RelayCase {
  readonly name: string;
  readonly work: string;
  readonly dir: string;
  readonly home: string;
  readonly env: Record<string, string>;
  readonly tvmHash: string;

  constructor(name: string, env: Record<string, string> = {}) {
    this.name = name;
    this.work = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-relay-')));
    this.dir = join(this.work, 'cases', name);
    this.home = join(this.dir, 'home');
    copyFilledIn(join(GOLDEN, 'inputs', name, 'home'), this.home, this.work);
    copyFilledIn(join(GOLDEN, 'inputs/impl/experiments'), join(this.work, 'impl/experiments'), this.work);
    copyFilledIn(join(GOLDEN, 'inputs/impl/subsystem'), join(this.work, 'subsys-all'), this.work);
    this.tvmHash = makeRepository(join(this.work, 'tvm'));
    this.env = {
      TVM_HOME: join(this.work, 'tvm'),
      ORDER_LOG: join(this.work, 'calls.log'),
      TZ: 'UTC',
      ...withPython(this.work),
      ...env,
    };
  }

  /** Runs one night; calls.log holds the calls of this night only. */
  async night(clock: Clock, values?: string): Promise<Ran> {
    fs.writeFileSync(this.env['ORDER_LOG'] as string, '');
    const env = values === undefined ? this.env : { ...this.env, VALUES: values };
    const folders = [
      '--experiments',
      join(this.work, 'impl/experiments'),
      '--subsystems',
      join(this.work, 'subsys-all'),
    ];
    return runInProcess(['run', this.home, ...folders, '--progress', 'boxes'], { env, clock });
  }

  inputs(...path: string[]): string {
    return join(GOLDEN, 'inputs', this.name, ...path);
  }

  expected(night: string, file: string): string {
    return fs
      .readFileSync(join(GOLDEN, 'expected', this.name, night, file), 'utf8')
      .replaceAll('6de6d63', this.tvmHash);
  }

  /** Relative paths of the JSON files that the original left in the home. */
  expectedJson(night: string): readonly string[] {
    const folder = join(GOLDEN, 'expected', this.name, night, 'home');
    const all = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return all.filter((path) => path.endsWith('.json')).sort();
  }

  /** A file below the case's folder, with the temporary folder written as in the recordings. */
  read(...path: string[]): string {
    return this.normalise(fs.readFileSync(join(this.dir, ...path), 'utf8'));
  }

  calls(): readonly string[] {
    return lines(this.normalise(fs.readFileSync(this.env['ORDER_LOG'] as string, 'utf8')));
  }

  /** All paths below the case's folder in the form of tree.txt. */
  tree(): readonly string[] {
    const entries = fs.readdirSync(this.dir, { recursive: true, withFileTypes: true });
    const paths = entries.map((entry) => {
      const path = join(entry.parentPath, entry.name).slice(this.dir.length);
      return `${entry.isDirectory() ? 'd' : 'f'} .${path}`;
    });
    return ['d .', ...paths].sort();
  }

  /** Members of an archive, as in archives.txt. */
  async members(...path: string[]): Promise<readonly string[]> {
    const found: string[] = [];
    const stream = extract();
    stream.on('entry', ({ name }, content, next) => {
      found.push(this.normalise(`/${name}`));
      content.on('end', next);
      content.resume();
    });
    const done = new Promise<void>((resolve, reject) =>
      stream.on('finish', () => resolve()).on('error', reject),
    );
    stream.end(gunzipSync(fs.readFileSync(join(this.dir, ...path))));
    await done;
    return found.sort();
  }

  normalise(text: string): string {
    return text.replaceAll(this.work, '@WORK@');
  }

  dispose(): void {
    fs.rmSync(this.work, { recursive: true, force: true });
  }
}

export function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

function copyFilledIn(from: string, to: string, work: string): void {
  fs.mkdirSync(to, { recursive: true });
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      copyFilledIn(source, target, work);
      continue;
    }
    fs.writeFileSync(target, fs.readFileSync(source, 'utf8').replaceAll('@WORK@', work));
    fs.chmodSync(target, fs.statSync(source).mode | 0o200);
  }
}

/** The recorded analyze.sh has five lines of Python in it; where there is no python3, Node does what they do. */
function withPython(work: string): Record<string, string> {
  const path = process.env['PATH'] ?? '';
  if (path.split(':').some((dir) => fs.existsSync(join(dir, 'python3')))) return {};
  const standIn = `#!${process.execPath}
const text = (value) => (Number.isInteger(value) ? value + '.0' : String(value));
const value = Number(process.argv[3]);
const [a, b] = [text(value), text(2 * value)];
console.log('{"cpu": {"A": ' + a + ', "B": ' + b + '}, "detailed": {"cpu": {"A": {"mean": ' + a + '}}}}');
`;
  fs.mkdirSync(join(work, 'bin'));
  fs.writeFileSync(join(work, 'bin/python3'), standIn, { mode: 0o755 });
  return { PATH: `${join(work, 'bin')}:${path}` };
}

function makeRepository(dir: string): string {
  fs.mkdirSync(dir, { recursive: true });
  const git = (...args: string[]) => execFileSync('git', ['-C', dir, ...args], { encoding: 'utf8' });
  git('init', '-q', '-b', 'master');
  git('-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-q', '--allow-empty', '-m', 'first');
  return git('rev-parse', '--short', 'HEAD').trim();
}
