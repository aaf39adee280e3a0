import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { SlackMessage } from '../../../publish/core/notices/notifier.ts';
import { shorten } from './shorten.ts';
import { attachment, field, GREY, harmless, pings, RED } from './slack-parts.ts';

/** How an experiment ended, for the message about all of them. */
export type ExperimentOutcome =
  | { readonly state: 'inactive' | 'skipped'; readonly title: string }
  | ExperimentFailure
  | {
      readonly state: 'succeeded';
      /** Of the summary. */
      readonly title: string;
      readonly value: string;
      readonly duration: string;
    };

export interface ExperimentFailure {
  readonly state: 'failed';
  readonly title: string;
  readonly stage: string;
  readonly message: string;
  /** Absent: it did not come to a run. */
  readonly duration?: string;
  /** Absent: its configuration names nobody; an empty list is shown as one. */
  readonly notify?: readonly string[];
}

export interface ExperimentMessageParts {
  readonly description: string;
  readonly outcomes: readonly ExperimentOutcome[];
  /** Titles of those whose graphs could not be drawn. */
  readonly unvisualized: readonly string[];
}

const LONGEST = 280;

/** The results of a night, also where there are none. */
export function experimentMessage({
  description,
  outcomes,
  unvisualized,
}: ExperimentMessageParts): SlackMessage {
  const titles = (state: 'inactive' | 'skipped') =>
    outcomes.filter((it) => it.state === state).map(({ title }) => title);
  const attachments: JsonObject[] = [];
  const good = outcomes.flatMap((it) =>
    it.state === 'succeeded' ? [field(`_Duration: ${it.duration}_\n\n${it.value}`, it.title)] : [],
  );
  const bad = outcomes.flatMap((it) => (it.state === 'failed' ? [failureField(it)] : []));
  if (good.length > 0) attachments.push(attachment({ title: 'Successful benchmarks', fields: good }));
  if (bad.length > 0) attachments.push(attachment({ color: RED, title: 'Failed benchmarks', fields: bad }));
  const lists = [
    { color: GREY, title: 'Inactive benchmarks', names: titles('inactive') },
    { color: GREY, title: 'Skipped benchmarks', names: titles('skipped') },
    { color: RED, title: 'Failed to Visualize', names: unvisualized },
  ];
  for (const { color, title, names } of lists) {
    if (names.length > 0) attachments.push(attachment({ color, title, text: names.join(', ') }));
  }
  const text = `*Dashboard Results*${description === '' ? '' : `\n${harmless(description)}`}`;
  return { text, attachments };
}

function failureField({ title, stage, message, duration, notify }: ExperimentFailure): JsonObject {
  const lines = [`Failed at stage ${stage}:`, shorten(message, LONGEST)];
  if (duration !== undefined) lines.push(`Time to failure: ${duration}`);
  if (notify !== undefined) lines.push(`ATTN: ${pings(notify)}`);
  return field(lines.join('\n'), title);
}
