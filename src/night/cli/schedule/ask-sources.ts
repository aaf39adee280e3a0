import type { Source, SourceControl } from '../../../git/core/source-control.ts';
import type { Home } from '../../../home/core/home.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import { messageOf } from '../../../platform/core/errors.ts';
import type { SourceTips } from '../../app/schedule/schedule-effects.ts';

/** The sources that the active tasks of a home are measured with, each once. */
export function sourcesOf({ tasks }: Home): readonly Source[] {
  const active = tasks.filter(({ state }) => state === 'active').flatMap(({ sources }) => sources);
  return [
    ...new Map(active.map((source) => [JSON.stringify([source.git, source.ref ?? null]), source])).values(),
  ];
}

/** Asks each repository what it has now; nothing is fetched. */
export async function askSources(
  sources: readonly Source[],
  control: SourceControl,
  signal: CancelSignal,
): Promise<SourceTips> {
  const commits: Record<string, string> = {};
  const problems: string[] = [];
  for (const source of sources) {
    if (signal.aborted) break;
    try {
      const commit = await control.tip(source, signal);
      commits[freeKey(source, commits)] = commit;
    } catch (error) {
      if (!signal.aborted) problems.push(messageOf(error));
    }
  }
  return { commits, problems };
}

/** The address may hold a secret, and is not written down. */
function freeKey({ name, ref }: Source, taken: Readonly<Record<string, string>>): string {
  const key = ref === undefined ? name : `${name} (${ref})`;
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? key : `${key} ${number}`;
    if (!Object.hasOwn(taken, numbered)) return numbered;
  }
}
