import { useEffect, useState } from 'preact/hooks';

const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const KEY = 'nightmark-theme';

/** As the system has it, light, or dark: remembered by the browser. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(remembered);
  useEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // A browser that keeps nothing shows it until the page is left.
    }
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
  return (
    <button
      type="button"
      class="plain right"
      onClick={() => setTheme(next)}
      title={`Colours: ${theme}. Click for ${next}.`}
    >
      <span aria-hidden="true">◐</span> {theme}
    </button>
  );
}

function remembered(): Theme {
  try {
    return THEMES.find((one) => one === localStorage.getItem(KEY)) ?? 'auto';
  } catch {
    return 'auto';
  }
}
