import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../src/platform/core/text/json.ts';

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
}

export interface PodSpec {
  readonly containers: readonly {
    readonly name: string;
    readonly image: string;
    readonly command: readonly string[];
    readonly workingDir?: string;
    readonly env?: readonly Variable[];
  }[];
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly terminationGracePeriodSeconds?: number;
  readonly activeDeadlineSeconds?: number;
}

/** A pod as a process of this machine, with all that it starts; its log is a file with a time before each line. */
export class LocalPod {
  readonly namespace: string;
  readonly name: string;
  readonly logFile: string;
  /** What the Secrets hold that it takes variables from. */
  readonly secrets = new Map<string, Readonly<Record<string, string>>>();
  readonly #uid: string;
  readonly #spec: PodSpec;
  readonly #rests = { stdout: '', stderr: '' };
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  hasEnded = false;

  constructor(pod: { uid: string; namespace: string; name: string; spec: PodSpec }, logFile: string) {
    this.namespace = pod.namespace;
    this.name = pod.name;
    this.#uid = pod.uid;
    this.#spec = pod.spec;
    this.logFile = logFile;
    writeFileSync(logFile, '');
  }

  get secretNames(): readonly string[] {
    const env = this.#spec.containers.flatMap((container) => container.env ?? []);
    return env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef.name ?? []);
  }

  /** Runs to its end, and tells the status it comes to. Some images cannot be had: their names say so. */
  run(tell: (status: JsonObject) => Promise<unknown>): Promise<void> {
    this.#ended = this.#run(tell);
    return this.#ended;
  }

  /** SIGTERM for the first process, SIGKILL for all of them after the grace time. */
  async stop(graceSeconds: number): Promise<void> {
    this.#child?.kill('SIGTERM');
    await Promise.race([this.#ended, sleep(graceSeconds * 1000)]);
    this.#killAll();
    await this.#ended;
  }

  async #run(tell: (status: JsonObject) => Promise<unknown>): Promise<void> {
    const image = this.#spec.containers[0]?.image ?? '';
    const waiting = WAITING[image];
    if (waiting) return void (await tell(this.#status('Pending', { waiting })));
    const exit = this.#start();
    const startedAt = new Date().toISOString().replace(/\.\d+/, '');
    await tell(this.#status('Running', { running: { startedAt } }));
    const end = await exit;
    this.hasEnded = true;
    const terminated = { ...end, ...ENDS[image], startedAt, finishedAt: startedAt };
    const status = this.#status(terminated.exitCode === 0 ? 'Succeeded' : 'Failed', { terminated });
    await tell({ ...status, ...TAKEN[image] });
  }

  #start(): Promise<{ readonly exitCode: number; readonly reason: string; readonly message?: string }> {
    const [container] = this.#spec.containers;
    const variables = (container?.env ?? []).map(
      (variable) => [variable.name, this.#valueOf(variable)] as const,
    );
    const env = { PATH: process.env['PATH'] ?? '', ...Object.fromEntries(variables), POD_UID: this.#uid };
    const [program = '', ...args] = (container?.command ?? []).map((text) => expand(text, env));
    for (const [name, value] of variables) Object.assign(env, { [name]: expand(value, env) });
    return new Promise((resolve) => {
      const failed = (message: string) => resolve({ exitCode: 128, reason: 'StartError', message });
      const child = spawn(program, args, {
        env,
        ...(container?.workingDir !== undefined && { cwd: container.workingDir }),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      this.#child = child;
      child.on('error', (error) => failed(error.message));
      child.stdout.on('data', (chunk: Buffer) => this.#log('stdout', chunk));
      child.stderr.on('data', (chunk: Buffer) => this.#log('stderr', chunk));
      child.on('exit', () => this.#killAll());
      child.on('close', (code, signal) => {
        for (const name of ['stdout', 'stderr'] as const)
          if (this.#rests[name] !== '') this.#write(this.#rests[name]);
        const exitCode = signal ? 128 + constants.signals[signal] : (code ?? 0);
        resolve({ exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' });
      });
    });
  }

  #valueOf({ value, valueFrom }: Variable): string {
    const { name = '', key = '' } = valueFrom?.secretKeyRef ?? {};
    return value ?? this.secrets.get(name)?.[key] ?? '';
  }

  #status(phase: string, state: JsonObject): JsonObject {
    const { name = '', image = '' } = this.#spec.containers[0] ?? {};
    const container = { name, image, imageID: '', ready: phase === 'Running', restartCount: 0, state };
    return { phase, containerStatuses: [container] };
  }

  /** Whole lines only: two streams share the file. */
  #log(name: 'stdout' | 'stderr', chunk: Buffer): void {
    const text = this.#rests[name] + chunk.toString('latin1');
    const end = text.lastIndexOf('\n') + 1;
    this.#rests[name] = text.slice(end);
    if (end > 0) this.#write(text.slice(0, end - 1), '\n');
  }

  #write(lines: string, end = ''): void {
    const stamp = new Date().toISOString().replace('Z', '000000Z');
    appendFileSync(this.logFile, `${stamp} ${lines.replaceAll('\n', `\n${stamp} `)}${end}`, 'latin1');
  }

  /** With its first process a container ends whole. */
  #killAll(): void {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
        if (environment.split('\0').includes(`POD_UID=${this.#uid}`)) process.kill(Number(pid), 'SIGKILL');
      } catch {
        // gone meanwhile, or not ours
      }
    }
  }
}

const WAITING: Readonly<Record<string, JsonObject>> = {
  'image:missing': { reason: 'ImagePullBackOff', message: 'Back-off pulling image "image:missing"' },
  'image:refused': {
    reason: 'ErrImagePull',
    message: 'pull access denied, repository does not exist or may require authorization',
  },
  'image:no-secret': { reason: 'CreateContainerConfigError', message: 'secret "keys" not found' },
};

const ENDS: Readonly<Record<string, { readonly exitCode: number; readonly reason: string }>> = {
  'image:oom': { exitCode: 137, reason: 'OOMKilled' },
};

/** Pods that their node, or a scheduler, took away. */
const TAKEN: Readonly<Record<string, JsonObject>> = {
  'image:evicted': {
    ...{ reason: 'Evicted', message: 'The node was low on resource: memory.', containerStatuses: [] },
  },
  'image:preempted': {
    conditions: [
      {
        ...{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' },
        message: 'preempting to accommodate a higher priority pod',
      },
    ],
  },
};

/** As nodes do it: $(NAME) of a known variable is replaced, two dollars are one. */
function expand(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$\$|\$\(([^)]*)\)/g, (all, name: string | undefined) =>
    name === undefined ? '$' : (env[name] ?? all),
  );
}
