/** How reports look beside charts: on paper without dark colours, and nothing is torn apart between pages. */
export const REPORT_STYLE = `main{max-width:70em;margin:0 auto}main>p{max-width:50em}h1{line-height:1.25}h2{margin:1.6em 0 .4em}main>h1,main>h2,main>p{overflow-wrap:anywhere}td svg{vertical-align:middle}main a{color:var(--nm-s0)}
@media print{@page{margin:14mm}body{margin:0;font-size:10pt;background:#fff;color:#1c2330}.nm-chart{--nm-ground:#fff;--nm-ink:#1c2330;--nm-muted:#5b6575;--nm-grid:#e3e7ec;--nm-better:#d3efe4;--nm-worse:#fbdccb;print-color-adjust:exact}
svg.nm-chart,tr{break-inside:avoid}h1,h2,h3,figcaption{break-after:avoid}thead{display:table-header-group}.nm-table>div{overflow:visible}.nm-table th,.nm-table td{padding:3px 5px;font-size:9pt}.nm-table td{overflow-wrap:anywhere;min-width:5.6em}}`;

/** For the Content-Security-Policy; a test keeps it true. */
export const REPORT_STYLE_HASH = 'sha256-gljL+1AMt1H0qcg/cFEitotCIS3D1dNQ6x3ioQidiPc=';
