/**
 * A page opened from disk may load scripts and nothing else: documents of a static site are scripts that hand over their
 * path and a JSON text.
 */
declare global {
  var nightmarkDocument: ((path: string, text: string) => void) | undefined;
}

const waiting = new Map<string, (text: string) => void>();

/** Before the first document is loaded. */
export function takeDocuments(): void {
  globalThis.nightmarkDocument = (path, text) => waiting.get(path)?.(text);
}

/** The content of the document `path`, whose file is `place`; undefined when there is no such file. */
export function loadDocument(place: string, path: string): Promise<unknown> {
  return new Promise((done, fail) => {
    const script = document.createElement('script');
    let content: { readonly value: unknown } | undefined;
    const others = waiting.get(path);
    waiting.set(path, (text) => {
      others?.(text);
      try {
        content = { value: JSON.parse(text) };
      } catch (error) {
        fail(error);
      }
    });
    const settle = () => {
      script.remove();
      waiting.delete(path);
      done(content?.value);
    };
    script.onload = settle;
    script.onerror = settle;
    script.src = place;
    document.head.append(script);
  });
}
