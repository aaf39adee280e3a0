/** How reports look beside charts: on paper without dark colours, and nothing is torn apart between pages. */
export const REPORT_STYLE = `main{max-width:70em;margin:0 auto}main>p{max-width:50em}h1{line-height:1.25}h2{margin:1.6em 0 .4em}main>h1,main>h2,main>p{overflow-wrap:anywhere}td svg{vertical-align:middle}main a{color:var(--nm-s0)}
@media print{@page{size:A4;margin:14mm 13mm 16mm;@bottom-right{content:counter(page) " of " counter(pages);font:8pt system-ui,sans-serif;color:#5b6575}}
body{margin:0;font-size:9pt;line-height:1.35;print-color-adjust:exact}h1{margin-top:0}h2{margin-top:1.2em}main,main>p{max-width:none}main a{text-decoration:underline}main>ul a[href^="http"]::after{content:" (" attr(href) ")";overflow-wrap:anywhere}
svg.nm-chart,tr,li{break-inside:avoid}h1,h2,h3,figcaption,figcaption+p{break-after:avoid}p{orphans:2;widows:2}thead{display:table-header-group}
.nm-table>div{overflow:visible}.nm-table figcaption{font-size:10pt}.nm-table th,.nm-table td{padding:2px 5px;font-size:8pt}.nm-table td{overflow-wrap:anywhere;min-width:6.5em}}`;

/** For the Content-Security-Policy; a test keeps it true. */
export const REPORT_STYLE_HASH = 'sha256-UsxG8XOWZvUVo0ZeZp5ioE+lOi67K6r8eyn3sjeLb0s=';
