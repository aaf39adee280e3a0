/** Colours of the style sheet for a canvas, which has no variables: a probe element has their current values. */
export function tokenColour(token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** The same colour, seen through. */
export function faded(colour: string, opacity: number): string {
  return colour.replace(/^rgba?\(([\d.]+),\s*([\d.]+),\s*([\d.]+).*\)$/, `rgba($1, $2, $3, ${opacity})`);
}

/** Okabe and Ito: also for colour-blind people. Beyond eight everything is grey. */
const HUES = ['--hue-1', '--hue-2', '--hue-3', '--hue-4', '--hue-5', '--hue-6', '--hue-7', '--hue-8'];

export function hueToken(place: number): string {
  return HUES[place] ?? '--hue-other';
}

export function hueColour(place: number): string {
  return tokenColour(hueToken(place));
}

/** Calls back when the reader changes between light and dark. */
export function onThemeChange(listener: () => void): () => void {
  const media = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  media.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    media.removeEventListener('change', listener);
  };
}
