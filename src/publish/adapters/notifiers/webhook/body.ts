import { textHash } from '../../../../platform/core/text/change-hash.ts';
import { cutText } from '../../../core/notices/cut-text.ts';
import type { Notice } from '../../../core/notices/notice.ts';

const LONGEST = { name: 200, title: 500, text: 20_000, fact: 4000 } as const;
const MOST = 50;

/** The documented shape: schema/notice.schema.json. */
export function webhookBody(notice: Notice) {
  const { topic, event, state, severity, at, project, runId, experiment, link } = notice;
  const title = cutText(notice.title, LONGEST.title);
  const text = cutText(notice.text, LONGEST.text);
  return {
    version: 1,
    id: textHash(JSON.stringify([topic, state, at, title, text])),
    topic,
    event,
    state,
    severity,
    at: new Date(at).toISOString(),
    project: cutText(project, LONGEST.name),
    ...(runId !== undefined && { run: runId }),
    ...(experiment !== undefined && { experiment }),
    title,
    text,
    facts: notice.facts.slice(0, MOST).map(({ name, value }) => ({
      name: cutText(name, LONGEST.name),
      value: cutText(value, LONGEST.fact),
    })),
    ...(link !== undefined && { link }),
    mentions: notice.mentions.slice(0, MOST).map((who) => cutText(who, LONGEST.name)),
  };
}
