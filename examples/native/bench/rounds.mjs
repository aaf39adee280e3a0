import { performance } from 'node:perf_hooks';

/** Times each case once a round after two rounds of warm-up; gives [{ name, seconds: [...] }]. */
export function timeRounds(cases, rounds) {
  const results = Object.keys(cases).map((name) => ({ name, seconds: [] }));
  for (let round = -2; round < rounds; round++) {
    for (const { name, seconds } of results) {
      const start = performance.now();
      cases[name]();
      const elapsed = (performance.now() - start) / 1000;
      if (round >= 0) seconds.push(elapsed);
    }
  }
  return results;
}
