import { z } from 'zod';
import type { Pinning } from '../../executors/core/executor.ts';
import { MEASURES } from '../../executors/core/measures.ts';
import {
  type BackupsInput,
  duration,
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

/** What messages expect where cores are wrong. */
export const CORES = 'cores as a list such as 0-3,7 or as a mask such as 0xff';

/** A CPU list ("0-3,7", 2, [0, 1]) or a mask ("0x3"); undefined when it is neither. */
export function parseCores(cores: unknown): Pinning | undefined {
  if (typeof cores === 'number') return parseCores(String(cores));
  if (Array.isArray(cores)) return parseCores(cores.join(','));
  if (typeof cores !== 'string') return undefined;
  const text = cores.replaceAll(/\s+/g, '');
  if (/^0x0*[1-9a-f][0-9a-f]*$/i.test(text)) return { type: 'mask', mask: text };
  return text.split(',').every(isCoreRange) ? { type: 'list', cores: text } : undefined;
}

function isCoreRange(range: string): boolean {
  const match = /^(\d{1,5})(?:-(\d{1,5})(?::[1-9]\d{0,4})?)?$/.exec(range);
  return match !== null && (match[2] === undefined || Number(match[1]) <= Number(match[2]));
}

const cores = z.union([z.string(), z.number(), z.array(z.number())], { error: CORES });

/** Cores, {cores}, or false for none. */
export const pin = z
  .union(
    [
      z.literal(false),
      cores,
      z.strictObject({ cores: cores.describe('A CPU list such as 0-3,7 or a mask such as 0x3.') }),
    ],
    { error: `${CORES}, or false` },
  )
  .transform((value, context): Pinning | 'none' => {
    if (value === false) return 'none';
    const pinning = parseCores(typeof value === 'object' && 'cores' in value ? value.cores : value);
    if (pinning) return pinning;
    context.addIssue({ code: 'custom', message: CORES });
    return z.NEVER;
  });

const oneMeasure = z.enum(MEASURES);

/** What is measured of a command itself. */
export const measure = z
  .union([oneMeasure, z.array(oneMeasure)], {
    error: 'wall, cpu, instructions, cycles or cache-misses, or a list of these',
  })
  .transform((given) => (typeof given === 'string' ? [given] : [...new Set(given)]));

/** true is the CPU at the usual rate, false is nothing. */
export const telemetry = z.union(
  [
    z.boolean(),
    z.strictObject({
      cpu: z.boolean().optional().meta({ description: 'Processor, memory, sensors.', usual: true }),
      gpu: z.boolean().optional().meta({ description: 'Graphics processors.', usual: false }),
      every: duration.optional().meta({ description: 'Time between samples.', usual: '15s' }),
    }),
  ],
  { error: 'true, false, or a mapping with cpu, gpu (true or false) and every (a duration such as 15s)' },
);
