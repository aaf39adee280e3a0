import { ownIdentity, parseIdentity, processLife } from '../../../../platform/adapters/process-identity.ts';
import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../../../platform/core/errors.ts';
import type { MakeSandboxes, SandboxRequest } from '../../../core/sandbox.ts';
import { type Answer, callEngine, type EngineCall, engineFailed } from './call-engine.ts';
import { containerSandbox } from './container-sandbox.ts';

/** One container for each sandbox: started with an idle shell, commands go in by exec, results come out by cp. */
const containerSandboxes: MakeSandboxes = (tools) => ({
  id: 'container',
  title: 'Containers of docker or podman',

  async open(request, signal) {
    const call: EngineCall = { engine: request.engine ?? 'docker', env: tools.env };
    const { image, name } = request;
    if (image === undefined || image.startsWith('-')) {
      throw new NightmarkError('DUET_ENGINE_FAILED', `invalid image: ${JSON.stringify(image ?? null)}`);
    }
    const answer = await runContainer(call, request, signal);
    if (answer.code !== 0 || signal.aborted) {
      // It may have been made all the same.
      await callEngine(call, ['rm', '-f', '-v', name]);
      throw engineFailed(`start a container of ${image}`, call, answer);
    }
    const facts = await inspect(call, name);
    return containerSandbox({ call, request, ...facts }, tools);
  },

  async endLeftovers({ engine = 'docker' }) {
    try {
      return await endLeftovers({ engine, env: tools.env });
    } catch (error) {
      if (error instanceof NightmarkError) return 0; // No engine: a run that needs it fails with that message.
      throw error;
    }
  },
});

/** An image may have to be pulled first. */
const PULL_MS = 3_600_000;
/** After a cancel; longer waits are those of a pull. */
const CANCELLED_PULL_MS = 3_000;

async function runContainer(
  call: EngineCall,
  request: SandboxRequest,
  signal: CancelSignal,
): Promise<Answer> {
  let giveUp = () => {};
  const cancelled = new Promise<Answer>((resolve) => {
    const late = { code: -1, stdout: '', stderr: 'cancelled' };
    giveUp = () => setTimeout(() => resolve(late), CANCELLED_PULL_MS).unref();
  });
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([callEngine(call, runArguments(request), { timeoutMs: PULL_MS }), cancelled]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

function runArguments({ name, image = '', runId, barrier, sharesMemory, keep, cores }: SandboxRequest) {
  const labels: Readonly<Record<string, string | undefined>> = {
    [LABELS.run]: runId,
    [LABELS.owner]: JSON.stringify(ownIdentity()),
    [LABELS.barrier]: barrier,
    [LABELS.keep]: keep ? 'true' : undefined,
  };
  return [
    ...['run', '--name', name],
    ...(sharesMemory ? ['-v', '/dev/shm:/dev/shm', '--ipc', 'host'] : []),
    ...(cores ? ['--cpuset-cpus', cores.join(',')] : []),
    // The idle shell ignores SIGTERM: without this a removal waits ten seconds.
    ...['--stop-signal', 'SIGKILL'],
    ...Object.entries(labels).flatMap(([key, value]) =>
      value === undefined ? [] : ['--label', `${key}=${value}`],
    ),
    ...['-e', `NIGHTMARK_SANDBOX=${name}`, '-it', '-d', image, 'bash'],
  ];
}

async function inspect(call: EngineCall, name: string): Promise<{ digest: string; workingDir: string }> {
  const format = '{{.Image}} {{.Config.WorkingDir}}';
  const answer = await callEngine(call, ['container', 'inspect', '--format', format, name]);
  if (answer.code !== 0) {
    await callEngine(call, ['rm', '-f', '-v', name]);
    throw engineFailed('inspect the container', call, answer);
  }
  const [image = '', ...rest] = answer.stdout.trim().split(' ');
  // podman leaves out the kind of the hash, docker does not.
  return { digest: image.includes(':') ? image : `sha256:${image}`, workingDir: rest.join(' ') || '/' };
}

export default containerSandboxes;

/** Removes the containers of runs that died, with the barriers they made; those to be kept are only stopped. */
async function endLeftovers(call: EngineCall): Promise<number> {
  const list = await callEngine(call, ['ps', '-a', '-q', '--no-trunc', '--filter', `label=${LABELS.owner}`]);
  const ids = list.stdout.split('\n').filter((line) => line !== '');
  if (list.code !== 0 || ids.length === 0) return 0;

  const format = `{{.Name}}\t{{.State.Running}}\t${Object.values(LABELS).map(label).join('\t')}`;
  // One that was removed meanwhile costs its own line only.
  const facts = await callEngine(call, ['container', 'inspect', '--format', format, ...ids]);
  let count = 0;
  for (const line of facts.stdout.split('\n')) {
    const [name = '', running, , owner = '', barrier = '', keep] = line.split('\t');
    const known = parseIdentity(owner);
    const isRunning = running === 'true';
    if (!known || processLife(known) !== 'dead' || (keep === 'true' && !isRunning)) continue;
    await removeOne(call, { name: name.replace(/^\//, ''), isRunning, barrier, isKept: keep === 'true' });
    count++;
  }
  return count;
}

interface Leftover {
  readonly name: string;
  readonly isRunning: boolean;
  readonly barrier: string;
  readonly isKept: boolean;
}

async function removeOne(call: EngineCall, { name, isRunning, barrier, isKept }: Leftover): Promise<void> {
  if (barrier !== '' && isRunning) {
    await callEngine(call, ['exec', name, 'bash', '/barrier/rm-barrier', barrier]);
  }
  await callEngine(call, isKept ? ['kill', name] : ['rm', '-f', '-v', name]);
}

/** Docker prints "<no value>" for a label that is not there, unless tested first. */
function label(name: string): string {
  return `{{with index .Config.Labels "${name}"}}{{.}}{{end}}`;
}

/** What we write on our containers, to know them again. */
const LABELS = {
  run: 'nightmark.run',
  owner: 'nightmark.owner',
  barrier: 'nightmark.barrier',
  keep: 'nightmark.keep',
} as const;
