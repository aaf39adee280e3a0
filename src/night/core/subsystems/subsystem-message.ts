import type { JsonObject } from '../../../platform/core/text/json.ts';
import type { SlackMessage } from '../../../publish/core/notices/notifier.ts';
import { shorten } from './shorten.ts';
import { attachment, field, RED } from './slack-parts.ts';

/** What a subsystem has to say, or that it failed. */
export type SubsystemOutcome =
  | { readonly state: 'reported'; readonly title: string; readonly value: string }
  | { readonly state: 'failed'; readonly name: string; readonly message: string }
  /** Its report.json cannot be used. */
  | { readonly state: 'malformed'; readonly name: string };

const LONGEST = 280;

/** The reports of the other subsystems; undefined when none has anything to say. */
export function subsystemMessage(outcomes: readonly SubsystemOutcome[]): SlackMessage | undefined {
  const reports = outcomes.flatMap((it) => (it.state === 'reported' ? [field(it.value, it.title)] : []));
  const failures = outcomes.flatMap((it) =>
    it.state === 'failed' ? [field(`Failed to run:\n${shorten(it.message, LONGEST)}`, it.name)] : [],
  );
  const malformed = outcomes.flatMap((it) => (it.state === 'malformed' ? [it.name] : []));
  const attachments: JsonObject[] = [];
  if (reports.length > 0) attachments.push(attachment({ title: 'Reports', fields: reports }));
  if (failures.length + malformed.length > 0) {
    const text = malformed.length === 0 ? '' : `Failed to parse reports: ${malformed.join(', ')}`;
    attachments.push(attachment({ color: RED, title: 'Errors', fields: failures, text }));
  }
  return attachments.length === 0 ? undefined : { text: 'Subsystem Results', attachments };
}
