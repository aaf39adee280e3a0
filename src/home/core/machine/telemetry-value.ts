/** A reading as a number and the unit that was written behind it. */
export interface TelemetryNumber {
  readonly value: number;
  readonly unit: string;
}

/**
 * The number in the text of a device: "+41.5°C", "300 MHz", "41.5". A performance state ("P8") counts as its
 * number, as the old graphs drew it. Undefined for anything else: "ALARM", "N/A", "[Not Supported]", and the "0:"
 * that old recordings hold for sensors whose name has two words.
 */
export function telemetryNumber(text: string): TelemetryNumber | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH) return undefined;
  const [, number, unit = ''] = NUMBER.exec(trimmed) ?? STATE.exec(trimmed) ?? [];
  const value = Number(number);
  return number === undefined || !Number.isFinite(value) ? undefined : { value, unit };
}

/** Longer than any reading; a device's text is not ours to trust. */
const MAX_LENGTH = 64;
const NUMBER = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)\s*([^\s\d:]*)$/i;
const STATE = /^P(\d+)$/;

/** Units of the readings from /proc and /sys: the recorded JSON has no room for them. */
const PROC_UNITS: ReadonlyMap<string, string> = new Map([
  ['proc-cpu', '%'],
  ['proc-memory', 'bytes'],
  ['proc-load', ''],
  ['proc-frequency', 'MHz'],
  ['proc-pressure', '%'],
  ['proc-disk', 'bytes/s'],
  ['proc-net', 'bytes/s'],
]);

/** The unit of a group from /proc; empty for groups of other sources. */
export function procUnit(group: string): string {
  return PROC_UNITS.get(group) ?? '';
}
