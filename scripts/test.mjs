// Runs the compiled tests. Node 20 has no globs for --test, Node 22 no folders: we list the files.
// Usage: node scripts/test.mjs [part of a file name] [--integration]
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

const only = process.argv[2] ?? '';
const files = readdirSync('dist', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js') && file.includes(only))
  .filter((file) => existsSync(file.replace(/\.js$/, '.ts'))) // left over from an earlier build
  .map((file) => `dist/${file}`);

if (files.length === 0) throw new Error(`No compiled test matches "${only}". Run "npm run build" first.`);
const node = spawnSync(process.execPath, ['--test', '--test-reporter=spec', ...files], { stdio: 'inherit' });
process.exit(node.status ?? 1);
