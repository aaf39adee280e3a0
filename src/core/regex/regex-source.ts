import { RegexProblem } from './regex-node.ts';

/** Walks over the characters of an expression. */
export class RegexSource {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  startsWith(part: string): boolean {
    return this.text.startsWith(part, this.at);
  }

  take(part: string): boolean {
    if (!this.startsWith(part)) return false;
    this.at += part.length;
    return true;
  }

  /** A sticky pattern of ours; what it finds is taken. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at += found[0].length;
    return found ?? undefined;
  }

  /** A whole character, and its code point. */
  next(): number {
    const code = this.text.codePointAt(this.at);
    if (code === undefined) throw new RegexProblem('unexpected end', this.text);
    this.at += code > 0xffff ? 2 : 1;
    return code;
  }

  since(start: number): string {
    return this.text.slice(start, this.at);
  }
}
