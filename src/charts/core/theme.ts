/** Colours by their job in a chart. */
export interface Theme {
  readonly ground: string;
  readonly ink: string;
  readonly muted: string;
  readonly grid: string;
  readonly better: string;
  readonly worse: string;
  readonly series: readonly string[];
  readonly font: string;
}

export type ThemeName = 'auto' | 'light' | 'dark';

/** Okabe and Ito's palette without its yellow (too faint on white) plus two: distinct for most colour-blind people. */
const LIGHT: Theme = {
  ground: '#ffffff',
  ink: '#1c2330',
  muted: '#5b6575',
  grid: '#e3e7ec',
  better: '#d3efe4',
  worse: '#fbdccb',
  series: ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#7a5195', '#5d5d5d'],
  font: 'DejaVu Sans',
};

const DARK: Theme = {
  ground: '#14181f',
  ink: '#e8ebf0',
  muted: '#a3adbb',
  grid: '#2c3440',
  better: '#124b3a',
  worse: '#5c2d13',
  series: ['#4aa8e0', '#f08a4b', '#34c79b', '#e59cc4', '#f2b84b', '#8fd0f5', '#b392d6', '#b5b5b5'],
  font: 'DejaVu Sans',
};

/** Follows the reader's choice: each colour is a variable that CHART_STYLE gives a value. */
const AUTO: Theme = {
  ground: 'var(--nm-ground)',
  ink: 'var(--nm-ink)',
  muted: 'var(--nm-muted)',
  grid: 'var(--nm-grid)',
  better: 'var(--nm-better)',
  worse: 'var(--nm-worse)',
  series: LIGHT.series.map((_, index) => `var(--nm-s${index})`),
  font: 'system-ui, DejaVu Sans, sans-serif',
};

const THEMES: Readonly<Record<ThemeName, Theme>> = { auto: AUTO, light: LIGHT, dark: DARK };

export function themeOf(name: ThemeName): Theme {
  return THEMES[name];
}

/** The style of every chart of the theme "auto", always the same text: a page allows it by one hash. Paper is light. */
export const CHART_STYLE = `.nm-chart{${variables(LIGHT)}}@media screen and (prefers-color-scheme:dark){.nm-chart{${variables(DARK)}}}`;

function variables(theme: Theme): string {
  const { series, font: _, ...colours } = theme;
  const named = Object.entries(colours).map(([name, colour]) => `--nm-${name}:${colour}`);
  return [...named, ...series.map((colour, index) => `--nm-s${index}:${colour}`)].join(';');
}

/** Styles of a page with figures and tables, beside CHART_STYLE. */
export const PAGE_STYLE = `body{margin:16px;background:var(--nm-ground);color:var(--nm-ink);font:14px/1.5 system-ui,sans-serif}
svg.nm-chart{display:block;max-width:100%;height:auto}
svg.nm-chart:focus-visible,[data-toggle]:focus-visible{outline:2px solid var(--nm-s0)}
[data-toggle]{cursor:pointer}.nm-faint{opacity:.4}.nm-off{display:none}
.nm-dot{fill:none;stroke:var(--nm-ink);stroke-width:2;pointer-events:none}
#nm-tip{position:absolute;white-space:pre-line;max-width:22em;overflow-wrap:anywhere;padding:4px 8px;border:1px solid var(--nm-muted);border-radius:4px;background:var(--nm-ground);pointer-events:none}
.nm-table{margin:0 0 16px}.nm-table>div{overflow-x:auto}.nm-table figcaption{font-weight:600;font-size:16px}.nm-table p{margin:4px 0;color:var(--nm-muted)}
.nm-table table{border-collapse:collapse}.nm-table th,.nm-table td{padding:4px 10px;border-bottom:1px solid var(--nm-grid);text-align:left;font-variant-numeric:tabular-nums}
.nm-table .nm-right{text-align:right}.nm-better{background:var(--nm-better)}.nm-worse{background:var(--nm-worse)}
.nm-table a{color:var(--nm-s0)}`;

/** For the Content-Security-Policy; a test keeps them true. */
export const PAGE_STYLE_HASH = 'sha256-/F5HfCtGCCNPoT5gUVmrFmXHYhXh+o0WqlY3zKMSjh0=';
export const CHART_STYLE_HASH = 'sha256-+a3uyhsZtmW3FOhvA6C6U4a8USPa2kgdiUFo4YdN29Q=';
