import type { TelemetrySwitches } from '../../core/model/home.ts';
import type { TelemetryInput } from './experiment-schema.ts';

const USUAL: TelemetrySwitches = { cpu: true, gpu: false, rateSeconds: 15 };

/** Own words before those of `defaults`, those before the usual: the CPU every 15 seconds, which costs next to nothing. */
export function toTelemetry(
  own: TelemetryInput | undefined,
  common: TelemetryInput | undefined,
): TelemetrySwitches {
  return apply(own, apply(common, USUAL));
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
