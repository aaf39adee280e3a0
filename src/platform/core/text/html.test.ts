import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html, segment, segments } from './html.ts';

test('values are escaped, templates are not', () => {
  const inner = html`<b>${'<i>'}</b>`;
  assert.equal(
    html`<p title="${`"'\`&`}">${inner}</p>`.toString(),
    '<p title="&#34;&#39;&#96;&#38;"><b>&#60;i&#62;</b></p>',
  );
});

test('lists are joined; undefined and false are nothing, zero is zero', () => {
  assert.equal(html`${['<', html`<br>`]}${undefined}${false}${0}`.toString(), '&#60;<br>0');
});

test('control characters are visible, and text keeps its direction', () => {
  assert.equal(
    html`${'a\u0000\u001b\u007f\u0085\u202e\u2066b\n\tc'}`.toString(),
    'a␀␛\ufffd\ufffd\ufffd\ufffdb\n\tc',
  );
});

test('an object that only looks like a template is not trusted', () => {
  const forged = { toString: () => '<script>' } as unknown as string;
  assert.throws(() => html`${forged}`);
});

test('any name can be part of an address', () => {
  assert.equal(segment('a/b?#%"\n'), 'a%2Fb%3F%23%25%22%0A');
  assert.equal(segment('\ud800'), '%EF%BF%BD');
  assert.equal(segments('all time/é.png'), 'all%20time/%C3%A9.png');
});
