import type { Notice } from './notice.ts';

/** Somebody wants to see whether a route works. */
export function rehearsalNotice(route: string, project: string, at: number): Notice {
  return {
    topic: `rehearsal:${at}`,
    event: 'rehearsal',
    state: 'rehearsal',
    severity: 'info',
    at,
    project,
    title: `This is a rehearsal of the route "${route}"`,
    text: 'Notices of nights come this way. Nothing has happened.',
    facts: [],
    mentions: [],
    charts: [],
    strength: 0,
  };
}
