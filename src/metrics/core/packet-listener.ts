/**
 * Takes packets from the network. Contract (test/contracts/listeners.test.ts):
 * 1. Every packet that arrives is handed on, whole and once, in its order. 2. A port that is taken is told as an error
 * with a hint. 3. What the kernel threw away before we read it is counted, where the system tells. 4. After `close` the
 * port is free and nothing more is handed on.
 */
export interface PacketListeners {
  readonly id: string;
  open(options: PacketListenerOptions): Promise<PacketListener>;
}

export interface PacketListenerOptions {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  /** The bytes may be kept. */
  onPacket(bytes: Uint8Array): void;
}

export interface PacketListener {
  readonly port: number;
  /** Bytes of packets that the kernel keeps for us; more burst, less loss. */
  readonly bufferBytes: number;
  /** Packets that the kernel threw away since we listen; undefined where it does not tell. */
  lost(): Promise<number | undefined>;
  close(): Promise<void>;
}
