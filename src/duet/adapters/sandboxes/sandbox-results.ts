import { measuredArgv } from '../../../executors/core/measured-command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';

/** How long a harness may take to write its results after SIGTERM. */
export const GRACE_MS = 5_000;

export function noResult(path: string, why: string): NightmarkError {
  return new NightmarkError('DUET_NO_RESULT', `The result ${path} ${why}.`, {
    hint: 'Look at the log of that side: did the command write it there? "results" in the duet.yml says where to look.',
  });
}

/** `bash -c command`, measured where a file for that is named. */
export function bashArgv(command: string, measuresFile: string | undefined): readonly [string, ...string[]] {
  const argv = ['bash', '-c', command] as const;
  return measuresFile === undefined ? argv : measuredArgv(argv, measuresFile, ['wall', 'cpu']);
}
