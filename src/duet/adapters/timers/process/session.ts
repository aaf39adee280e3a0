import { randomBytes } from 'node:crypto';
import type { Exit } from '../../../../executors/core/executor.ts';
import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import type { TimedCommand, TimerSession, Timing } from '../../../core/command-timer.ts';
import { Ending } from './ending.ts';
import { endEscaped } from './escaped.ts';
import { findProgram } from './find-program.ts';
import { Lane, type LaneReply } from './lane.ts';
import { StartMoment } from './start-moment.ts';

/** Lanes stay between runs, one for each command, place and environment: a run then costs one line each way. */
export class ProcessSession implements TimerSession {
  readonly #lanes = new Map<string, Lane>();
  readonly #limit: number;
  readonly #prefix: readonly [string, ...string[]];
  readonly #token = randomBytes(8).toString('hex');
  readonly #moment = new StartMoment();

  constructor(limit: number, prefix: readonly [string, ...string[]]) {
    this.#limit = limit;
    this.#prefix = prefix;
  }

  async run(commands: readonly TimedCommand[], signal: CancelSignal): Promise<readonly Timing[]> {
    if (commands.length > this.#limit)
      throw new RangeError(`${commands.length} commands for ${this.#limit} lanes`);
    if (signal.aborted) return commands.map(() => ended({ type: 'cancelled' }));
    const lanes: (Lane | Exit)[] = [];
    for (const command of commands) lanes.push(await this.#lane(command, lanes));
    // All or none: what ran alone is no half of a pair.
    const failed = lanes.findIndex((lane) => !(lane instanceof Lane));
    if (failed >= 0) {
      return lanes.map((lane) => ended(lane instanceof Lane ? { type: 'cancelled' } : lane));
    }
    return this.#runAll(commands, lanes as readonly Lane[], signal);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => lane.close()));
    this.#lanes.clear();
    // What forks while it is looked for is found the next time.
    while (endEscaped(this.#token) > 0) await delay(2);
  }

  async #runAll(
    commands: readonly TimedCommand[],
    lanes: readonly Lane[],
    signal: CancelSignal,
  ): Promise<readonly Timing[]> {
    const stop = new Ending(lanes, () => endEscaped(this.#token));
    const cancel = () => stop.begin({ type: 'cancelled' });
    signal.addEventListener('abort', cancel, { once: true });
    const limits = commands.flatMap(({ timeoutMs }) => (timeoutMs === undefined ? [] : [timeoutMs]));
    const afterMs = Math.min(...limits);
    const timer = Number.isFinite(afterMs)
      ? setTimeout(() => stop.begin({ type: 'timeout', afterMs }), afterMs)
      : undefined;
    const asked = process.hrtime.bigint();
    const momentUs = lanes.length > 1 ? this.#moment.next() : 0;
    const replies = await Promise.all(
      lanes.map(async (lane) => {
        const reply = await lane.run(momentUs);
        // Who had ended by itself before the other one was given up ended by itself.
        const exit = stop.reason ?? exitOf(reply, lane);
        return { reply, exit, lane, untilNs: Number(process.hrtime.bigint() - asked) };
      }),
    );
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
    await stop.done();
    if (lanes.length > 1)
      this.#moment.learn(
        momentUs,
        replies.map(({ reply }) => reply?.startUs ?? momentUs),
      );
    return Promise.all(
      replies.map(async ({ lane, ...ended }, index) => {
        const isMarked =
          ended.reply !== undefined && ended.reply.code !== 0 && commands[index]?.output !== 'null';
        return toTiming({ ...ended, tail: isMarked ? await lane.tail.untilMark() : lane.tail.take() });
      }),
    );
  }

  async #lane(command: TimedCommand, taken: readonly (Lane | Exit)[]): Promise<Lane | Exit> {
    const { argv, cwd, env, cores, output } = command;
    const key = JSON.stringify([argv, cwd, env, cores, output]);
    // A command against itself needs two lanes that are alike.
    const own = (copy: number) => `${copy} ${key}`;
    let copy = 0;
    for (
      let lane = this.#lanes.get(own(copy));
      lane && taken.includes(lane);
      lane = this.#lanes.get(own(copy))
    )
      copy++;
    const known = this.#lanes.get(own(copy));
    if (known && !known.isGone) return known;
    await known?.close();
    const found = findProgram(argv[0], cwd, env['PATH']);
    if (found.state === 'missing') return { type: 'not-started', reason: found.reason };
    try {
      const lane = new Lane({ command, prefix: this.#prefix, program: found.path, token: this.#token });
      this.#lanes.set(own(copy), lane);
      await lane.untilReady();
      return lane.isGone ? (lane.reason ?? { type: 'not-started', reason: argv[0] }) : lane;
    } catch (error) {
      return { type: 'not-started', reason: `${argv[0]}: ${(error as Error).message}` };
    }
  }
}

interface Ended {
  readonly reply: LaneReply | undefined;
  readonly exit: Exit;
  readonly tail: string;
  readonly untilNs: number;
}

function toTiming({ reply, exit, tail, untilNs }: Ended): Timing {
  if (!reply) return { ...ended(exit), tail, wallNs: untilNs };
  const { startUs, endUs, userNs, systemNs } = reply;
  const wallNs = (endUs - startUs) * 1000;
  // The lane reads the clock on the wall, which may be set meanwhile; ours only goes on.
  const isSane = wallNs >= 0 && wallNs <= untilNs;
  return {
    exit,
    wallNs: isSane ? wallNs : untilNs,
    startedAtNs: BigInt(startUs) * 1000n,
    ...(userNs !== undefined && { userNs }),
    ...(systemNs !== undefined && { systemNs }),
    tail,
  };
}

function exitOf(reply: LaneReply | undefined, lane: Lane): Exit {
  if (reply) return { type: 'code', code: reply.code };
  return lane.reason ?? { type: 'not-started', reason: 'the process that starts the command ended' };
}

function ended(exit: Exit): Timing {
  return { exit, wallNs: 0, startedAtNs: 0n, tail: '' };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
