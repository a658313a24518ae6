import fc from 'fast-check'

/** What stands where something else is expected. */
const strange: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...[null, true, false, '', ' '],
    ...[0, -0, -1, 1, 0.1, 1e308, -1e308, 2 ** 31, 2 ** 48, 2 ** 53 - 1, 2 ** 53, -(2 ** 53)],
    ...['0', '-0.00', '1e3', '+1', '01', '9'.repeat(20), '9'.repeat(21), '9'.repeat(400), 'NaN', 'Infinity', '0x10'],
    ...['\u0000', '\u001b[2J', '\u009b31m', '\u202e', '\u2028', '\ufeff', '\ud800'],
    ...['a\r\nb: c', '%00', '%s%n', '{{7*7}}'],
    ...['__proto__', 'constructor', '../../etc/passwd', "' OR 1=1 --", '<script>alert(1)</script>', '=1+1', '\t=1'],
    ...['1969-12-31T23:59:59Z', '9999-12-31T23:59:59Z', '2026-02-30T00:00:00Z', '2026-01-01T00:00:00+99:99'],
    ...[[], {}, [[]], [{}], { length: 1e9 }, { toString: 1 }, { valueOf: null }, { __proto__: { admin: true } }],
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.double(),
  fc.maxSafeInteger(),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(201, 4096, 40_000).map((length) => 'ž'.repeat(length)),
)

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const change = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'replace', 'remove', 'rename', 'repeat', 'wrap', 'add'),
  value: strange,
})
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never

/** JSON made from a valid value: some of its members replaced, removed, renamed, repeated or nested, or its text spoilt. */
export function changedJson(valid: unknown): fc.Arbitrary<string> {
  const spoilt = fc.record({ at: fc.nat(), how: fc.constantFrom('cut', 'double', 'nest', 'control', 'tail') })
  return fc
    .record({
      changes: fc.array(change, { minLength: 1, maxLength: 3 }),
      text: fc.option(spoilt, { freq: 12 }),
    })
    .map(({ changes, text }) => {
      const json = JSON.stringify(changes.reduce(withChange, structuredClone(valid))) ?? ''
      return text === null ? json : spoil(json, text.at, text.how)
    })
}

function withChange(root: unknown, { at, how, value: constant }: Change): unknown {
  // A later change may be made within it, and the next message may have the same one.
  const value = structuredClone(constant)
  const members = membersOf(root)
  const member = members[at % members.length]
  if (!member) return value
  const { parent, key } = member
  const repeated = (held: unknown) => Array.from({ length: 1 + (at % 50) }, () => held)
  if (Array.isArray(parent)) {
    const index = Number(key)
    const changed = {
      replace: [value],
      rename: [value],
      remove: [],
      add: [parent[index], value],
      repeat: repeated(parent[index]),
      wrap: [[parent[index]]],
    }
    parent.splice(index, 1, ...changed[how as keyof typeof changed])
    return root
  }
  const held = parent[key]
  if (how === 'remove' || how === 'rename') delete parent[key]
  // As JSON does it: `__proto__` becomes a member like any other.
  const set = (name: string, to: unknown) =>
    Object.defineProperty(parent, name, { value: to, enumerable: true, configurable: true, writable: true })
  if (how === 'replace') set(key, value)
  if (how === 'rename') set(textOf(value).slice(0, 300), held)
  if (how === 'add') set(textOf(value).slice(0, 300), value)
  if (how === 'wrap') set(key, { [key]: held })
  if (how === 'repeat') set(key, repeated(held))
  return root
}

function membersOf(root: unknown): { parent: unknown[] & Record<string, unknown>; key: string }[] {
  if (typeof root !== 'object' || root === null) return []
  return Object.entries(root).flatMap(([key, value]) => [
    { parent: root as unknown[] & Record<string, unknown>, key },
    ...membersOf(value),
  ])
}

function spoil(json: string, at: number, how: string): string {
  const middle = at % (json.length + 1)
  const [head, tail] = [json.slice(0, middle), json.slice(middle)]
  if (how === 'cut') return head
  if (how === 'double') return `${json.slice(0, -1)},${json.slice(1)}`
  if (how === 'nest') return `${head}${'[{"a":'.repeat(40)}0${'}]'.repeat(40)}${tail}`
  return how === 'control' ? `${head}\u0000\u0007${tail}` : `${json}${json}`
}

