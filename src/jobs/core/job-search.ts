/**
 * A search for jobs: text in their names, or an expression over their fields and configuration, as a tree
 * that runs no code. `search/parse-search.ts` parses it, `search/search-matcher.ts` evaluates it; queues may use it to read fewer jobs.
 */
export type JobSearch =
  | TextSearch
  | { readonly type: 'expression'; readonly expression: Expression }
  | { readonly type: 'all'; readonly searches: readonly JobSearch[] };

export interface TextSearch {
  readonly type: 'text';
  readonly text: string;
  readonly isPattern: boolean;
  /** Only in the name, not in experiment and description. */
  readonly isName?: true;
}

export type Expression =
  | { readonly type: 'value'; readonly value: string | number | boolean | null }
  /** A field of the job or a key of its configuration; dots lead into objects. */
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'not'; readonly of: Expression }
  | { readonly type: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | {
      readonly type: 'compare';
      readonly operator: Comparison;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly type: 'in'; readonly left: Expression; readonly values: readonly Expression[] }
  /** Whether a text includes, starts or ends with another, or a list includes an item. */
  | {
      readonly type: 'call';
      readonly method: SearchMethod;
      readonly of: Expression;
      readonly argument: Expression;
    }
  | {
      readonly type: 'arithmetic';
      readonly operator: '+' | '-' | '*' | '/' | '%';
      readonly left: Expression;
      readonly right: Expression;
    };

/** `~` and `!~` match a regular expression. */
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | '~' | '!~';

export const SEARCH_METHODS = ['includes', 'startsWith', 'endsWith'] as const;
export type SearchMethod = (typeof SEARCH_METHODS)[number];
