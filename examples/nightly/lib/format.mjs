const PREFIXES = {
  seconds: [
    [1, 's'],
    [1e-3, 'ms'],
    [1e-6, 'µs'],
    [1e-9, 'ns'],
  ],
  bytes: [
    [1024, 'KiB'],
    [1, 'B'],
  ],
};

/** A value with three significant digits and a unit that suits it: 0.00234 seconds is "2.34 ms". */
export function format(value, metric) {
  const scales = PREFIXES[metric];
  if (!scales || value === 0) return String(Number(value.toPrecision(3)));
  const [factor, unit] = scales.find(([scale]) => Math.abs(value) >= scale) ?? scales.at(-1);
  return `${Number((value / factor).toPrecision(3))} ${unit}`;
}

/** Text for the inside of SVG. */
export function escapeXml(text) {
  return text.replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
