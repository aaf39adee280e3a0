import type { Payload } from '../../formats/core/kpi/kpi.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { TestPayload } from '../app/make-payloads.ts';

const MAX_LINES = 40;

/** Payloads that may be stored, and how many may not. Of two tests with one id the first is kept. */
export function splitPayloads(tests: readonly TestPayload[]): {
  readonly stored: readonly Payload[];
  readonly refused: number;
} {
  const byId = new Map<string, Payload>();
  for (const { payload, problems } of tests) {
    const id = payload.metadata.test_uuid;
    if (problems.length === 0 && !byId.has(id)) byId.set(id, payload);
  }
  return { stored: [...byId.values()], refused: tests.length - byId.size };
}

/** A line for each thing that is wrong with payloads and KPIs. */
export function describePayloadProblems(
  tests: readonly TestPayload[],
  failed: readonly { readonly location: string; readonly reason: string }[],
): string {
  const lines = failed.map(({ location, reason }) => `${location}: ${reason}`);
  const ids = new Map<string, string>();
  for (const { location, payload, values, problems } of tests) {
    const noValue = values.flatMap(({ problem }) => problem ?? []);
    // That a missing value is null is said once, with its reason.
    const others = problems.filter(
      ({ message, place }) => !(message === 'must not be null' && place.endsWith('.value')),
    );
    const wrong = others.map(({ place, message }) => `${place} ${message}`);
    const id = payload.metadata.test_uuid;
    const other = ids.get(id);
    if (other === undefined) ids.set(id, location);
    const twice = other === undefined ? [] : [`its test_uuid ${id} is that of ${other}`];
    lines.push(...[...noValue, ...wrong, ...twice].map((reason) => `${location}: ${reason}`));
  }
  const more = lines.length - MAX_LINES;
  const shown = lines.slice(0, MAX_LINES).map((line) => `${visible(line)}\n`);
  return `${shown.join('')}${more > 0 ? `and ${more} more\n` : ''}`;
}
