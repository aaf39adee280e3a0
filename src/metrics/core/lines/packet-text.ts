import type { PacketReport } from './ingest-counters.ts';

/** All packets that did not become points, as far as the system tells. */
export function lostPackets({ lost, lostByKernel = 0 }: PacketReport): number {
  return Object.values(lost).reduce((sum, count) => sum + count, lostByKernel);
}

/** What became of packets, in a sentence. */
export function packetText(packets: PacketReport): string {
  const { isListening, lost, lostByKernel } = packets;
  if (!isListening) return 'No UDP packets are taken.';
  if (lostByKernel !== undefined && lostPackets(packets) === 0) return 'No packet was lost.';
  const kernel =
    lostByKernel === undefined
      ? 'the system does not say how many before they came here'
      : `${lostByKernel} by the system`;
  const ours = Object.entries(lost).map(([why, count]) => `${count} ${LOSSES[why] ?? why}`);
  return `Packets lost: ${[kernel, ...ours].join(', ')}.`;
}

const LOSSES: Readonly<Record<string, string>> = {
  'queue-full': 'because the queue was full',
  strict: 'for one bad line (strict)',
  'not-written': 'because they could not be written',
};
