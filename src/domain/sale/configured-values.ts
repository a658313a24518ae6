import { FiskError, invalidRequest } from '../errors.ts'
import { CHAIN_KEYS, type ChainKey, type ConfigLevel, hasShape, type LevelName, LINK_DAYS } from './config-chain.ts'
import { receiptStyleProblems } from './receipt-style.ts'
import { checkConfigured } from './sale-rules.ts'

/** Sales read these of a company only. */
const OF_COMPANY: readonly ChainKey[] = ['default_vat_base', 'sequence_mode', 'receipt_link_days', 'activity']

const keysOf = (level: LevelName) =>
  level === 'fiscal_config' ? CHAIN_KEYS : CHAIN_KEYS.filter((key) => !OF_COMPANY.includes(key))

/** A value that no sale can have. Sales ignore one of the wrong type where it is stored; of another one they are refused. */
export interface SettingFault {
  /** With the code of the rule, and the path of the value as `param`. */
  error: FiskError
  isIgnored: boolean
}

const WRONG_FORM: Partial<Record<ChainKey, string>> & { other: string } = {
  receipt_link: 'must be "on" or "off"; null in a device_config means off',
  receipt_link_days: `must be a text with a number of days, "1" to "${LINK_DAYS.most}"`,
  other: 'has not the form of the field in a sale: amounts and rates are texts with two decimals, like "25.00"',
}

/** What is wrong with a configuration. `null` sets none, and what sales do not read may be anything. */
export function settingFaults(level: LevelName, config: ConfigLevel): SettingFault[] {
  const ignored = keysOf(level).flatMap((key) => {
    const value = Object.hasOwn(config, key) ? config[key] : undefined
    // A company always has a base.
    const isFine = value === undefined || hasShape(key, value) || (value === null && key !== 'default_vat_base')
    const param = `${level}.${key}`
    return isFine ? [] : invalidRequest(param, `${param} ${WRONG_FORM[key] ?? WRONG_FORM.other}`)
  })
  for (const { path, say, isFault } of receiptStyleProblems(config))
    if (isFault) ignored.push(invalidRequest(`${level}.${path}`, `${level}.${path} ${say}`))
  const faults = ignored.map((error) => ({ error, isIgnored: true }))
  try {
    checkConfigured([config])
  } catch (error) {
    if (!(error instanceof FiskError)) throw error
    const { code, message, param } = error
    const named = new FiskError(code, `${level}: ${message}`, { param: `${level}.${param}` })
    faults.push({ error: named, isIgnored: false })
  }
  return faults
}

/** The keys that no sale reads, each with the one that is spelled nearly like it. */
export function unreadSettings(level: LevelName, config: ConfigLevel): { key: string; near?: string | undefined }[] {
  const known: readonly string[] = [...keysOf(level), 'receipt']
  const unread = Object.keys(config).filter((key) => !known.includes(key))
  const ofReceipts = receiptStyleProblems(config).filter(({ isFault }) => !isFault)
  const near = (key: string) => known.find((one) => isNear(one, plain(key)))
  return [...unread.map((key) => ({ key, near: near(key) })), ...ofReceipts.map(({ path }) => ({ key: path }))]
}

/** `defaultVatRate` and `Default-VAT-rate` are `default_vat_rate`. */
const plain = (key: string) =>
  key
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/[\s-]+/g, '_')
    .toLowerCase()

/** Whether all that differs lies within one letter, or two neighbours. */
function isNear(known: string, other: string): boolean {
  const shorter = Math.min(known.length, other.length)
  let [start, end] = [0, 0]
  while (start < shorter && known[start] === other[start]) start++
  while (end < shorter - start && known.at(-1 - end) === other.at(-1 - end)) end++
  return Math.max(known.length, other.length) - start - end <= (known.length > 5 ? 2 : 1)
}
