#!/usr/bin/env node
import { nodeContext } from './node-context.ts';
import { runCli } from './run-cli.ts';

const { context, dispose } = nodeContext(process);
process.exitCode = await runCli(process.argv.slice(2), context);
dispose();
