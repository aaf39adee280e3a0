import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';
import { matchValues } from './check-config.ts';

/** What an experiment needs of others: fields of their configurations. */
export type Prerequisites = Readonly<Record<string, JsonObject>>;

/** The state of another experiment. */
export interface ExperimentFacts {
  readonly isValid: boolean;
  readonly config: JsonObject;
  readonly isAnalyzed: boolean;
}

export interface Prerequisite {
  readonly success: boolean;
  /** "success", or the first thing that is missing. */
  readonly message: string;
}

/** Whether other experiments are active, configured as needed, and have produced their data this time. */
export async function checkPrerequisites(
  needed: Prerequisites,
  factsOf: (experiment: string) => Promise<ExperimentFacts>,
): Promise<Prerequisite> {
  for (const [name, fields] of Object.entries(needed)) {
    const message = whatIsMissing(name, fields, await factsOf(name));
    if (message !== undefined) return { success: false, message };
  }
  return { success: true, message: 'success' };
}

function whatIsMissing(name: string, fields: JsonObject, facts: ExperimentFacts): string | undefined {
  const { isValid, config, isAnalyzed } = facts;
  if (!isValid) return `Config invalid for ${name}`;
  if (config['active'] !== true) return `Required experiment ${name} not active`;
  for (const [field, value] of Object.entries(fields) as readonly [string, JsonValue][]) {
    if (!Object.hasOwn(config, field)) return `Config for experiment ${name} is missing field ${field}`;
    if (!matchValues(value, config[field])) {
      return `Config for ${name} does not match requirements for entry ${field}`;
    }
  }
  return isAnalyzed ? undefined : `${name} failed to produce analyzed data`;
}
