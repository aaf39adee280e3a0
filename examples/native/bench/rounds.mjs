import { performance } from 'node:perf_hooks';

/** Times each case once a round after two rounds of warm-up; gives [{ name, seconds: [...], cpuSeconds: [...] }]. */
export function timeRounds(cases, rounds) {
  const results = Object.keys(cases).map((name) => ({ name, seconds: [], cpuSeconds: [] }));
  for (let round = -2; round < rounds; round++) {
    for (const { name, seconds, cpuSeconds } of results) {
      const cpuStart = process.cpuUsage();
      const start = performance.now();
      cases[name]();
      const elapsed = (performance.now() - start) / 1000;
      const { user, system } = process.cpuUsage(cpuStart);
      if (round < 0) continue;
      seconds.push(elapsed);
      cpuSeconds.push((user + system) / 1e6);
    }
  }
  return results;
}
