import { NightmarkError } from '../errors.ts';
import { pythonFloat } from './python-values.ts';

/** Value of a place in a template: by its number or name. Undefined: there is none. */
export type TemplateValues = (name: string | number) => number | string | undefined;

/**
 * A template of Python's str.format, for numbers and texts: "{:.2f}", "{value:,.0f} of {model}", "{{" for a brace. The part
 * after the colon is [[fill]align][sign][0][width][,][.precision][type] with the types f e g % d s. Whole numbers are
 * written without ".0", as JSON does not distinguish 1 from 1.0.
 */
export function formatTemplate(template: string, values: TemplateValues): string {
  let place = 0;
  return template.replace(
    /\{\{|\}\}|\{([^{}:!]*)(!?[^{}:]*)(?::([^{}]*))?\}|[{}]/g,
    (found, name, more, spec) => {
      if (found === '{{' || found === '}}') return found.slice(1);
      if (found.length === 1)
        throw refused(template, `a "${found}" stands alone`, 'Write "{{" or "}}" for a brace.');
      if (more !== '')
        throw refused(template, `"${found}" has a conversion`, 'Leave out what begins with "!".');
      const key = name === '' ? place++ : /^\d+$/.test(name) ? Number(name) : name;
      const value = values(key);
      if (value === undefined) throw refused(template, `there is no value "${name === '' ? key : name}"`);
      return typeof value === 'string'
        ? formatText(value, spec ?? '', template)
        : formatNumberAs(value, spec ?? '', template);
    },
  );
}

interface Spec {
  readonly fill: string;
  readonly align: string;
  readonly sign: string;
  readonly width: number;
  readonly comma: boolean;
  readonly precision: number | undefined;
  readonly type: string;
}

const SPEC = /^(?:(.)?([<>^=]))?([+\- ])?(0)?(\d{1,3})?(,)?(?:\.(\d{1,3}))?([a-zA-Z%])?$/u;

function parseSpec(text: string, template: string): Spec {
  const found = SPEC.exec(text);
  if (!found) {
    throw refused(template, `"${text}" is not a supported format`, KNOWN);
  }
  const [, fill, align, sign = '-', zero, width = '0', comma, precision, type = ''] = found;
  return {
    fill: fill ?? (zero === undefined ? ' ' : '0'),
    align: align ?? (zero === undefined ? '' : '='),
    sign,
    width: Number(width),
    comma: comma !== undefined,
    precision: precision === undefined ? undefined : Math.min(Number(precision), MAX_PRECISION),
    type,
  };
}

/** What JavaScript can write; a double has no more digits that mean something. */
const MAX_PRECISION = 100;
const KNOWN =
  'Supported are for example {:.2f} {:,.0f} {:.1%} {:.3e} {:g} {:d}, with a sign, a width and an alignment.';

function formatText(value: string, text: string, template: string): string {
  const spec = parseSpec(text, template);
  if (spec.type !== '' && spec.type !== 's')
    throw refused(template, `"${text}" does not fit the text "${value}"`, KNOWN);
  return pad('', spec.precision === undefined ? value : value.slice(0, spec.precision), {
    ...spec,
    align: spec.align || '<',
  });
}

function formatNumberAs(value: number, text: string, template: string): string {
  const spec = parseSpec(text, template);
  const digits = Number.isFinite(value)
    ? digitsOf(Math.abs(value), spec, template)
    : String(Math.abs(value)).slice(0, 3).toLowerCase();
  const isNegative = value < 0 || Object.is(value, -0);
  const sign = isNegative ? '-' : spec.sign === '-' ? '' : spec.sign;
  return pad(sign, spec.comma ? withCommas(digits) : digits, spec);
}

function digitsOf(size: number, { type, precision }: Spec, template: string): string {
  switch (type) {
    case 'f':
    case 'F':
      return pythonFixed(size, precision ?? 6);
    case 'e':
      return pythonExponential(size, precision ?? 6);
    case 'E':
      return pythonExponential(size, precision ?? 6).toUpperCase();
    case '%':
      return `${pythonFixed(size * 100, precision ?? 6)}%`;
    case 'g':
      return general(size, precision ?? 6);
    case 'G':
      return general(size, precision ?? 6).toUpperCase();
    case 'd':
      if (Number.isInteger(size)) return pythonFixed(size, 0);
      throw refused(template, `"d" is for whole numbers, the value is ${size}`, 'Use {:.0f}.');
    case '':
      if (precision !== undefined) return general(size, precision);
      return Number.isInteger(size) && size < 1e16 ? String(size) : pythonFloat(size);
    default:
      throw refused(template, `the type "${type}" is not supported`, KNOWN);
  }
}

