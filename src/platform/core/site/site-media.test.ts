import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHarmlessSvg } from './site-media.ts';

const HEAD =
  '<?xml version="1.0" encoding="utf-8" standalone="no"?>\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN"\n "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n';
const svg = (inside: string) =>
  `${HEAD}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${inside}</svg>`;

test('a drawing is harmless', () => {
  for (const drawing of [
    '<path d="M 0 0 L 1 1" style="fill: none"/><use xlink:href="#m1" x="3"/>',
    '<image xlink:href="data:image/png;base64,AAAA"/>',
    '<text>connections = 3</text>',
  ])
    assert.equal(isHarmlessSvg(svg(drawing)), true, drawing);
});

test('what could run something is not', () => {
  for (const evil of [
    '<script>alert(1)</script>',
    '<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>',
    '<rect onload="alert(1)"/>',
    '<rect/onload=alert(1)>',
    '<a href="javascript:alert(1)"><text>x</text></a>',
    '<a href="java&#115;cript:alert(1)"><text>x</text></a>',
    '<a xlink:href="https://evil.example"><text>x</text></a>',
    '<use href="https://evil.example/x.svg#a"/>',
    '<image href="data:image/svg+xml;base64,AAAA"/>',
    '<foreignObject><iframe src="x"/></foreignObject>',
    '<animate attributeName="href" values="x"/>',
  ])
    assert.equal(isHarmlessSvg(svg(evil)), false, evil);
  assert.equal(isHarmlessSvg('<!DOCTYPE svg [<!ENTITY x "y">]><svg/>'), false);
  assert.equal(isHarmlessSvg('<?xml version="1.0" encoding="utf-7"?><svg/>'), false);
  assert.equal(isHarmlessSvg('\u00ff\u00fe<\0s\0v\0g\0>\0'), false);
  assert.equal(isHarmlessSvg('<html><body>'), false);
});
