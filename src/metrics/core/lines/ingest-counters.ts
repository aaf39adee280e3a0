import type { RefusedLine, Written } from '../points/point-reader.ts';

export type IngestSource = 'http' | 'udp';

/** Why whole packets were lost: full queue, one bad line in strict mode, a failed write. */
export type PacketLoss = 'queue-full' | 'strict' | 'not-written';

/** Received, refused and lost since the server started. */
export interface IngestReport {
  readonly sources: Readonly<Record<IngestSource, SourceReport>>;
  /** By reason, over all sources. */
  readonly refused: Readonly<Record<string, number>>;
  readonly packets: PacketReport;
  /** The newest refusals, newest first. */
  readonly latest: readonly (RefusedLine & { readonly source: IngestSource; readonly at: number })[];
}

export interface SourceReport {
  /** Requests or packets. */
  readonly messages: number;
  readonly bytes: number;
  readonly lines: number;
  readonly values: number;
  readonly refusedLines: number;
}

export interface PacketReport {
  readonly isListening: boolean;
  /** Lost before they reached us, as the kernel counts them; absent where it does not report them. */
  readonly lostByKernel?: number;
  readonly lost: Readonly<Partial<Record<PacketLoss, number>>>;
}

type Counts = { -readonly [Key in keyof SourceReport]: SourceReport[Key] };

const LATEST = 20;
const none = (): Counts => ({ messages: 0, bytes: 0, lines: 0, values: 0, refusedLines: 0 });

/** Counts everything that is received, so that nothing is refused or lost silently. */
export class IngestCounters {
  readonly #sources = { http: none(), udp: none() };
  readonly #reasons = new Map<string, number>();
  readonly #lost: Partial<Record<PacketLoss, number>> = {};
  #latest: IngestReport['latest'] = [];

  countMessage(source: IngestSource, bytes: number): void {
    this.#sources[source].messages++;
    this.#sources[source].bytes += bytes;
  }

  /** Lines that were parsed; each only once. */
  countLines(source: IngestSource, written: Written, at: number): void {
    const counts = this.#sources[source];
    counts.lines += written.lines;
    counts.values += written.values;
    if (written.refusedLines === 0) return;
    counts.refusedLines += written.refusedLines;
    for (const [reason, count] of Object.entries(written.reasons ?? reasonsOf(written))) {
      this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + count);
    }
    const newest = written.refused.slice(-LATEST).map((line) => ({ ...line, source, at }));
    this.#latest = [...newest.reverse(), ...this.#latest].slice(0, LATEST);
  }

  countLost(why: PacketLoss, packets = 1): void {
    this.#lost[why] = (this.#lost[why] ?? 0) + packets;
  }

  report(listener: Pick<PacketReport, 'isListening' | 'lostByKernel'>): IngestReport {
    const { http, udp } = this.#sources;
    const refused = Object.fromEntries([...this.#reasons].sort(([a], [b]) => (a < b ? -1 : 1)));
    const packets = { ...listener, lost: { ...this.#lost } };
    return { sources: { http: { ...http }, udp: { ...udp } }, refused, packets, latest: this.#latest };
  }
}

function reasonsOf({ refused, refusedLines }: Written): Record<string, number> {
  const reasons: Record<string, number> = {};
  for (const { reason } of refused) reasons[reason] = (reasons[reason] ?? 0) + 1;
  if (refusedLines > refused.length) reasons['more'] = refusedLines - refused.length;
  return reasons;
}

/** All packets that did not become points, as far as the system reports them. */
export function countLostPackets({ lost, lostByKernel = 0 }: PacketReport): number {
  return Object.values(lost).reduce((sum, count) => sum + count, lostByKernel);
}

/** Lost packets, in a sentence. */
export function packetLossText(packets: PacketReport): string {
  const { isListening, lost, lostByKernel } = packets;
  if (!isListening) return 'No UDP packets are taken.';
  if (lostByKernel !== undefined && countLostPackets(packets) === 0) return 'No packet was lost.';
  const kernel =
    lostByKernel === undefined
      ? 'the system does not report how many of them it lost'
      : `${lostByKernel} by the system`;
  const ours = Object.entries(lost).map(([why, count]) => `${count} ${LOSSES[why] ?? why}`);
  return `Packets lost: ${[kernel, ...ours].join(', ')}.`;
}

const LOSSES: Readonly<Record<string, string>> = {
  'queue-full': 'because the queue was full',
  strict: 'for one bad line (strict)',
  'not-written': 'because they could not be written',
};
