import type { Problem } from '../core/errors.ts';
import { isInside } from '../core/path.ts';

/** A problem of a definition as a line that terminals and editors know, and its hint below. */
export function describeProblem(
  { severity, file, line, column, message, hint }: Problem,
  cwd: string,
): string {
  const place = line === undefined ? nearPath(file, cwd) : `${nearPath(file, cwd)}:${line}:${column ?? 1}`;
  const advice = hint === undefined ? '' : `    ${oneLine(hint)}\n`;
  return `${place}: ${severity}: ${oneLine(message)}\n${advice}`;
}

/** A name with a newline or a control character must not break the line or the terminal. */
function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
}

function nearPath(file: string, cwd: string): string {
  const near = file !== cwd && isInside(file, cwd) ? file.slice(cwd === '/' ? 1 : cwd.length + 1) : file;
  return oneLine(near);
}
