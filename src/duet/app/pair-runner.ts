import type { Exit } from '../../executors/core/executor.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import { type CancelSignal, NEVER_CANCELLED } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { TimedCommand, TimerSession, Timing } from '../core/command-timer.ts';
import type { DuetOrder } from '../core/duet.ts';
import type { Argv, CommandSide, CompareRequest } from './compare-request.ts';

/**
 * Both sides of one pair; undefined for a side that was cancelled or ran into the timeout. `measures` of each has all that can be
 * compared: `B.measures.cpu / A.measures.cpu` is the ratio of the pair in CPU time.
 */
export type PairTimings = Readonly<Partial<Record<Side, Timing>>>;

/** Whether a run is counted or watched, beside being timed. */
type RunHow = Pick<TimedCommand, 'isCounted' | 'isWatched'>;

/** Runs the commands of one comparison in a session of the timer. */
export class PairRunner {
  readonly #request: CompareRequest;
  readonly #session: TimerSession;
  readonly #signal: CancelSignal;

  constructor(request: CompareRequest, session: TimerSession, signal: CancelSignal) {
    this.#request = request;
    this.#session = session;
    this.#signal = signal;
  }

  /** Both at once, with their cores swapped in every other pair. */
  async together(order: DuetOrder, pair: number, how: RunHow = {}): Promise<PairTimings> {
    const { A, B } = this.#request.sides;
    await this.#prepare('A');
    // One preparation for both is done once: its two halves would undo each other or do the same.
    if (!isSameTask(A, B, 'prepare')) await this.#prepare('B');
    const sides = sidesIn(order);
    const timings = await this.#session.run(
      sides.map((side) => ({ ...this.#command(side, pair), ...how })),
      this.#signal,
    );
    return this.#checked(sides, timings);
  }

  /** One alone. */
  async alone(side: Side, pair: number, how: RunHow = {}): Promise<PairTimings> {
    await this.#prepare(side);
    const command = { ...this.#command(side, pair), ...how };
    return this.#checked([side], await this.#session.run([command], this.#signal));
  }

  async aside(what: 'setup' | 'cleanup'): Promise<void> {
    const { A, B } = this.#request.sides;
    await this.#aside(what, 'A');
    if (!isSameTask(A, B, what)) await this.#aside(what, 'B');
  }

  /** Seconds that a shell with nothing to do takes: the least of a few runs. */
  async shellSeconds(argv: Argv): Promise<number | undefined> {
    const times: number[] = [];
    for (let run = 0; run < 5; run++) {
      const [timing] = await this.#session.run([this.#plain(argv, 'A')], this.#signal);
      if (timing?.exit.type === 'code') times.push(timing.wallNs / 1e9);
    }
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  #checked(sides: readonly Side[], timings: readonly Timing[]): PairTimings {
    const found: Partial<Record<Side, Timing>> = {};
    for (const [index, timing] of timings.entries()) {
      const side = sides[index] as Side; // timings come in the order of the commands
      const failure = commandFailure({
        what: sideText(side),
        command: this.#request.sides[side].command,
        timing,
      });
      if (failure && (!this.#request.ignoreFailure || timing.exit.type === 'not-started')) throw failure;
      if (timing.exit.type === 'code') found[side] = timing;
    }
    return found;
  }

  async #prepare(side: Side): Promise<void> {
    await this.#aside('prepare', side);
  }

  async #aside(what: 'setup' | 'prepare' | 'cleanup', side: Side): Promise<void> {
    const argv = this.#request.sides[side][what];
    if (argv === undefined) return;
    // What cleans up must run after Ctrl-C as well.
    const signal = what === 'cleanup' ? NEVER_CANCELLED : this.#signal;
    const [timing] = await this.#session.run([{ ...this.#plain(argv, side), output: 'tail' }], signal);
    const failure =
      timing && commandFailure({ what: `The ${what} of ${side}`, command: argv.at(-1) ?? '', timing });
    if (failure) throw failure;
  }

  #command(side: Side, pair: number): TimedCommand {
    const { sides, cores, timeoutMs } = this.#request;
    const own = (pair % 2 === 0) === (side === 'A') ? cores?.[0] : cores?.[1];
    return {
      ...this.#plain(sides[side].argv, side),
      ...(own && { cores: own }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    };
  }

  #plain(argv: Argv, side: Side): TimedCommand {
    const { sides, output } = this.#request;
    const { cwd, env } = sides[side];
    return { argv, cwd, env, output };
  }
}

export function sidesIn(order: DuetOrder): readonly [Side, Side] {
  return order === 'AB' ? ['A', 'B'] : ['B', 'A'];
}

/** The same command in the same folder. */
function isSameTask(A: CommandSide, B: CommandSide, what: 'setup' | 'prepare' | 'cleanup'): boolean {
  return A.cwd === B.cwd && A[what]?.join('\0') === B[what]?.join('\0');
}

interface Failed {
  /** "A", or "the preparation of B". */
  readonly what: string;
  readonly command: string;
  readonly timing: Timing;
}

/** The error for a command that did not end well; undefined when it did, or was cancelled. */
function commandFailure({ what, command, timing: { exit, tail } }: Failed): NightmarkError | undefined {
  const output = tail.trim() === '' ? '' : `\nIts last output:\n${lastLines(tail)}`;
  switch (exit.type) {
    case 'not-started':
      return new NightmarkError('DUET_NOT_STARTED', `${what} cannot be started: ${command}\n${exit.reason}`, {
        hint: 'Check the name of the program, PATH and the folder.',
      });
    case 'timeout':
      return new NightmarkError(
        'DUET_TIMEOUT',
        `${what} took longer than ${exit.afterMs} ms: ${command}${output}`,
        {
          hint: 'Both sides were ended. Give more time with --timeout, or leave such pairs out with --ignore-failure.',
        },
      );
    case 'code':
    case 'signal':
      if (exit.type === 'code' && exit.code === 0) return undefined;
      return new NightmarkError(
        'DUET_COMMAND_FAILED',
        `${what} ended with ${exitText(exit)}: ${command}${output}`,
        {
          hint: 'The time of a failing command is not comparable. Fix it, or pass --ignore-failure to time it anyway.',
        },
      );
    case 'cancelled':
      return undefined;
  }
}

function sideText(side: Side): string {
  return `Command ${side}`;
}

/** Codes above 128 are those that shells give for signals. */
function exitText(exit: Exit): string {
  if (exit.type !== 'code') return exit.type;
  const meaning = exit.code === 127 ? ' (no such program)' : (SIGNALS[exit.code - 128] ?? '');
  return `exit code ${exit.code}${meaning}`;
}

const SIGNALS: Readonly<Record<number, string>> = {
  2: ' (SIGINT)',
  6: ' (SIGABRT)',
  9: ' (SIGKILL; out of memory?)',
  11: ' (SIGSEGV)',
  15: ' (SIGTERM)',
};

function lastLines(tail: string): string {
  return tail.trimEnd().split('\n').slice(-10).map(visible).join('\n');
}
