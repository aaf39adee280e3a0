import { isElsewhere, type RunPlace } from '../../../executors/core/place.ts';
import type { TelemetrySwitches } from '../../core/home.ts';
import type { TelemetryInput } from './experiment-schema.ts';

const USUAL: TelemetrySwitches = { cpu: true, gpu: false, rateSeconds: 15 };

/**
 * Own words before those of `defaults`, those before the usual: the CPU every 15 seconds, which costs next to nothing.
 * Of what runs elsewhere this machine has nothing to tell.
 */
export function toTelemetry(
  own: TelemetryInput | undefined,
  common: TelemetryInput | undefined,
  at: RunPlace | undefined,
): TelemetrySwitches {
  const usual = at && isElsewhere(at) ? { ...USUAL, cpu: false } : USUAL;
  return apply(own, apply(common, usual));
}

function apply(input: TelemetryInput | undefined, base: TelemetrySwitches): TelemetrySwitches {
  if (input === undefined) return base;
  if (input === false) return { ...base, cpu: false, gpu: false };
  if (input === true) return { ...base, cpu: true };
  return {
    cpu: input.cpu ?? base.cpu,
    gpu: input.gpu ?? base.gpu,
    rateSeconds: input.every === undefined ? base.rateSeconds : input.every / 1000,
  };
}
