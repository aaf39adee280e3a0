import type { Definition } from '../../../platform/config/definition.ts';
import { describeValue, dotted, problemAt } from '../../../platform/config/definition-problems.ts';
import type { Problem } from '../../../platform/core/errors.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { parseTemplate, type TemplateStyle } from '../../core/sweep/fill-template.ts';

/** What can be wrong with a template before it is filled. */
export function checkTemplate(
  value: JsonValue | undefined,
  { definition, path, style }: TemplatePlace,
): readonly Problem[] {
  if (value === undefined) return [];
  if (typeof value !== 'string' || value === '') {
    const message = `${dotted(path)}: expected a text with {setting} in it, found ${describeValue(value)}`;
    return [problemAt(definition, path, message)];
  }
  if (value.includes('\0'))
    return [problemAt(definition, path, `${dotted(path)}: a template cannot hold a NUL character`)];
  const template = parseTemplate(value, style);
  return typeof template === 'string' ? [problemAt(definition, path, `${dotted(path)}: ${template}`)] : [];
}

export interface TemplatePlace {
  readonly definition: Definition;
  readonly path: readonly string[];
  readonly style: TemplateStyle;
}
