/** Looks of a page with figures and tables, beside CHART_STYLE. */
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
