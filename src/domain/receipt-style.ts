import type { ConfigLevel } from './config-chain.ts'
import { RECEIPT_LANGUAGES, type ReceiptLanguage, type ReceiptStyle } from './receipt.ts'

const MAX_LINES = 20
const MAX_CHARACTERS = 200

/**
 * How receipts look, from the member `receipt` of each level: `device_config`, then `fiscal_config`. Each of its members
 * is taken from the first level that has it; what has the wrong shape is ignored, as everywhere in the chain.
 */
export function receiptStyle(levels: readonly ConfigLevel[]): ReceiptStyle {
  const receipts = levels.map(({ receipt }) => receipt).filter(isObject)
  const first = <T>(key: string, isFine: (value: unknown) => value is T): T | undefined =>
    receipts.map((receipt) => receipt[key]).find(isFine)
  return {
    header: first('header', isLines) ?? [],
    footer: first('footer', isLines) ?? [],
    language: first('language', isLanguage) ?? 'hr',
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isLanguage = (value: unknown): value is ReceiptLanguage => RECEIPT_LANGUAGES.includes(value as ReceiptLanguage)
const isLines = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= MAX_LINES &&
  value.every((line) => typeof line === 'string' && line.length <= MAX_CHARACTERS)
