import type { Notice } from '../../../core/notices/notice.ts';
import { textHash } from '../../../core/text/text-hash.ts';

const LONGEST = { title: 500, text: 20_000, fact: 4000 } as const;

/** The documented shape: schema/notice.schema.json. */
export function webhookBody(notice: Notice) {
  const { topic, event, state, severity, at, project, runId, experiment, link } = notice;
  const title = cut(notice.title, LONGEST.title);
  const text = cut(notice.text, LONGEST.text);
  return {
    version: 1,
    id: textHash(JSON.stringify([topic, state, at, title, text])),
    topic,
    event,
    state,
    severity,
    at: new Date(at).toISOString(),
    project,
    ...(runId !== undefined && { run: runId }),
    ...(experiment !== undefined && { experiment }),
    title,
    text,
    facts: notice.facts.map(({ name, value }) => ({ name, value: cut(value, LONGEST.fact) })),
    ...(link !== undefined && { link }),
    mentions: notice.mentions,
  };
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 6)} [...]`;
}
