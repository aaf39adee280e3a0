import { NightmarkError } from '../../platform/core/errors.ts';
import { whyInvalidName } from '../../platform/core/path.ts';
import type { Source } from '../core/source-control.ts';
import { withoutSecrets } from './shell.ts';

/** Refuses a name, address or revision that git would take for something else. */
export function checkSource({ name, git, ref }: Source): void {
  const badName = whyInvalidName(name) ?? (name.startsWith('.') ? 'it starts with "."' : undefined);
  if (badName)
    refuse(`A source cannot be named ${JSON.stringify(name)}: ${badName}.`, 'Give it a plain name.');

  const badUrl = whyNotARepository(git);
  if (badUrl)
    refuse(
      `The source ${name} cannot be fetched from ${JSON.stringify(withoutSecrets(git))}: ${badUrl}.`,
      'Use a path, or a URL that begins with https://, ssh:// or file://.',
    );

  const badRef = ref === undefined ? undefined : whyNotARef(ref);
  if (badRef)
    refuse(
      `The source ${name} has no revision ${JSON.stringify(ref)}: ${badRef}.`,
      'Name a branch, a tag or a commit; leave ref out for the default branch.',
      'SOURCE_REF_UNKNOWN',
    );
}

/** A repository on this machine: a path or a file:// URL. */
export function isLocal(git: string): boolean {
  return git.startsWith('file://') || (!git.includes('://') && !/^[^/]+:/.test(git));
}

function whyNotARepository(git: string): string | undefined {
  if (git.trim() === '') return 'it is empty';
  if (git.startsWith('-')) return 'it starts with "-" and would be an option of git';
  if (hasControlCharacter(git)) return 'it contains a control character';
  const transport = /^([a-z0-9+.-]+)::/i.exec(git)?.[1];
  if (transport) return `the transport "${transport}::" may start programs`;
  if (isLocal(git) && !/^(\/|file:\/\/)/.test(git)) return 'the path is not absolute';
  return undefined;
}

/** The rules of "git help check-ref-format" that keep a name from being taken for something else. */
function whyNotARef(ref: string): string | undefined {
  if (ref === '') return 'it is empty';
  if (ref.startsWith('-')) return 'it starts with "-" and would be an option of git';
  if (hasControlCharacter(ref)) return 'it contains a control character';
  const bad = /\.\.|@\{|\/\/|[ ~^:?*[\\]/.exec(ref)?.[0];
  return bad === undefined ? undefined : `it contains "${bad}"`;
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((character) => character < ' ' || character === '\x7f');
}

function refuse(message: string, hint: string, code = 'SOURCE_INVALID'): never {
  throw new NightmarkError(code, message, { hint });
}
