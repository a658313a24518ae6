import type { ErrorCode } from '../errors.ts'
import { isMoney } from '../money.ts'
import { isOib } from '../oib.ts'
import { TAX_LINES, TAX_NAME_LENGTH } from '../text-lengths.ts'
import { isXmlText } from '../xml-text.ts'
import { CHAIN_KEYS, type ChainKey, type ConfigLevel, hasShape, isText, type LevelName } from './config-chain.ts'
import { receiptStyleProblems } from './receipt-style.ts'
import { isPaymentMethod } from './sale.ts'
import { isVatRate, RATES } from './vat.ts'

/** A value that no sale can have, under a key that sales read. */
export interface SettingFault {
  /** As `vat[0].rate`. */
  path: string
  /** Of the rule that it breaks. */
  code: ErrorCode
  /** What it must be. */
  say: string
  /** Of the wrong type: sales ignore it where it is stored. With another one they are refused. */
  isIgnored: boolean
}

/** The form of a value, and the rule for one of that form: whether it is fine, else the code. */
type Form = readonly [say: string, isFine?: (text: string) => boolean, code?: ErrorCode]

const MONEY: Form = ['must be a string with exactly two decimals, like "4.50"']
const FLAG: Form = ['must be true or false']
const TEXT: Form = ['must be a text that is not too long, without control characters', isXmlText, 'invalid_request']
const OIB: Form = ['must be 11 digits with a correct check digit', isOib, 'hr.invalid_oib']
const SEQUENCE: Form = ['must be "P" or "N"']
const LIST: Form = [`must be a list of at most ${TAX_LINES} objects`]

const FORMS: Record<ChainKey, Form> = {
  sale_type: ['must be "unattended" or "attended"'],
  sequence_mark: SEQUENCE,
  sequence_mode: SEQUENCE,
  register_mark: ['must be a string of at most 20 digits without leading zeros, and not "0"'],
  operator_oib: OIB,
  recipient_oib: OIB,
  paragon_number: TEXT,
  special_purpose: TEXT,
  activity: TEXT,
  payment_method: ['must be "G", "K", "O" or "T"', isPaymentMethod, 'hr.invalid_payment_method'],
  late_delivery: FLAG,
  vat_registered: FLAG,
  vat: LIST,
  consumption_tax: LIST,
  other_taxes: LIST,
  fees: LIST,
  vat_exempt_amount: MONEY,
  margin_amount: MONEY,
  non_taxable_amount: MONEY,
  default_vat_rate: ['must be "0.00", "5.00", "13.00" or "25.00"', isVatRate, 'hr.invalid_vat_rate'],
  default_vat_base: ['must be "total" or "taxable"'],
}

/** The members of the lines of a list. */
const LINES: Partial<Record<ChainKey, readonly string[]>> = {
  vat: ['rate', 'base', 'amount'],
  consumption_tax: ['rate', 'base', 'amount'],
  other_taxes: ['name', 'rate', 'base', 'amount'],
  fees: ['name', 'amount'],
}

/** Sales read these of a company only. */
const OF_COMPANY: readonly ChainKey[] = ['default_vat_base', 'sequence_mode', 'activity']

const keysOf = (level: LevelName) =>
  level === 'fiscal_config' ? CHAIN_KEYS : CHAIN_KEYS.filter((key) => !OF_COMPANY.includes(key))

/** The faults of a configuration. `null` sets none, and what sales do not read may be anything. */
export function settingFaults(level: LevelName, config: ConfigLevel): SettingFault[] {
  const faults = keysOf(level).flatMap((key) => {
    const value = Object.hasOwn(config, key) ? config[key] : undefined
    // A company always has a base.
    if (value === undefined || (value === null && key !== 'default_vat_base')) return []
    return faultOf(key, value) ?? []
  })
  const ofReceipts = receiptStyleProblems(config).filter(({ isFault }) => isFault)
  return [...faults, ...ofReceipts.map(({ path, say }) => wrongForm(path, say))]
}

const wrongForm = (path: string, say: string): SettingFault => ({
  path,
  code: 'invalid_request',
  say,
  isIgnored: true,
})

function faultOf(key: ChainKey, value: unknown): SettingFault | undefined {
  const members = LINES[key]
  if (members && Array.isArray(value) && value.length <= TAX_LINES) {
    const faults = value.flatMap((line, i) =>
      members.flatMap((name) => lineFault(key, `${key}[${i}]`, name, line) ?? []),
    )
    // A wrong form decides about the list as a whole.
    return faults.find(({ isIgnored }) => isIgnored) ?? faults[0]
  }
  const [say, isFine, code = 'invalid_request'] = FORMS[key]
  if (!hasShape(key, value)) return wrongForm(key, say)
  return isFine?.(String(value)) === false ? { path: key, code, say, isIgnored: false } : undefined
}

function lineFault(
  key: ChainKey,
  line: string,
  name: string,
  values: Record<string, unknown> | null,
): SettingFault | undefined {
  const value = values?.[name]
  const path = `${line}.${name}`
  if (name === 'name') {
    if (!isText(value, 1, TAX_NAME_LENGTH))
      return wrongForm(path, `must be a text of 1 to ${TAX_NAME_LENGTH} characters`)
    return isXmlText(value) ? undefined : { path, code: 'invalid_request', say: TEXT[0], isIgnored: false }
  }
  if (!isMoney(value)) return wrongForm(path, MONEY[0])
  const rule = name === 'rate' ? RATES[key as keyof typeof RATES] : undefined
  return rule?.isFine(value) === false ? { path, code: rule.code, say: rule.say, isIgnored: false } : undefined
}

/** A key that no sale reads. */
export interface UnreadSetting {
  key: string
  /** The key that is spelled nearly like it. */
  near: string | undefined
}

export function unreadSettings(level: LevelName, config: ConfigLevel): UnreadSetting[] {
  const known: readonly string[] = [...keysOf(level), 'receipt']
  const unread = Object.keys(config).filter((key) => !known.includes(key))
  const ofReceipts = receiptStyleProblems(config).filter(({ isFault }) => !isFault)
  return [
    ...unread.map((key) => ({ key, near: known.find((one) => isNear(one, plain(key))) })),
    ...ofReceipts.map(({ path }) => ({ key: path, near: undefined })),
  ]
}

/** `defaultVatRate` and `Default-VAT-rate` are `default_vat_rate`. */
const plain = (key: string) =>
  key
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase()

/** Whether all that differs lies within one letter, or two neighbours. */
function isNear(known: string, other: string): boolean {
  const length = Math.max(known.length, other.length)
  const shorter = Math.min(known.length, other.length)
  let [start, end] = [0, 0]
  while (start < shorter && known[start] === other[start]) start++
  while (end < shorter - start && known.at(-1 - end) === other.at(-1 - end)) end++
  return length - start - end <= (known.length > 5 ? 2 : 1)
}
