import fc from 'fast-check'

/** Texts that have broken something somewhere: in a database, a terminal, an XML document, a parser. */
const NASTY_TEXTS = [
  '',
  ' ',
  '0',
  '-0.00',
  '1e3',
  'null',
  'true',
  'NaN',
  '__proto__',
  'constructor',
  'toString',
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00b',
  '\ufffe',
  '\u202egnirts',
  '\u200f\u200b',
  'ẹ̵́',
  '🎰'.repeat(60),
  'İıßǅ',
  "'; DROP TABLE invoices; --",
  '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  ']]>',
  '../../etc/passwd',
  '%00',
  'x'.repeat(101),
  'x'.repeat(20_000),
  '9'.repeat(400),
]

/** The same for whole values. */
const NASTY_VALUES: unknown[] = [
  null,
  true,
  0,
  -1,
  2.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 1,
  [],
  {},
  [[]],
  [null],
  JSON.parse('{"__proto__":{"polluted":true}}'),
  JSON.parse('{"constructor":{"prototype":{"polluted":true}}}'),
  JSON.parse('{"length":5,"toString":"x","hasOwnProperty":1}'),
  nested(33, (inner) => [inner]),
  nested(33, (inner) => ({ a: inner })),
  nested(1500, (inner) => [inner]),
  Array(2000).fill(0),
  Array(2000).fill({ rate: '5.00', base: '1.00', amount: '0.05' }),
  Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i])),
]

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  return Array.from({ length: levels }).reduce<unknown>((inner) => wrap(inner), 1)
}

export const nastyText = fc.oneof(
  fc.constantFrom(...NASTY_TEXTS),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
)

export const nastyValue = fc.oneof(fc.constantFrom(...NASTY_VALUES), nastyText, fc.jsonValue({ maxDepth: 3 }))

/** Names of members that are not in any schema, and some that are, elsewhere. */
export const nastyName = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', '', ' ', '$ref', '0', 'id', 'jir', 'status'),
  nastyText.map((text) => text.slice(0, 200)),
)

/** More than any JSON body may have. */
export const HUGE_BODY = Buffer.from(`"${'x'.repeat(300_000)}"`)

/** Bodies that are no JSON, or hardly. */
const NASTY_BODIES: Buffer[] = [
  '',
  ' ',
  '{',
  '[',
  '"',
  '{"a":1,}',
  '{"a":1}{"b":2}',
  "{'a':1}",
  '{"total":"1.00","total":"2.00"}',
  'NaN',
  '\ufeff{}',
  '['.repeat(100_000),
  '{"a":'.repeat(20_000),
  '{"a":1e999999}',
  '{"a":"\\ud800"}',
]
  .map((text) => Buffer.from(text))
  .concat([Buffer.from([0xff, 0xfe, 0x7b, 0x7d]), Buffer.from([0x22, 0xc3, 0x28, 0x22]), Buffer.alloc(2000)])

export const nastyBody = fc.oneof(
  { weight: 1, arbitrary: fc.constant(HUGE_BODY) },
  { weight: 5, arbitrary: fc.constantFrom(...NASTY_BODIES) },
)

export const NASTY_TYPES = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/json;',
  'application/jsonx',
  'application/vnd.api+json',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=other',
  'nonsense',
  '*/*',
]

/** Pieces of an address, as they stand in it. */
export const NASTY_ADDRESS_PARTS = [
  '%',
  '%zz',
  '%ff',
  '%00',
  '%2e%2e%2f',
  '%E0%80%80',
  '..',
  '*',
  ':id',
  'x'.repeat(1500),
]
