import { isDead, parseOwner } from '../owner.ts';
import { callEngine, type EngineCall } from './call-engine.ts';
import { LABELS } from './labels.ts';

/** Removes the containers of runs that died, with the barriers they made; those to be kept are only stopped. */
export async function endLeftovers(call: EngineCall): Promise<number> {
  const list = await callEngine(call, ['ps', '-a', '-q', '--no-trunc', '--filter', `label=${LABELS.owner}`]);
  const ids = list.stdout.split('\n').filter((line) => line !== '');
  if (list.code !== 0 || ids.length === 0) return 0;

  const format = `{{.Name}}\t{{.State.Running}}\t${Object.values(LABELS).map(label).join('\t')}`;
  // One that went away meanwhile costs its own line only.
  const facts = await callEngine(call, ['container', 'inspect', '--format', format, ...ids]);
  let count = 0;
  for (const line of facts.stdout.split('\n')) {
    const [name = '', running, , owner = '', barrier = '', keep] = line.split('\t');
    const known = parseOwner(owner);
    const isRunning = running === 'true';
    if (!known || !isDead(known) || (keep === 'true' && !isRunning)) continue;
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

/** Docker prints "<no value>" for a label that is not there, unless asked first. */
function label(name: string): string {
  return `{{with index .Config.Labels "${name}"}}{{.}}{{end}}`;
}
