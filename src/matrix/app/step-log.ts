import type { JournalFile } from '../../platform/core/disk.ts';

/** The log of one step, which remembers what the summary needs of it. */
export interface StepLog {
  /** What the command gives as its result. */
  result(text: string): void;
  /** What it says beside. */
  talk(text: string): void;
  /** Whether an error of this code was told. */
  hasCode(code: string): boolean;
  firstError(): string | undefined;
  /** Everything from the first error on. */
  failure(): string;
  /** Of the results: a command that judges says its verdict first. */
  firstResult(): string;
  /** Of the results, or of what was said beside where there are none. */
  lastLine(): string;
  close(): void;
}

/** Of what follows an error; the log has all of it. */
const MAX_FAILURE = 64 * 1024;

export function createStepLog(file: JournalFile): StepLog {
  let failure = '';
  let firstResult = '';
  let lastResult = '';
  let lastTalk = '';
  let line = '';
  const codes = new Set<string>();
  const take = (whole: string) => {
    const code = /^\s*\[([A-Z]+_[A-Z_]+)\]$/.exec(whole)?.[1];
    if (code !== undefined) codes.add(code);
    const isFailing = failure !== '' || /^(?:ERROR|FAILED:|Traceback|error:|This is a bug)/.test(whole);
    if (isFailing && failure.length < MAX_FAILURE) failure += `${whole}\n`;
  };
  const write = (text: string) => {
    file.append(text);
    const lines = `${line}${text}`.split('\n');
    line = lines.pop() ?? '';
    for (const whole of lines) take(whole);
  };
  return {
    talk(text) {
      write(text);
      lastTalk = text.trimEnd().split('\n').at(-1) || lastTalk;
    },
    result(text) {
      write(text);
      firstResult ||= text.split('\n', 1)[0] ?? '';
      lastResult = text.trimEnd().split('\n').at(-1) || lastResult;
    },
    hasCode: (code) => codes.has(code),
    firstError: () => failure.split('\n', 1)[0]?.replace(/^(?:ERROR \| |error: |FAILED: )/, '') || undefined,
    failure: () => failure,
    firstResult: () => firstResult,
    lastLine: () => lastResult || lastTalk,
    close: () => file.close(),
  };
}
