import type { Exit } from '../../executors/core/executor.ts';
import type { Side } from '../../git/core/version-pairs.ts';
import { recordSources } from '../../home/app/telemetry/record-sources.ts';
import { telemetryPoints } from '../../home/app/telemetry/record-telemetry.ts';
import { stopSwitch } from '../../platform/core/cancel-signal.ts';
import type { Clock } from '../../platform/core/clock.ts';
import { messageOf, NightmarkError } from '../../platform/core/errors.ts';
import type { DuetRunProblem, DuetRunRecord, DuetSideRecord } from '../core/duet-journal.ts';
import { resultName } from '../core/result-name.ts';
import type { Sandbox, SandboxExecution } from '../core/sandbox.ts';
import { fetchMeasures, fetchResults } from './result-files.ts';
import type { DuetRunEffects } from './run-effects.ts';
import {
  barrierOf,
  describeExit,
  fileOf,
  makeBarrier,
  type RunBarrier,
  type RunJob,
  removeBarrier,
  sandboxRequest,
  sideCommand,
  sidesOf,
  startOrder,
} from './run-job.ts';

/** Runs one entry of a plan. Whatever happens, results are fetched, and nothing is left behind. */
export async function runPlanned(job: RunJob, effects: DuetRunEffects): Promise<DuetRunRecord> {
  const startedAt = effects.clock.now();
  const attempt = new Attempt(job, effects);
  try {
    await attempt.perform();
    await attempt.fetch();
  } finally {
    await attempt.close();
  }
  return attempt.toRecord(startedAt);
}

/** The life of one run: what it opened and started, and what came of it. */
class Attempt {
  readonly #job: RunJob;
  readonly #effects: DuetRunEffects;
  readonly #barrier: RunBarrier | undefined;
  readonly #boxes = new Map<Side, Sandbox>();
  readonly #problems: DuetRunProblem[] = [];
  readonly #results = new Map<Side, Pick<DuetSideRecord, 'fetched' | 'missing' | 'measures'>>();
  #ends: ReadonlyMap<Side, SideEnd> = new Map();
  #isStarted = false;
  #hasBarrier = false;

  constructor(job: RunJob, effects: DuetRunEffects) {
    this.#job = job;
    this.#effects = effects;
    this.#barrier = barrierOf(job.run, job.benchmark, job.runId);
  }

  /** A NightmarkError is a problem of this run; any other error is a bug and ends everything. */
  async perform(): Promise<void> {
    try {
      await this.#open();
      await this.#makeBarrier();
      await this.#runSides();
    } catch (error) {
      if (!(error instanceof NightmarkError)) throw error;
      this.#note('RUN', messageOf(error));
    }
  }