/** Bytes made from valid ones: turned over, cut, put in, repeated, or with a length that is none (as in DER). */
export function changedBytes(valid: Buffer): fc.Arbitrary<Buffer> {
  const step = fc.record({
    at: fc.nat(),
    how: fc.constantFrom('set', 'set', 'cut', 'insert', 'repeat', 'length'),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 12 }),
  })
  return fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) =>
    steps.reduce((bytes, { at, how, bytes: put }) => {
      const middle = at % (bytes.length + 1)
      const [head, tail] = [bytes.subarray(0, middle), bytes.subarray(middle)]
      if (how === 'cut') return head
      if (how === 'insert') return Buffer.concat([head, put, tail])
      if (how === 'repeat') return Buffer.concat([head, tail.subarray(0, 64), tail])
      if (how === 'length') return Buffer.concat([head, Buffer.from('84ffffffff', 'hex'), tail.subarray(1)])
      return Buffer.concat([head, put, tail.subarray(put.length)])
    }, valid),
  )
}

/** XML made from a valid document: texts replaced, elements removed, repeated, renamed or nested, or its text spoilt. */
export function changedXml(valid: string): fc.Arbitrary<Buffer> {
  const step = fc.record({
    at: fc.nat(),
    how: fc.constantFrom('text', 'text', 'remove', 'repeat', 'rename', 'nest', 'attribute', 'entity'),
    value: strange.map(textOf),
  })
  const whole = fc
    .array(step, { minLength: 1, maxLength: 3 })
    .map((steps) => Buffer.from(steps.reduce(withStep, valid)))
  return fc.oneof({ weight: 4, arbitrary: whole }, { weight: 1, arbitrary: changedBytes(Buffer.from(valid)) })
}

const LEAF = /<([\w:]+)([^<>]*)>([^<>]*)<\/\1>/g

function withStep(xml: string, { at, how, value }: { at: number; how: string; value: string }): string {
  const leaves = [...xml.matchAll(LEAF)]
  const leaf = leaves[at % leaves.length]
  if (!leaf) return xml
  const [all, name, attributes] = leaf
  const [head, tail] = [xml.slice(0, leaf.index), xml.slice(leaf.index + all.length)]
  const made: Record<string, string> = {
    text: `<${name}${attributes}>${value}</${name}>`,
    remove: '',
    repeat: all.repeat(1 + (at % 1500)),
    rename: all.replaceAll(String(name), `x${at % 9}`),
    nest: `${`<${name}>`.repeat(300)}${`</${name}>`.repeat(300)}`,
    attribute: all.replace('>', ` Id="${value}">`),
    entity: `<${name}>&lol;&#x0;&#99999999;</${name}>`,
  }
  return `${head}${made[how]}${tail}`
}

/** A table as text: cells replaced, rows repeated or cut short, the separator and the quotes changed. */
export function changedCsv(valid: readonly (readonly string[])[]): fc.Arbitrary<Buffer> {
  const table = fc.record({
    json: fc
      .array(change, { minLength: 1, maxLength: 4 })
      .map((changes) => changes.reduce(withChange, structuredClone(valid))),
    separator: fc.constantFrom(',', ',', ';', '\t', '|', '\u0000'),
    newline: fc.constantFrom('\n', '\r\n', '\r', '\n\n'),
    quote: fc.constantFrom('', '"', '"', "'"),
  })
  return table.chain(({ json, separator, newline, quote }) => {
    const rows = Array.isArray(json) ? json : [json]
    const text = rows
      .map((row) => (Array.isArray(row) ? row : [row]).map((cell) => `${quote}${textOf(cell)}${quote}`).join(separator))
      .join(newline)
    return fc.oneof({ weight: 5, arbitrary: fc.constant(Buffer.from(text)) }, changedBytes(Buffer.from(text)))
  })
}

/** What an arbitrary makes, one after another, as the seed has it. */
export function* endless<T>(arbitrary: fc.Arbitrary<T>, seed: number): Generator<T, never> {
  for (let batch = 0; ; batch++) yield* fc.sample(arbitrary, { numRuns: 100, seed: (seed + batch * 7919) | 0 })
}

/** A text that may stand in an address: whatever it holds, half surrogates too, percent-encoded. */
export const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString('utf8'))
