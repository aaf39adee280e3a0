export interface PacketListenerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The bytes may be kept. */
  onPacket(bytes: Uint8Array): void;
}

/**
 * Receives packets from the network. Contract (test/contracts/listeners.test.ts):
 * 1. Every packet that arrives is passed on, whole and once, in its order. 2. A port that is in use is an error with a
 * hint. 3. Packets that the kernel dropped are counted, where the system reports them. 4. After `close` the port is free
 * and nothing more is passed on.
 */
export interface PacketListener {
  readonly port: number;
  /** Size of the receive buffer of the kernel; larger bursts fit into a larger one. */
  readonly bufferBytes: number;
  /** Packets that the kernel dropped since we listen; undefined where it does not report them. */
  lost(): Promise<number | undefined>;
  close(): Promise<void>;
}
