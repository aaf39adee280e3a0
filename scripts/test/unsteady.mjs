// Tests that are known to fail now and then stand in test/unsteady.json. They run like all others and are listed at the end, and
// one that fails does not fail the run. The list cannot rot: an entry of no test fails the run, and so does one of 60 days.
import { existsSync, readFileSync } from 'node:fs';

const LIST = 'test/unsteady.json';
const MOST_DAYS = 60;

/**
 * @param results what runJob gave.
 * @returns the failures of tests that are not listed, how the listed ones ended, and what is wrong with the list.
 */
export function sortOut(results) {
  const entries = existsSync(LIST) ? JSON.parse(readFileSync(LIST, 'utf8')) : [];
  const tests = results.flatMap((result) => result.tests);
  const isRun = (file) => results.some(({ files }) => files.includes(compiled(file)));
  return {
    failures: results
      .flatMap((result) => result.failures)
      .filter((failure) => !entries.some((entry) => isOf(entry, failure))),
    listed: entries.flatMap((entry) =>
      tests.filter((test) => isOf(entry, test)).map(({ ended }) => outcomeLine(entry, ended)),
    ),
    wrong: entries.flatMap((entry) => {
      const isThere = !isRun(entry.file) || tests.some((test) => isOf(entry, test));
      const problem = problemOf(entry) ?? (isThere ? undefined : 'there is no such test');
      return problem === undefined ? [] : [`✖ ${entry.file}  ${entry.test}: ${problem}`];
    }),
  };
}

const SAID = { pass: '✔ passed', fail: '✖ failed' };

function outcomeLine({ file, test, since, reason }, ended) {
  return `${SAID[ended] ?? ended}: ${file}  ${test} (since ${since}: ${reason})`;
}

function problemOf({ file, since, reason }) {
  const days = /^\d{4}-\d\d-\d\d$/.test(since) ? (Date.now() - Date.parse(since)) / 86_400_000 : Number.NaN;
  if (!(days >= 0)) return `"since" is no day of the past: ${since}`;
  if (days > MOST_DAYS) return `listed since ${since}, more than ${MOST_DAYS} days: mend the test`;
  if (!reason) return 'there is no "reason"';
  return existsSync(file) ? undefined : 'there is no such file';
}

/** An entry has the file of the source, and the name as a run prints it: "outer > inner". */
function isOf(entry, { file, name }) {
  return compiled(entry.file) === file && entry.test === name;
}

function compiled(file) {
  return String(file).replace(/\.ts$/, '.js');
}
