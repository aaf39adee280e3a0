import type { CliContext } from '../../platform/cli/command.ts';

/** The text, or what stdin says where it is "-". */
export async function textOrStdin(text: string, { stdin }: CliContext): Promise<string> {
  if (text !== '-') return text;
  const lines: string[] = [];
  for await (const line of stdin ?? []) lines.push(line);
  return lines.join('\n');
}
