import { instantFault, parseInstant } from '../../domain/instant.ts'
import { parseMoney } from '../../domain/money.ts'
import { isPremisesCode, isRegisterMark } from '../../domain/sale/receipt-number.ts'
import { RECEIPT_LOGO_WIDTH_MM } from '../../domain/upload.ts'
import { isXmlText } from '../../domain/xml-text.ts'
import { API_BOUNDS } from './bounds.ts'

/** RFC 3339 with at most nine decimals. */
const DATE_TIME = {
  type: 'string',
  format: 'date-time',
  pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$',
}

interface Format {
  check: (text: string) => boolean
  /** What is said when it is not kept, or how it is said of a text. */
  say: string | ((text: string) => string)
  /** The same in words of JSON Schema that every generator of clients knows. */
  documented: Readonly<Record<string, unknown>>
}

const QUANTITY = new RegExp(`^(?!-?0[.0]*$)-?(0|[1-9][0-9]{0,${API_BOUNDS.quantity.most - 1}})(\\.[0-9]{1,3})?$`)

const isWithin = (text: string, { least, most }: { least: number; most: number }) =>
  /^[1-9][0-9]?$/.test(text) && Number(text) >= least && Number(text) <= most

const sayInstant = (text: string) =>
  `must be an ISO 8601 time with seconds and an offset, like "2026-01-31T14:05:09+01:00": ${instantFault(text)}`

/** The names go into the schemas, so that documents and validation cannot drift apart. The last two are for queries. */
export const FORMATS: Record<string, Format> = {
  money: {
    check: (text) => parseMoney(text) !== undefined,
    say: 'must be a string with exactly two decimals, like "4.50": no plus sign, no leading zeros, not "-0.00"',
    documented: {
      type: 'string',
      pattern: `^(?!-0\\.00$)-?(0|[1-9][0-9]{0,${API_BOUNDS.money.most - 1}})\\.[0-9]{2}$`,
    },
  },
  quantity: {
    check: (text) => QUANTITY.test(text),
    say: 'must be a decimal string with at most three decimals, like "1" or "0.250", and not zero',
    documented: { type: 'string', pattern: QUANTITY.source },
  },
  hex: {
    check: (text) => /^([0-9a-fA-F]{2})*$/.test(text),
    say: 'must be bytes in hexadecimal, two digits each, like "1d6505"',
    documented: { type: 'string', pattern: '^([0-9a-fA-F]{2})*$' },
  },
  instant: { check: (text) => parseInstant(text) !== undefined, say: sayInstant, documented: DATE_TIME },
  'query-instant': {
    check: (text) => parseInstant(text) !== undefined,
    say: (text) => `${sayInstant(text)}; in an address + is written %2B`,
    documented: DATE_TIME,
  },
  'logo-width': {
    check: (text) => isWithin(text, RECEIPT_LOGO_WIDTH_MM),
    say: `must be whole millimetres from ${RECEIPT_LOGO_WIDTH_MM.least} to ${RECEIPT_LOGO_WIDTH_MM.most}`,
    documented: { type: 'string', pattern: '^([5-9]|[1-6][0-9]|7[0-2])$' },
  },
  id: {
    check: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
    say: 'must be a UUID',
    documented: { type: 'string', format: 'uuid' },
  },
  'premises-code': {
    check: isPremisesCode,
    say: `must be 1 to ${API_BOUNDS.premisesCode.most} letters a-z, A-Z and digits`,
    documented: { type: 'string', pattern: `^[0-9a-zA-Z]{1,${API_BOUNDS.premisesCode.most}}$` },
  },
  mark: {
    check: isRegisterMark,
    say: `must be 1 to ${API_BOUNDS.registerMark.most} digits without leading zeros, and not 0`,
    documented: { type: 'string', pattern: `^[1-9][0-9]{0,${API_BOUNDS.registerMark.most - 1}}$` },
  },
  'payment-method': {
    check: () => true, // the local rules have a code of their own for what is none
    say: 'must be G, K, O or T',
    documented: { type: 'string', enum: ['G', 'K', 'O', 'T'] },
  },
  text: {
    check: isXmlText,
    say: 'must not hold control characters, NUL or half a surrogate pair',
    documented: { type: 'string' },
  },
  limit: {
    check: (text) => /^[1-9][0-9]{0,2}$/.test(text) && Number(text) <= API_BOUNDS.pageLimit.most,
    say: `must be a number from 1 to ${API_BOUNDS.pageLimit.most}`,
    documented: { type: 'integer', minimum: 1, maximum: API_BOUNDS.pageLimit.most, default: 50 },
  },
  flag: {
    check: (text) => text === 'true' || text === 'false',
    say: 'must be true or false',
    documented: { type: 'boolean', default: false },
  },
}

/** A schema as others read it: what only this service knows is put into words that everybody knows. */
export function documented(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(documented)
  if (typeof schema !== 'object' || schema === null) return schema
  const { format, ...rest } = schema as Record<string, unknown>
  const known = typeof format === 'string' ? FORMATS[format]?.documented : undefined
  const members: Record<string, unknown> = known ? { ...rest, ...known } : { ...schema }
  // Not every generator sees for itself that a choice of texts is a text.
  if (Array.isArray(members.enum) && members.enum.every((value) => typeof value === 'string')) members.type = 'string'
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, documented(value)]))
}