/** Fixed where the exponent is small, and no zeros at the end. */
function general(size: number, precision: number): string {
  const digits = Math.max(1, precision);
  const scientific = pythonExponential(size, digits - 1);
  const exponent = Number(scientific.split('e')[1]);
  if (exponent >= -4 && exponent < digits) return withoutZeros(pythonFixed(size, digits - 1 - exponent));
  const [mantissa = '', rest = ''] = scientific.split('e');
  return `${withoutZeros(mantissa)}e${rest}`;
}

function withoutZeros(digits: string): string {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}

function withCommas(digits: string): string {
  const [whole = '', ...rest] = digits.split(/(?=[.e%])/);
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + rest.join('');
}

function pad(sign: string, body: string, { fill, align, width }: Spec): string {
  const lacking = Math.max(0, width - sign.length - body.length);
  if (align === '=') return sign + fill.repeat(lacking) + body;
  const left = align === '<' ? 0 : align === '^' ? Math.floor(lacking / 2) : lacking;
  return fill.repeat(left) + sign + body + fill.repeat(lacking - left);
}

function refused(template: string, why: string, hint?: string): NightmarkError {
  return new NightmarkError(
    'MATRIX_KPI_FORMAT',
    `The format ${JSON.stringify(template)} cannot be used: ${why}.`,
    {
      ...(hint !== undefined && { hint }),
    },
  );
}

/** Decimals as Python's "{:.2f}" writes them: rounded from the exact value of the double, ties to the even digit. */
export function pythonFixed(value: number, decimals: number): string {
  const size = Math.abs(value);
  if (size === Number.POSITIVE_INFINITY) return signed(value, 'inf');
  // From 2^53 on a double is whole, and toFixed gives up at 1e21.
  if (size >= 2 ** 53) {
    return signed(value, decimals === 0 ? wholeDigits(size) : `${wholeDigits(size)}.${'0'.repeat(decimals)}`);
  }
  const digits = size.toFixed(decimals);
  return signed(value, isTie(size, decimals) ? toEven(digits) : digits);
}

/** Digits and exponent as Python's "{:.2e}" writes them: "1.23e+04". */
export function pythonExponential(value: number, decimals: number): string {
  const size = Math.abs(value);
  const [digits = '', exponent = ''] = size.toExponential(decimals).split('e');
  const magnitude = Number(size.toExponential().split('e')[1]);
  // A tie that was carried to the next power of ten is even: 9.5 is 10, not 9.
  const isOdd = Number(exponent) === magnitude && isTie(size, decimals - magnitude);
  const rounded = isOdd ? toEven(digits) : digits;
  return signed(value, `${rounded}e${exponent.slice(0, 1)}${exponent.slice(1).padStart(2, '0')}`);
}

/**
 * Whether the value lies in the middle of two numbers with that many decimals. A double is a whole number of powers of two:
 * its last decimal is the 5 of a tie exactly when one power of two below `decimals` is its lowest.
 */
function isTie(size: number, decimals: number): boolean {
  if (decimals >= 0) return Math.abs((size * 2 ** (decimals + 1)) % 2) === 1;
  if (!Number.isInteger(size)) return false;
  const unit = 10n ** BigInt(-decimals);
  return (BigInt(size) % unit) * 2n === unit;
}

/** JavaScript rounds a tie up: an odd last digit is one too many. It is never 0, so nothing is borrowed. */
function toEven(digits: string): string {
  const last = Number(digits.slice(-1));
  return last % 2 === 0 ? digits : `${digits.slice(0, -1)}${last - 1}`;
}

function wholeDigits(size: number): string {
  return BigInt(size).toString();
}

function signed(value: number, digits: string): string {
  return value < 0 || Object.is(value, -0) ? `-${digits}` : digits;
}
