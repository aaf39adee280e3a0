// npm start: runs a night of the example home and serves its results. Options are passed on: npm start -- --port 8080
import { spawn } from 'node:child_process';
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';

const HOME = 'demo-home';
const SOME_FAILED = 4;

if (!existsSync(HOME)) {
  // By way of another name: an interrupted copy is no home.
  rmSync(`${HOME}.tmp`, { recursive: true, force: true });
  const isMade = (path) => basename(path) === '.nightmark';
  cpSync('examples/nightly', `${HOME}.tmp`, { recursive: true, filter: (path) => !isMade(path) });
  renameSync(`${HOME}.tmp`, HOME);
  console.error(
    `Copied examples/nightly to ${HOME}; its 36 recorded nights are example data. Measuring one more:\n`,
  );
}

const night = await nightmark('run', HOME);
if (night === SOME_FAILED) {
  console.error(
    '\nExit code 4 is expected here: the experiment census fails on purpose, to show what a failure looks like.\n',
  );
} else if (night !== 0) {
  process.exit(night);
}
process.exit(await nightmark('serve', HOME, ...process.argv.slice(2)));

/** Runs the command line in the foreground; gives its exit code. */
function nightmark(...args) {
  const child = spawn(process.execPath, ['dist/src/cli/nightmark.cjs', ...args], { stdio: 'inherit' });
  // Ctrl-C reaches the child by the terminal; we wait until it has ended cleanly. Others signal only us.
  const wait = () => {};
  const passOn = () => child.kill('SIGTERM');
  process.on('SIGINT', wait).on('SIGTERM', passOn);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => {
      process.off('SIGINT', wait).off('SIGTERM', passOn);
      resolve(code ?? 1);
    });
  });
}
