/**
 * A number with so many significant figures, as "%.3g" of C and Python writes it: no zeros at the end, an exponent of at
 * least two digits below 0.0001 and where the figures do not reach the decimal point.
 */
export function significant(value: number, figures: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return '0';
  const digits = Math.min(Math.max(1, Math.round(figures)), 17);
  const [mantissa = '', power = '0'] = value.toExponential(digits - 1).split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < digits) return stripped(value.toFixed(digits - 1 - exponent));
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `${stripped(mantissa)}e${exponent < 0 ? '-' : '+'}${size}`;
}

/** What a bar says of its value: one figure less below 1, one alone where the text gets long, nothing for zero. */
export function barText(value: number, figures: number): string {
  if (value === 0 || !Number.isFinite(value)) return '';
  const text = significant(value, Math.abs(value) < 1 ? figures - 1 : figures);
  return text.includes('e+') && text.length > 6 ? significant(value, 1) : text;
}

function stripped(digits: string): string {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}
