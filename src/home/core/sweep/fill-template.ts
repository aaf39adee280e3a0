import type { JsonValue } from '../../../platform/core/text/json.ts';
import { followQuotes } from '../../../platform/core/text/shell.ts';
import { settingText } from '../../../platform/core/text/text-order.ts';

/** The original's templates are Python's ({{ is a brace); ours leave all braces alone that are not around a name. */
export type TemplateStyle = 'benchmark' | 'native';

export type Template = readonly TemplatePart[];
type TemplatePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'setting'; readonly name: string };

export type Filled =
  | { readonly state: 'filled'; readonly text: string }
  | { readonly state: 'missing'; readonly name: string };

/** The text of a setting of a test. */
export type TextOf = (name: string) => string | undefined;

/** Takes a template apart; a text says why it is invalid. */
export function parseTemplate(text: string, style: TemplateStyle): Template | string {
  return style === 'native' ? parseNative(text) : parsePython(text);
}

export function fillTemplate(template: Template, textOf: TextOf): Filled {
  return fill(template, textOf, { pass: () => {}, quote: (value) => value });
}

/** As fillTemplate, for a text that a shell runs: each value stays one argument, whatever is in it. */
export function fillCommand(template: Template, textOf: TextOf): Filled {
  return fill(template, textOf, followQuotes());
}

/** The value of a setting in a template: as Python writes it in the original's files, as YAML does in ours. */
export function templateText(value: JsonValue, style: TemplateStyle): string {
  if (style === 'benchmark' || typeof value === 'string') return settingText(value);
  return value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function fill(template: Template, textOf: TextOf, quotes: ReturnType<typeof followQuotes>): Filled {
  let text = '';
  for (const part of template) {
    if (part.type === 'text') {
      quotes.pass(part.text);
      text += part.text;
      continue;
    }
    const value = textOf(part.name);
    if (value === undefined) return { state: 'missing', name: part.name };
    text += quotes.quote(value);
  }
  return { state: 'filled', text };
}

const NATIVE = /\{(\{[@A-Za-z_][\w.-]*\})\}|(?<!\$)\{([@A-Za-z_][\w.-]*)\}/g;

/** {name} is a setting, {{name}} the text {name}; ${name}, { list; } and {print $1} belong to the shell. */
function parseNative(text: string): Template {
  const parts: TemplatePart[] = [];
  let from = 0;
  for (const match of text.matchAll(NATIVE)) {
    parts.push({ type: 'text', text: text.slice(from, match.index) + (match[1] ?? '') });
    if (match[2] !== undefined) parts.push({ type: 'setting', name: match[2] });
    from = match.index + match[0].length;
  }
  return [...parts, { type: 'text', text: text.slice(from) }];
}

function parsePython(text: string): Template | string {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (const match of text.matchAll(/\{\{|\}\}|\{([^{}]*)\}|[{}]/g)) {
    parts.push({ type: 'text', text: text.slice(at, match.index) });
    at = match.index + match[0].length;
    if (match[0] === '{{' || match[0] === '}}') parts.push({ type: 'text', text: match[0].slice(1) });
    else if (match[1] === undefined)
      return `a single "${match[0]}" stands for nothing; for the character write it twice`;
    else if (!/^[^\s!:.[\]]+$/.test(match[1]) || /^\d+$/.test(match[1]))
      return `"${match[0]}" is more than the name of a setting; only {name} can be used`;
    else parts.push({ type: 'setting', name: match[1] });
  }
  return [...parts, { type: 'text', text: text.slice(at) }];
}
