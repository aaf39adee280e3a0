import type { Command, OutputListener } from '../../core/executor.ts';
import type { LauncherReply } from './launcher-messages.ts';

/** Above the first, programs are held back; below the second they go on. */
const MOST_BYTES = 4 * 1024 * 1024;
const FEW_BYTES = 1024 * 1024;

let bytesUnderWay = 0;
let heldBack: (() => void)[] = [];

/** The command with a listener that sends its output to the process that asked for the command. */
export function withOutputSent(id: number, command: Command): Command {
  const onOutput: OutputListener = (stream, bytes) => {
    if (!process.connected) return undefined;
    const base64 = Buffer.from(bytes).toString('base64');
    bytesUnderWay += bytes.length;
    process.send?.({ type: 'output', id, stream, base64 } satisfies LauncherReply, () => {
      bytesUnderWay -= bytes.length;
      if (bytesUnderWay > FEW_BYTES) return;
      for (const goOn of heldBack) goOn();
      heldBack = [];
    });
    if (bytesUnderWay <= MOST_BYTES) return undefined;
    return new Promise((resolve) => heldBack.push(resolve));
  };
  return { ...command, onOutput };
}
