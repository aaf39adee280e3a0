import type { Clock } from '../core/clock.ts';

/** The clock of this machine, in the time zone of the process (TZ). */
const systemClock: Clock = {
  now: () => Date.now(),
  micros: () => Math.round(performance.now() * 1000),
  wall(at) {
    const date = new Date(at);
    return {
      year: date.getFullYear(),
      month: date.getMonth() + 1,
      day: date.getDate(),
      weekday: date.getDay(),
      hour: date.getHours(),
      minute: date.getMinutes(),
      second: date.getSeconds(),
    };
  },
  fromWall: ({ year, month, day, hour, minute }) => new Date(year, month - 1, day, hour, minute).getTime(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const finish = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, ms);
      signal?.addEventListener('abort', finish, { once: true });
    }),
};

export default systemClock;
