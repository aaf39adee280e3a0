import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COUNTERS, type Counts } from '../../../executors/core/measures.ts';
import { PERF_EVENTS, readPerfStat, whyNoCounts } from '../../../executors/core/perf-stat.ts';
import { callProgram, findProgram } from '../../../platform/adapters/programs.ts';
import type { CounterSupport } from '../../core/command-timer.ts';

/** A file that perf writes the counts of one run to. */
export class PerfFile {
  readonly #dir = mkdtempSync(join(tmpdir(), 'nightmark-perf-'));
  readonly #file = join(this.#dir, 'counts.csv');

  /** What stands before a program to have it counted. By our own PATH: that of a command may lead elsewhere. */
  get prefix(): readonly [string, ...string[]] {
    return [findPerf() ?? 'perf', 'stat', '-x,', '-o', this.#file, '-e', PERF_EVENTS, '--'];
  }

  /** Of the last run. */
  read(): string {
    try {
      return readFileSync(this.#file, 'utf8');
    } catch {
      return '';
    }
  }

  counts(): Counts {
    return readPerfStat(this.read());
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }
}

/** Which counters perf can read here, by trying. */
export async function findCounters(): Promise<CounterSupport> {
  const none = (reason: string): CounterSupport => ({ counters: [], reason });
  if (findPerf() === undefined) return none('perf is not installed');
  const file = new PerfFile();
  try {
    const [perf, ...args] = file.prefix;
    const { stderr } = await callProgram(perf, [...args, 'true'], {
      timeoutMs: 10_000,
      maxCharacters: 65_536,
    });
    const counts = file.counts();
    const counters = COUNTERS.filter((counter) => counts[counter] !== undefined);
    if (counters.length === COUNTERS.length) return { counters };
    return { counters, reason: whyNoCounts(`${file.read()}\n${stderr}`, paranoid()) };
  } finally {
    file.remove();
  }
}

function findPerf(): string | undefined {
  return findProgram('perf', process.env['PATH'] ?? '');
}

function paranoid(): string {
  try {
    return readFileSync('/proc/sys/kernel/perf_event_paranoid', 'latin1');
  } catch {
    return '';
  }
}
