import {
  type BackupsInput,
  type KeepRuleInput,
  type Limit,
  type RetentionInput,
  STAGES,
  type TimeoutInput,
} from '../../platform/config/schema-fields.ts';
import type { BackupPolicy, KeepRule, Retention, StageName, Task } from '../core/home.ts';

const DEFAULT_TIMEOUT_MS = 86_400_000;

/** A limit for each stage of a task: its own, else that of all tasks, else a day. No entry means no limit. */
export function toTimeouts(
  kind: Task['kind'],
  own: TimeoutInput | undefined,
  common: TimeoutInput | undefined,
): Task['timeoutMs'] {
  const stages: readonly StageName[] = kind === 'experiment' ? STAGES : ['run'];
  const limits = stages.map((stage): [StageName, Limit] => [
    stage,
    limitFor(stage, own) ?? limitFor(stage, common) ?? DEFAULT_TIMEOUT_MS,
  ]);
  return Object.fromEntries(limits.filter(([, limit]) => limit !== 'none'));
}

export function toBackups({ before = true, after = true }: BackupsInput = {}): BackupPolicy {
  return { before, after };
}

export function toRetention(input: RetentionInput = {}, defaults: Partial<Retention> = {}): Retention {
  return {
    backups: toKeepRule(input.backups) ?? defaults.backups ?? {},
    raw: toKeepRule(input.raw) ?? defaults.raw ?? {},
    logs: toKeepRule(input.logs) ?? defaults.logs ?? {},
  };
}

function limitFor(stage: StageName, timeout: TimeoutInput | undefined): Limit | undefined {
  return typeof timeout === 'object' ? timeout[stage] : timeout;
}

function toKeepRule(input: KeepRuleInput | undefined): KeepRule | undefined {
  if (input === undefined) return undefined;
  if (typeof input === 'number') return { ageMs: input };
  const count = input.count ?? input.keep;
  return {
    ...(count === undefined ? {} : { count }),
    ...(input.age === undefined ? {} : { ageMs: input.age }),
  };
}
