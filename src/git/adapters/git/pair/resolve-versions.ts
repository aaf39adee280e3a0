import { NightmarkError } from '../../../../platform/core/errors.ts';
import { nearestFirst } from '../../../../platform/core/text/nearest.ts';
import type { PairRequest, Version } from '../../../core/version-pairs.ts';
import type { Origin } from './find-origin.ts';

/** The commit that the working tree is compared with. */
export async function resolveBaseline(
  origin: Origin,
  { ref, base }: Pick<PairRequest, 'ref' | 'base'>,
): Promise<string> {
  const commit = await commitOf(origin, ref);
  if (commit === undefined) throw await unknownRef(origin, ref);
  if (base === 'ref') return commit;
  const parted = await origin.git.ask(origin.dir, ['merge-base', commit, 'HEAD']);
  if (parted !== undefined && parted !== '') return parted;
  if (await isShallow(origin)) {
    throw new NightmarkError(
      'DUET_SHALLOW',
      `The clone has too little history to tell where the working tree and ${ref} parted.`,
      { hint: `${DEEPEN} Or compare with ${ref} itself: --base ref.` },
    );
  }
  throw new NightmarkError('DUET_NO_MERGE_BASE', `The working tree and ${ref} have no common ancestor.`, {
    hint: `Compare with ${ref} itself: --base ref.`,
  });
}

export async function describeVersion(origin: Origin, commit: string, isChanged: boolean): Promise<Version> {
  const format = '--format=%h%x00%cI%x00%s';
  const answer = await origin.git.ask(origin.dir, [
    'show',
    '--no-patch',
    '--no-show-signature',
    format,
    commit,
  ]);
  const [shortCommit = commit.slice(0, 7), date = '', subject = ''] = (answer ?? '').split('\0');
  return { commit, shortCommit, date, subject, isChanged };
}

const DEEPEN = 'Fetch it: git fetch --unshallow (fetch-depth: 0 for actions/checkout).';
/** Branches and tags that an error names. */
const MAX_NAMED = 5;

function commitOf({ git, dir }: Origin, ref: string): Promise<string | undefined> {
  return git.ask(dir, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
}

async function isShallow({ git, dir }: Origin): Promise<boolean> {
  return (await git.ask(dir, ['rev-parse', '--is-shallow-repository'])) === 'true';
}

async function unknownRef(origin: Origin, ref: string): Promise<NightmarkError> {
  const { git, dir } = origin;
  const places = ['refs/heads', 'refs/remotes', 'refs/tags'];
  const lines = await git.ask(dir, ['for-each-ref', '--format=%(refname:lstrip=2)', ...places]);
  const names = (lines ?? '').split('\n').filter((name) => name !== '' && !name.endsWith('/HEAD'));
  const isElsewhere = names.find((name) => name.endsWith(`/${ref}`));
  const near = isElsewhere ? [isElsewhere] : nearestFirst(ref, names).slice(0, MAX_NAMED);
  const hints = [
    ...(near.length > 0 ? [`It has: ${near.join(', ')}.`] : []),
    ...((await isShallow(origin)) ? [`The clone is shallow. ${DEEPEN}`] : []),
  ];
  return new NightmarkError(
    'DUET_UNKNOWN_REF',
    `The repository ${dir} has no branch, tag or commit ${JSON.stringify(ref)}.`,
    { hint: hints.join('\n') || 'Name a branch, a tag or a commit.' },
  );
}
