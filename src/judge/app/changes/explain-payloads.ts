import type { Payload } from '../../../formats/core/kpi/kpi.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { Fact, FactGroup } from '../../core/explain/explanation.ts';
import { settingFacts } from '../../core/explain/flat-facts.ts';
import type { ExplainEffects } from './explain-effects.ts';
import type { FactRequest, GatheredFacts } from './explain-runs.ts';

/** Documents that are looked through for the tests of a series; one test gives one. */
const MAX_PAYLOADS = 10_000;

/** Facts of tests of a matrix: settings and further metadata of their payloads. */
export async function payloadFacts(
  { runIds }: FactRequest,
  { store }: ExplainEffects,
): Promise<GatheredFacts> {
  const wanted = new Set(runIds);
  const found = new Map<string, readonly Fact[]>();
  for (const payload of await store.payloads({ limit: MAX_PAYLOADS })) {
    const id = payload.metadata.test_uuid;
    if (wanted.has(id)) found.set(id, documentFacts(payload));
  }
  const missing = wanted.size - found.size;
  return {
    facts: runIds.map((id) => found.get(id) ?? []),
    notes: missing === 0 ? [] : [`${missing} of ${wanted.size} tests have no document any more.`],
  };
}

/** Settings and further metadata of one test. */
export function documentFacts({ metadata }: Payload): readonly Fact[] {
  const { settings, start: _, end: _end, test_uuid: _id, ...more } = metadata;
  const rest = Object.fromEntries(
    Object.entries(more).filter((field): field is [string, JsonValue] => field[1] !== undefined),
  );
  // Documents of old stores were checked by nobody.
  const own = isJsonObject(settings) ? settings : {};
  return [...grouped(own, 'setting'), ...grouped(rest, 'environment')];
}

function grouped(object: JsonObject, group: FactGroup): readonly Fact[] {
  return settingFacts(object, group).map((fact) =>
    /version|image|digest|build|commit|sha\b/i.test(fact.name) ? { ...fact, group: 'version' } : fact,
  );
}