  async fetch(): Promise<void> {
    const { run, benchmark, folder, step } = this.#job;
    if (!this.#isStarted) return;
    step(run.type === 'seqn' ? 'RESULTS' : 'GET');
    for (const [side, sandbox] of this.#boxes) {
      const { suite, sides } = benchmark;
      const paths = sides[side].results;
      const nameOf = (path: string) => resultName(run, side, { suite, path });
      const { disk } = this.#effects;
      const { fetched, missing, reasons } = await fetchResults({ sandbox, paths, nameOf, folder }, disk);
      const measures = await fetchMeasures(sandbox, folder, disk);
      this.#results.set(side, { fetched, missing, ...(measures && { measures }) });
      for (const reason of reasons) this.#note('RESULTS', `${side}: ${reason}`);
    }
  }

  async close(): Promise<void> {
    const { step, benchmark, kept } = this.#job;
    if (this.#boxes.size > 0) step('CLEANUP');
    const place = this.#barrierPlace();
    if (this.#hasBarrier && place) await removeBarrier(place);
    await Promise.all(
      [...this.#boxes.values()].map(async (sandbox) => {
        try {
          await sandbox.close();
          if (!benchmark.removeContainers) kept(sandbox.place);
        } catch (error) {
          if (!(error instanceof NightmarkError)) throw error;
          this.#problems.push({ kind: 'CLEANUP', text: messageOf(error) });
        }
      }),
    );
  }

  async toRecord(startedAt: number): Promise<DuetRunRecord> {
    const sides: Partial<Record<Side, DuetSideRecord>> = {};
    const { run } = this.#job;
    for (const side of sidesOf(run)) sides[side] = await this.#sideRecord(side);
    const endedAt = this.#effects.clock.now();
    return { run, startedAt, endedAt, outcome: this.#outcome(), sides, problems: this.#problems };
  }

  async #open(): Promise<void> {
    const { run, benchmark } = this.#job;
    const { sandboxes, signal } = this.#effects;
    for (const side of sidesOf(run)) {
      const provider = benchmark.sides[side].image === undefined ? sandboxes.process : sandboxes.container;
      this.#boxes.set(side, await provider.open(sandboxRequest(this.#job, side, this.#barrier), signal));
    }
  }

  async #makeBarrier(): Promise<void> {
    const place = this.#barrierPlace();
    if (!place) return;
    await makeBarrier(place, this.#effects.signal);
    this.#hasBarrier = true;
  }

  async #runSides(): Promise<void> {
    const { run, folder, step } = this.#job;
    const file = folder.telemetry(fileOf(this.#job, sidesOf(run)[0] ?? 'A', 'json'));
    const telemetry = startRunTelemetry(run.benchmark, file, this.#effects);
    step('RUN');
    this.#isStarted = true;
    const executions = new Map(startOrder(run).map((side) => [side, this.#start(side)]));
    const areTied = run.type === 'syncduet';
    this.#ends = await waitForSides({ executions, areTied }, this.#effects.clock);
    await telemetry.stop();
    if ([...this.#ends.values()].some(({ exit }) => exit.type === 'timeout')) step('STOP');
    for (const side of sidesOf(run)) {
      const { exit, isStoppedForPartner } = this.#ends.get(side) ?? {};
      if (!exit || isFine(exit)) continue;
      const how = isStoppedForPartner ? 'was stopped, as the other side had failed' : describeExit(exit);
      this.#note(exit.type === 'timeout' ? 'TIMEOUT' : 'RUN', `${side} ${how}.`);
    }
  }

  #start(side: Side): SandboxExecution {
    const sandbox = this.#boxes.get(side);
    if (!sandbox) throw new Error(`side ${side} was not opened`);
    return sandbox.run(sideCommand(this.#job, side, this.#barrier), this.#effects.signal);
  }

  #barrierPlace() {
    const { maker, name } = this.#barrier ?? {};
    const sandbox = maker === undefined ? undefined : this.#boxes.get(maker);
    if (!sandbox || maker === undefined || name === undefined) return undefined;
    return { name, sandbox, logFile: this.#job.folder.log(fileOf(this.#job, maker, 'barrier.log')) };
  }

  /** What fails because of an interrupt is not a problem of the run. */
  #note(kind: DuetRunProblem['kind'], text: string): void {
    if (!this.#isInterrupted()) this.#problems.push({ kind, text });
  }

  /** A run whose sides had ended by themselves before the interrupt is complete. */
  #isInterrupted(): boolean {
    if (!this.#effects.signal.aborted) return false;
    const exits = sidesOf(this.#job.run).map((side) => this.#ends.get(side)?.exit);
    return exits.some((exit) => exit === undefined || exit.type === 'cancelled');
  }

  #outcome(): DuetRunRecord['outcome'] {
    if (this.#isInterrupted()) return 'interrupted';
    if (this.#problems.some(({ kind }) => kind === 'TIMEOUT')) return 'timeout';
    return this.#problems.some(({ kind }) => kind !== 'CLEANUP') ? 'failed' : 'done';
  }

  async #sideRecord(side: Side): Promise<DuetSideRecord> {
    const { benchmark, folder } = this.#job;
    const { image } = benchmark.sides[side];
    const digest = this.#boxes.get(side)?.digest;
    const exit = this.#ends.get(side)?.exit;
    const log = folder.log(fileOf(this.#job, side, 'log'));
    // The log may be of an earlier attempt.
    const hasLog = this.#isStarted && (await this.#effects.disk.stat(log)) !== undefined;
    return {
      ...(image !== undefined && { image }),
      ...(digest !== undefined && { digest }),
      ...(exit && { exit }),
      fetched: [],
      missing: [],
      ...this.#results.get(side),
      ...(hasLog && { log: log.slice(folder.dir.length + 1) }),
    };
  }
}

interface StartedSides {
  readonly executions: ReadonlyMap<Side, SandboxExecution>;
  /** Held together by a barrier: the one cannot go on without the other. */
  readonly areTied: boolean;
}

interface SideEnd {
  readonly exit: Exit;
  /** Stopped because the other side had failed. */
  readonly isStoppedForPartner: boolean;
}

/** What a side that is left alone at a barrier may take to end by itself. */
const ALONE_MS = 5_000;

/** Waits for both sides: a failure of one does not stop the other, unless a barrier ties them. */
async function waitForSides(
  { executions, areTied }: StartedSides,
  clock: Clock,
): Promise<ReadonlyMap<Side, SideEnd>> {
  const ends = new Map<Side, SideEnd>();
  const stopped = new Set<Side>();
  const allEnded = stopSwitch();
  const stopLater = async (sides: readonly Side[]) => {
    await clock.sleep(ALONE_MS, allEnded.signal);
    for (const side of sides) {
      if (ends.has(side)) continue;
      stopped.add(side);
      executions.get(side)?.kill();
    }
  };
  await Promise.all(
    [...executions].map(async ([side, execution]) => {
      const { exit } = await execution.wait();
      ends.set(side, { exit, isStoppedForPartner: stopped.has(side) });
      const others = [...executions.keys()].filter((other) => !ends.has(other));
      if (others.length === 0) allEnded.stop();
      else if (areTied && !isFine(exit)) void stopLater(others);
    }),
  );
  return ends;
}

function isFine(exit: Exit): boolean {
  return exit.type === 'code' && exit.code === 0;
}

/** GPU tools are slow programs that would disturb both sides. */
const SWITCHES = { cpu: true, gpu: false, rateSeconds: 1 } as const;

/** Samples the machine beside one run, into one file: series as columns, times in milliseconds since 1970. */
function startRunTelemetry(
  benchmark: string,
  file: string,
  { telemetry, clock, signal, disk }: DuetRunEffects,
): { stop(): Promise<void> } {
  const recording = recordSources(SWITCHES, { sources: telemetry, clock, signal });
  return {
    async stop() {
      const { startedAt, columns, notes } = await recording.stop();
      const series = telemetryPoints(benchmark, startedAt, columns).map(({ times, values, ...facts }) => ({
        ...facts,
        times: [...times],
        values: [...values],
      }));
      await disk.writeText(file, `${JSON.stringify({ startedAt, notes, series })}\n`);
    },
  };
}
