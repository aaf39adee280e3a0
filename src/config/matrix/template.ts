import { parseTemplate, type TemplateStyle } from '../../core/matrix/fill-template.ts';
import type { Problem } from '../../core/model/home.ts';
import type { JsonValue } from '../../core/text/json.ts';
import type { Definition } from '../definition.ts';
import { describeValue, dotted, problemAt } from '../issues.ts';

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
