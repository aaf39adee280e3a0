import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './real-server.ts';

/** A cluster of one host, with everything it writes in a temporary folder. */
export interface Slurm {
  /** SLURM_CONF. */
  readonly conf: string;
  readonly env: NodeJS.ProcessEnv;
  /** Runs one of its programs and gives what it prints. */
  run(program: string, ...args: readonly string[]): string;
  stopController(): Promise<void>;
  startController(): Promise<void>;
  stop(): Promise<void>;
}

/** Why tests with a real Slurm are left out; false when they are not. */
export function whyNoSlurm(): string | false {
  const missing = ['/usr/sbin/slurmctld', '/usr/sbin/slurmd', '/usr/sbin/munged'].find(
    (program) => spawnSync(program, ['--version']).error || spawnSync(program, ['-V']).error,
  );
  if (missing) return `${missing} is not there (Debian: apt-get install slurmctld slurmd slurm-client munge)`;
  return process.getuid?.() === 0 ? false : 'slurmd needs root (run the tests in a container as root)';
}

export async function startSlurm(): Promise<Slurm> {
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-slurm-'));
  for (const name of ['state', 'spool', 'munge']) mkdirSync(join(folder, name), { mode: 0o755 });
  const conf = join(folder, 'slurm.conf');
  writeFileSync(conf, configuration(folder, await freePort(), await freePort()));
  const env = { ...process.env, SLURM_CONF: conf };
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, { env, encoding: 'utf8' });
  const start = (program: string, ...args: readonly string[]) =>
    spawn(program, args, { env, stdio: 'ignore' });
  const untilUp = () =>
    until(() => spawnSync('sinfo', ['-h', '-o', '%t'], { env, encoding: 'utf8' }).stdout, /idle|mix|alloc/);

  const munged = await startMunge(folder, start);
  let controller = start('/usr/sbin/slurmctld', '-D', '-i', '-f', conf);
  const daemon = start('/usr/sbin/slurmd', '-D', '-f', conf);
  await untilUp();
  return {
    conf,
    env,
    run,
    stopController: () => end(controller),
    async startController() {
      controller = start('/usr/sbin/slurmctld', '-D', '-f', conf);
      await untilUp();
    },
    async stop() {
      for (const process of [daemon, controller, munged]) await end(process);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startMunge(folder: string, start: (program: string, ...args: string[]) => ChildProcess) {
  const at = (name: string) => join(folder, 'munge', name);
  writeFileSync(at('key'), randomBytes(1024), { mode: 0o600 });
  const files = [`--key-file=${at('key')}`, `--socket=${at('socket')}`, `--pid-file=${at('pid')}`];
  const munged = start(
    '/usr/sbin/munged',
    '--foreground',
    '--force',
    ...files,
    `--log-file=${at('log')}`,
    `--seed-file=${at('seed')}`,
  );
  await until(() => `${spawnSync('munge', ['-n', '-S', at('socket')]).status}`, /^0$/);
  return munged;
}

/** More processors than there are, so that many small commands run at once; no pause before a job is looked at. */
function configuration(folder: string, controllerPort: number, daemonPort: number): string {
  const host = hostname().split('.')[0] ?? 'localhost';
  return `ClusterName=test
SlurmctldHost=${host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=${folder}/munge/socket
CredType=cred/munge
SlurmctldPort=${controllerPort}
SlurmdPort=${daemonPort}
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd.pid
SlurmctldLogFile=${folder}/slurmctld.log
SlurmdLogFile=${folder}/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
KillWait=5
NodeName=${host} NodeAddr=127.0.0.1 CPUs=64 RealMemory=${Math.floor((totalmem() / 1024 / 1024) * 0.8)} State=UNKNOWN
PartitionName=main Nodes=${host} Default=YES MaxTime=INFINITE State=UP
`;
}

async function end(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const ended = new Promise((resolve) => process.once('exit', resolve));
  process.kill('SIGTERM');
  await ended;
}

async function until(look: () => string, wanted: RegExp): Promise<void> {
  for (let round = 0; round < 300; round++) {
    if (wanted.test(look())) return;
    await sleep(100);
  }
  throw new Error(`Slurm did not come up: "${look()}" is not ${wanted}`);
}
