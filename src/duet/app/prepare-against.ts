import type { PairBuild, PairRequest, Side, Version, VersionPairs } from '../../git/core/version-pairs.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { joinPath } from '../../platform/core/path.ts';

interface AgainstRequest extends Omit<PairRequest, 'report'> {
  /** Where the command runs: at the root of each version, or in the folder that corresponds to `dir`. */
  readonly runIn: PairBuild['in'];
}

interface AgainstEffects {
  readonly pairs: VersionPairs;
  readonly signal: CancelSignal;
  report(step: Parameters<PairRequest['report']>[0]): void;
}

/** Two versions, ready to be measured. */
export interface Against {
  readonly ref: string;
  readonly base: PairRequest['base'];
  readonly build?: string;
  /** From the root of the repository to where the command was typed, and to where it runs; empty for the root. */
  readonly prefix: string;
  readonly folder: string;
  readonly sides: Readonly<Record<Side, AgainstSide>>;
  release(): Promise<void>;
}

interface AgainstSide {
  readonly name: string;
  readonly cwd: string;
  readonly version: Version;
}

/** Puts the baseline and the working tree side by side, built. */
export async function prepareAgainst(request: AgainstRequest, effects: AgainstEffects): Promise<Against> {
  const { runIn, ...rest } = request;
  const pair = await effects.pairs.preparePair({ ...rest, report: effects.report }, effects.signal);
  const folder = runIn === 'root' ? '' : pair.prefix;
  const toSide = (side: Side): AgainstSide => {
    const { dir, ...version } = pair.sides[side];
    return { name: nameOf(side, version), cwd: joinPath(dir, folder), version };
  };
  return {
    ref: request.ref,
    base: request.base,
    ...(request.build && { build: request.build.command }),
    prefix: pair.prefix,
    folder,
    sides: { A: toSide('A'), B: toSide('B') },
    release: pair.release,
  };
}

function nameOf(side: Side, { shortCommit, isChanged }: Version): string {
  if (side === 'A') return `baseline ${shortCommit}`;
  return isChanged ? 'working tree' : `HEAD ${shortCommit}`;
}
