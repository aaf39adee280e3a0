// The end of a run: what failed, what was slow, and how many tests there were.
const SHOWN = 10;

/** @param results what runJob gave. @param seconds of the whole run. */
export function summarize(results, seconds) {
  const failures = results.flatMap((result) => result.failures);
  const unsteady = results.flatMap((result) => (result.failures.length === 0 ? (result.unsteady ?? []) : []));
  const isGreen =
    failures.length === 0 && results.every(({ counts }) => counts.fail + counts.cancelled === 0);
  const kinds = Object.keys(results[0].counts);
  const sum = (kind) => results.reduce((total, { counts }) => total + counts[kind], 0);
  const blocks = [
    failures.length === 0 ? [] : ['Failed (told in full above):', ...failures.map(failureLine)],
    unsteady.length === 0
      ? []
      : ['Unsteady: failed beside others, passed alone (told in full above):', ...unsteady.map(failureLine)],
    ['The slowest:', ...slowest(results)],
    [...kinds.map((kind) => `ℹ ${kind} ${sum(kind)}`), `ℹ duration_ms ${Math.round(seconds * 1000)}`],
  ];
  const text = blocks.filter((lines) => lines.length > 0).map((lines) => `\n${lines.join('\n')}\n`);
  return { text: text.join(''), isGreen };
}

function failureLine({ name, file, line, said = '' }) {
  const head = `✖ ${file}${line === undefined ? '' : `:${line}`}  ${name}`;
  return said === '' ? head : `${head}\n${said.replace(/^/gm, '    ')}`;
}

function slowest(results) {
  return [...results]
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SHOWN)
    .map(({ files, seconds, cpu }) => {
      const title = files.length === 1 ? files[0] : `${files[0]} and ${files.length - 1} more`;
      return `${seconds.toFixed(1).padStart(7)} s${cpu === undefined ? '' : `, ${cpu.toFixed(1)} s of CPU`}  ${title}`;
    });
}
