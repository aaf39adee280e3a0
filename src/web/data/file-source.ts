import { documentFile } from '../../core/site/document-file.ts';
import { type Source, SourceProblem } from './source.ts';

/**
 * Documents of a static site: each is a small script that hands over its text, as a page opened from disk may load
 * scripts and nothing else.
 */
export const fileSource: Source = {
  isLive: false,
  async json(path, signal) {
    const text = await loadScript(documentFile(path), signal);
    return JSON.parse(text);
  },
  async bytes() {
    throw new SourceProblem('The static site has no single points.', {
      hint: 'The server of the home has them.',
    });
  },
  async change() {
    throw new SourceProblem('Nothing can be changed in the static site.', {
      hint: 'Ask the server of the home.',
    });
  },
};

declare global {
  /** Called by the files of a site: name of the file, text of the document. */
  var nightmarkDocument: ((file: string, text: string) => void) | undefined;
}

const arrived = new Map<string, string>();
globalThis.nightmarkDocument = (file, text) => {
  arrived.set(file, text);
};

function loadScript(file: string, signal: AbortSignal): Promise<string> {
  const known = arrived.get(file);
  if (known !== undefined) return Promise.resolve(known);
  return new Promise((done, fail) => {
    const script = document.createElement('script');
    script.src = file;
    script.onload = () => {
      script.remove();
      const text = arrived.get(file);
      if (text === undefined) fail(notPublished(file));
      else done(text);
    };
    script.onerror = () => {
      script.remove();
      fail(notPublished(file));
    };
    signal.addEventListener('abort', () => fail(new SourceProblem('No longer needed.')));
    document.head.append(script);
  });
}

function notPublished(file: string): SourceProblem {
  return new SourceProblem('This was not published.', {
    status: 404,
    hint: `The site has no "${file}": it was left out to keep the site small, or was removed since.`,
  });
}
