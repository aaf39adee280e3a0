import { nodeContext } from './node-context.ts';
import { runCli } from './run-cli.ts';

// No await at the top: the program is bundled as CommonJS, which has none.
const { context, dispose } = nodeContext(process);
void runCli(process.argv.slice(2), context).then((exitCode) => {
  process.exitCode = exitCode;
  dispose();
});
