import { z } from 'zod';
import type { Source } from '../../git/core/source-control.ts';
import { plainText } from '../../platform/config/schema-fields.ts';
import { baseName, resolvePath, whyInvalidName } from '../../platform/core/path.ts';

const text = plainText('a text');

/** Checkouts are kept in folders of these names. */
const sourceName = z
  .string()
  .refine((name) => whyInvalidName(name) === undefined, { error: 'a name that can be that of a folder' });

/** One repository; `ref` takes any of branch, tag and commit. */
export const source = z
  .strictObject({
    name: sourceName.optional().describe('Name in results; default: the last part of `git`.'),
    git: text.describe('URL or path of the repository.'),
    ref: text.optional().describe('Branch, tag or commit; default: the default branch.'),
    branch: text.optional().describe('Alias of `ref`.'),
    tag: text.optional().describe('Alias of `ref`.'),
    commit: text.optional().describe('Alias of `ref`.'),
    build: text.optional().describe('Command that builds a checkout, run in it.'),
    'skip-when-unchanged': z.boolean().optional().meta({
      description: 'Leave experiments out while none of their sources has a new commit.',
      usual: false,
    }),
    skip_when_unchanged: z.boolean().optional().describe('Alias of `skip-when-unchanged`.'),
    link: z
      .string()
      .regex(/^https?:\/\/\S*\{commit\}\S*$/, { error: 'an http or https address with {commit} in it' })
      .optional()
      .describe(
        'Page of a commit, such as `https://git.example.org/engine/commit/{commit}`; GitHub, GitLab, Gitea, Forgejo and Bitbucket need none.',
      ),
    keep: z.int().min(1).optional().meta({ description: 'Built checkouts kept in the cache.', usual: 5 }),
  })
  .refine(({ ref, branch, tag, commit }) => [ref, branch, tag, commit].filter(Boolean).length < 2, {
    error: 'only one of ref, branch, tag and commit',
  });

export type SourceInput = z.output<typeof source>;

/** Repositories by name. */
export const namedSources = z.record(z.string(), source).superRefine((sources, context) => {
  for (const name of Object.keys(sources)) {
    const reason = whyInvalidName(name);
    if (reason === undefined) continue;
    const message = `a source whose name can be that of a folder (${reason})`;
    context.addIssue({ code: 'custom', path: [name], message });
  }
});

/** Names of repositories of the home, or repositories of one's own. */
export const sourceList = z.union([text, z.array(z.union([text, source])), namedSources], {
  error: 'names of sources, or repositories such as {"name": {"git": "https://..."}}',
});

interface Places {
  readonly dir: string;
  readonly userHome: string;
}

export function toSource(name: string | undefined, input: SourceInput, { dir, userHome }: Places): Source {
  const ref = input.ref ?? input.branch ?? input.tag ?? input.commit;
  const git = isRemote(input.git) ? input.git : resolvePath(dir, expandTilde(input.git, userHome));
  return {
    name: input.name ?? name ?? nameOf(git),
    git,
    ...(ref === undefined ? {} : { ref }),
    ...(input.build === undefined ? {} : { build: input.build }),
    skipWhenUnchanged: input['skip-when-unchanged'] ?? input.skip_when_unchanged ?? false,
    keep: input.keep ?? 5,
    ...(input.link === undefined ? {} : { link: input.link }),
  };
}

function nameOf(git: string): string {
  const name = baseName(git).replace(/^.*:|\.git$/g, '');
  return whyInvalidName(name) === undefined ? name : 'source';
}

/** The sources of a task, or the names among them that the home does not have. */
export function toSources(
  list: z.output<typeof sourceList> | undefined,
  known: ReadonlyMap<string, Source>,
  places: Places,
): { readonly sources: readonly Source[]; readonly unknown: readonly string[] } {
  const sources: Source[] = [];
  const unknown: string[] = [];
  const take = (name: string) => {
    const source = known.get(name);
    if (source) sources.push(source);
    else unknown.push(name);
  };
  if (typeof list === 'string') take(list);
  else if (Array.isArray(list)) {
    for (const item of list) {
      if (typeof item === 'string') take(item);
      else sources.push(toSource(undefined, item, places));
    }
  } else {
    for (const [name, input] of Object.entries(list ?? {})) sources.push(toSource(name, input, places));
  }
  return { sources, unknown };
}

/** "~" and "~/x" are the user's home. */
export function expandTilde(path: string, userHome: string): string {
  return path === '~' || path.startsWith('~/') ? `${userHome}${path.slice(1)}` : path;
}

/** https://host/x.git, ssh://..., git@host:x.git; everything else is a path. */
function isRemote(git: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(git) || /^[^/\s]+:(?!\/\/)/.test(git);
}
