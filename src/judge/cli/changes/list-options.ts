import { CHANGE_STATES } from '../../../home/core/changes/ledger-line.ts';
import { flag, type Options, textOption } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { ChangeFilter, ListedState } from '../../app/changes/list-changes.ts';

const LISTED: readonly ListedState[] = [...CHANGE_STATES, 'open', 'withdrawn', 'all'];
const DAY_MS = 86_400_000;

/** The filters of the command line; a mistake in one is an error, never an empty list. */
export function filterOf(options: Options, now: number): ChangeFilter {
  const experiment = textOption(options, 'experiment');
  const metric = textOption(options, 'metric');
  const machine = textOption(options, 'machine');
  const since = textOption(options, 'since');
  return {
    states: statesOf(textOption(options, 'state')),
    directions: directionsOf(textOption(options, 'direction'), flag(options, 'worse')),
    limit: limitOf(textOption(options, 'limit') ?? '50'),
    ...(experiment !== undefined && { experiment }),
    ...(metric !== undefined && { metric }),
    ...(machine !== undefined && { machine }),
    ...(since !== undefined && { since: momentOf(since, now) }),
  };
}

function statesOf(text: string | undefined): readonly ListedState[] {
  if (text === undefined) return [];
  return text.split(',').map((part) => {
    const state = LISTED.find((known) => known === part.trim());
    if (state !== undefined) return state;
    throw new NightmarkError('CLI_INVALID_OPTION', `--state "${part.trim()}" is no state of a change.`, {
      hint: `Choose among: ${LISTED.join(', ')}`,
    });
  });
}

const DIRECTIONS = ['better', 'worse', 'unknown'] as const;

function directionsOf(text: string | undefined, isWorse: boolean): ChangeFilter['directions'] {
  const given = (text?.split(',') ?? []).map((part) => {
    const direction = DIRECTIONS.find((known) => known === part.trim());
    if (direction !== undefined) return direction;
    throw new NightmarkError('CLI_INVALID_OPTION', `--direction "${part.trim()}" is no direction.`, {
      hint: `Choose among: ${DIRECTIONS.join(', ')}`,
    });
  });
  return isWorse ? [...given, 'worse'] : given;
}

function limitOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new NightmarkError('CLI_INVALID_OPTION', `--limit "${text}" is no whole number.`);
}

function momentOf(text: string, now: number): number {
  const days = /^(\d{1,5})\s*([dw])$/.exec(text);
  if (days) return now - Number(days[1]) * (days[2] === 'w' ? 7 : 1) * DAY_MS;
  const at = /^\d{4}-\d{2}-\d{2}(?:[T ].*)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(at)) return at;
  throw new NightmarkError('CLI_INVALID_OPTION', `--since "${text}" is neither a day nor a time back.`, {
    hint: 'For example: --since 2026-01-31, --since 30d, --since 2w',
  });
}
