import fc, { type Arbitrary } from 'fast-check'
import { HUGE_BODY, NASTY_ADDRESS_PARTS, NASTY_TYPES, nastyBody, nastyName, nastyText, nastyValue } from './nasty.ts'

interface Part {
  name: string
  value: string | Buffer
  filename?: string
}

/** A request before it is written down. */
export interface Draft {
  method: string
  /** As the document has it, with `{id}`. */
  path: string
  params: Record<string, string>
  query: [name: string, value: string][]
  headers: Record<string, string>
  json?: unknown
  form?: Part[]
  /** These bytes instead of what `json` or `form` says. */
  bytes?: Buffer
  /** Stands in the address as it is, instead of the parameters or behind them. */
  rawParam?: string
  rawQuery?: string
}

export type Mutation = (draft: Draft) => Draft

const pick = fc.nat({ max: 1000 })

function mutation<T extends unknown[]>(
  values: { [K in keyof T]: Arbitrary<T[K]> },
  change: (draft: Draft, ...values: T) => Partial<Draft>,
): Arbitrary<Mutation> {
  return fc.tuple<T>(...values).map((chosen) => {
    const mutate: Mutation = (draft) => ({ ...draft, ...change(draft, ...chosen) })
    return Object.assign(mutate, { toString: () => JSON.stringify(chosen).slice(0, 200) })
  })
}

const onJson = (change: (value: unknown, i: number, nasty: unknown, name: string) => unknown) =>
  mutation([pick, nastyValue, nastyName], ({ json }, i, nasty, name) => ({ json: change(json, i, nasty, name) }))

const onForm = (change: (parts: Part[], i: number, text: string, name: string) => Part[]) =>
  mutation([pick, nastyText, nastyName], ({ form = [] }, i, text, name) => ({ form: change(form, i, text, name) }))

const HEADER_VALUES = [
  '',
  ' ',
  'a',
  'x'.repeat(255),
  'x'.repeat(256),
  'x'.repeat(3000),
  '\xe9\xff',
  'a, b',
  '"',
  '__proto__',
]

/** Ways to spoil a request, by what it must have for them. */
export const MUTATIONS = {
  always: [
    mutation(
      [
        fc.constantFrom('X-Request-Id', 'Idempotency-Key', 'X-Include-Messages', 'Accept'),
        fc.constantFrom(...HEADER_VALUES),
      ],
      ({ headers }, name, value) => ({ headers: { ...headers, [name]: value } }),
    ),
    mutation([pick], ({ headers }, i) => ({ headers: without(headers, i) })),
    mutation([nastyName, nastyText], ({ query }, name, value) => ({ query: [...query, [name, value.slice(0, 3000)]] })),
    mutation([pick, nastyText], ({ query }, i, text) => ({
      query: query.map(([name, value], at) => [name, at === i % query.length ? text.slice(0, 3000) : value]),
    })),
    mutation([pick], ({ query }, i) => ({ query: [...query, ...query.slice(i % (query.length || 1))] })),
    mutation(
      [fc.constantFrom('%', '%ff', '&&==&', 'a[b]=1', 'limit', 'limit=%00', 'status[]=active', '?')],
      (_, rawQuery) => ({
        rawQuery,
      }),
    ),
    mutation([fc.constantFrom(...NASTY_TYPES)], ({ headers }, type) => ({
      headers: { ...headers, 'Content-Type': type },
    })),
  ],
  path: [
    mutation([fc.constantFrom(...NASTY_ADDRESS_PARTS)], (_, rawParam) => ({ rawParam })),
    mutation([nastyText], ({ params }, text) => ({
      params: Object.fromEntries(Object.keys(params).map((name) => [name, text.slice(0, 1000) || '0'])),
    })),
  ],
  /** Where no body is expected. */
  bare: [fc.constant(HUGE_BODY), nastyBody].map((body) => mutation([body], (_, bytes) => ({ bytes }))),
  json: [
    onJson((value, i, nasty) => changeAt(value, i, () => nasty)),
    onJson((value, i) => changeAt(value, i, () => undefined)),
    onJson((value, i, nasty, name) => changeAt(value, i, (member) => withMember(member, name, nasty))),
    onJson((_value, _i, nasty) => nasty),
    mutation([nastyBody], (_, bytes) => ({ bytes })),
    mutation([pick], ({ json }, i) => {
      const text = JSON.stringify(json) ?? ''
      return { bytes: Buffer.from(text.slice(0, i % (text.length + 1))) }
    }),
  ],
  form: [
    onForm((parts, i) => parts.filter((_, at) => at !== i % parts.length)),
    onForm((parts, i) => [...parts, ...parts.slice(i % (parts.length || 1))]),
    onForm((parts, _i, text, name) => [...parts, { name, value: text }]),
    onForm((parts, i, text) => parts.map((part, at) => (at === i % parts.length ? { ...part, value: text } : part))),
    onForm((parts) => parts.map(({ name, value }) => ({ name, value }))),
    onForm((parts, _i, text) => parts.map((part) => ({ ...part, filename: text.slice(0, 100) }))),
    onForm((parts) => parts.map((part) => (part.name === 'file' ? { ...part, value: Buffer.alloc(1_100_000) } : part))),
    onForm((parts, i) =>
      Array.from({ length: 12 }, (_, at) => ({ name: `p${at}`, value: String(i) })).concat(parts as never),
    ),
    mutation([pick], ({ form = [] }, i) => {
      const bytes = formBytes(form)
      return { bytes: bytes.subarray(0, i % (bytes.length + 1)) }
    }),
    mutation([nastyBody], (_, bytes) => ({ bytes })),
  ],
}

