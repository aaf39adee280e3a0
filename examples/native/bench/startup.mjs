// Prints what "hyperfine --export-json" writes, measured here so that the example needs nothing installed.
import { spawnSync } from 'node:child_process';
import { timeRounds } from './rounds.mjs';

const commands = { 'node -e 0': [process.execPath, '-e', '0'], 'bash -c :': ['bash', '-c', ':'] };
const cases = Object.entries(commands).map(([name, [program, ...args]]) => [
  name,
  () => {
    const { status, error } = spawnSync(program, args, { stdio: 'ignore' });
    if (status !== 0) throw error ?? new Error(`${name} ended with ${status}.`);
  },
]);
const results = timeRounds(Object.fromEntries(cases), 6).map(({ name, seconds }) => ({
  command: name,
  mean: seconds.reduce((sum, value) => sum + value, 0) / seconds.length,
  times: seconds,
  exit_codes: seconds.map(() => 0),
}));
console.log(JSON.stringify({ results }, null, 2));
