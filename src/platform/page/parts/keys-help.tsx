import { useEffect, useRef } from 'preact/hooks';

const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['?', 'show or close this list'],
  ['/', 'go to the search of the page'],
  ['j k ↓ ↑', 'next and previous row of the table; Page Up, Page Down, Home and End too'],
  ['Enter', 'open the row'],
  ['Esc', 'leave a search, close a list or a dialog'],
  ['c', 'in Runs: choose a run, then another one, to compare them'],
  ['x', 'in Changes and Jobs: select the row'],
  ['c e f n u', 'in Changes: confirmed, expected, false, a note, take back'],
  ['Tab', 'everything else that can be reached'],
];

/** The list of keys, shown by "?", and the keys that every page has. */
export function KeysHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const toggle = () => (dialog.current?.open ? dialog.current.close() : dialog.current?.showModal());
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (key === 'Escape' && isSearch(target)) target.blur();
      else if (isTyping(target)) return;
      else if (key === '?') toggle();
      else if (key === '/') focusFirst('main input[type=search]');
      else if ((key === 'j' || key === 'k') && target === document.body) forwardToTable(event);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return (
    <>
      <button type="button" class="plain link" onClick={toggle}>
        Keys (?)
      </button>
      <dialog ref={dialog} class="keys-help" aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        <dl>
          {KEYS.map(([keys, meaning]) => (
            <div key={keys + meaning}>
              <dt>
                {keys.split(' ').map((one) => (
                  <kbd key={one}>{one}</kbd>
                ))}
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </dialog>
    </>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.matches('input:not([type=checkbox], [type=radio]), select, textarea')
  );
}

function isSearch(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.type === 'search';
}

function focusFirst(selector: string): HTMLElement | null {
  const found = document.querySelector<HTMLElement>(selector);
  found?.focus();
  return found;
}

/** j and k work without finding the table with Tab first. */
function forwardToTable({ key }: KeyboardEvent): void {
  focusFirst('main .table-scroll')?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
}
