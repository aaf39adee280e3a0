import { z } from 'zod';
import type { Pinning } from '../../../executors/core/executor.ts';
import { duration } from '../../../platform/config/schema-fields.ts';
import { CORES, parseCores } from '../pinning.ts';

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
