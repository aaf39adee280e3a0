/** `nightmark serve` says it exactly here: InfluxDB's words do not count lines that fail in two ways. */
export const REFUSED_LINES_HEADER = 'x-nightmark-refused-lines';

/**
 * How many of the lines that were sent a server of InfluxDB's kind did not take, by what it said. Of a partial write the
 * others were stored: "dropped=N" counts what was parsed and not stored; what could not be parsed is listed before it.
 */
export function refusedCount(message: string, sent: number): number {
  if (!message.startsWith('partial write: ')) return sent;
  const dropped = Number(/ dropped=(\d+)\s*$/.exec(message)?.[1] ?? 0);
  const notParsed = message.match(/(?:^partial write: |\n)unable to parse '/g)?.length ?? 0;
  return Math.min(sent, Math.max(1, dropped + notParsed));
}