function without(object: Record<string, string>, i: number): Record<string, string> {
  const entries = Object.entries(object)
  return Object.fromEntries(entries.filter((_, at) => at !== i % entries.length))
}

/** Every place in a value, the whole first, as far as it is worth it. */
function placesOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || path.length > 4) return [path]
  const members = Object.entries(value).slice(0, 40)
  return [path, ...members.flatMap(([name, member]) => placesOf(member, [...path, name]))]
}

/** The value with another one in one of its places; `undefined` takes the place away. */
function changeAt(value: unknown, i: number, change: (member: unknown) => unknown): unknown {
  const places = placesOf(value)
  const path = places[i % places.length] ?? []
  const go = (at: unknown, [name, ...rest]: string[]): unknown => {
    if (name === undefined) return change(at)
    return withMember(at, name, go((at as Record<string, unknown>)[name], rest))
  }
  return go(value, path)
}

/** A copy with one member more, or another one; `__proto__` is a name like any other. */
function withMember(value: unknown, name: string, member: unknown): unknown {
  if (Array.isArray(value)) return value.map((item, at) => (String(at) === name ? member : item))
  if (typeof value !== 'object' || value === null) return { [name]: member }
  return Object.fromEntries([...Object.entries(value).filter(([other]) => other !== name), [name, member]])
}

const BOUNDARY = '----random-requests'

function formBytes(parts: readonly Part[]): Buffer {
  const quoted = (text: string) => text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const written = parts.map(({ name, value, filename }) => {
    const file = filename === undefined ? '' : `; filename="${quoted(filename)}"`
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${quoted(name)}"${file}\r\n\r\n`
    return Buffer.concat([Buffer.from(head), Buffer.isBuffer(value) ? value : Buffer.from(value), Buffer.from('\r\n')])
  })
  return Buffer.concat([...written, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

/** Percent-encoded bytes of UTF-8; half a surrogate pair becomes U+FFFD, for an address has no other way. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
}

/** The request as it goes out. */
export function written(draft: Draft) {
  const path = draft.path.replace(/\{(\w+)\}/g, (_, name) => draft.rawParam ?? encoded(draft.params[name] ?? ''))
  const pairs = draft.query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
  const query = [...pairs, ...(draft.rawQuery === undefined ? [] : [draft.rawQuery])].join('&')
  const type = draft.form ? `multipart/form-data; boundary=${BOUNDARY}` : 'application/json'
  const body = draft.bytes ?? (draft.form ? formBytes(draft.form) : bytesOf(draft.json))
  return {
    method: draft.method,
    path: query === '' ? path : `${path}?${query}`,
    headers: { ...(body && { 'Content-Type': type }), ...draft.headers },
    body,
  }
}

function bytesOf(json: unknown): Buffer | undefined {
  return json === undefined ? undefined : Buffer.from(JSON.stringify(json))
}
