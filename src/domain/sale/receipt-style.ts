import { isXmlText } from '../xml-text.ts'
import type { ConfigLevel } from './config-chain.ts'
import {
  RECEIPT_LANGUAGES,
  RECEIPT_PAPERS,
  type ReceiptLanguage,
  type ReceiptPaper,
  type ReceiptStyle,
} from './receipt.ts'
import type { SaleType } from './sale.ts'

export const MAX_LINES = 20
export const MAX_CHARACTERS = 200

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isLanguage = (value: unknown): value is ReceiptLanguage => RECEIPT_LANGUAGES.includes(value as ReceiptLanguage)
const isPaper = (value: unknown): value is ReceiptPaper => RECEIPT_PAPERS.includes(value as ReceiptPaper)
const isLines = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length <= MAX_LINES &&
  value.every((line) => typeof line === 'string' && [...line].length <= MAX_CHARACTERS && isXmlText(line))

const LINES = `must be a list of at most ${MAX_LINES} texts of at most ${MAX_CHARACTERS} characters`
const MEMBERS: { [K in keyof ReceiptStyle]: { isFine: (value: unknown) => value is ReceiptStyle[K]; say: string } } = {
  header: { isFine: isLines, say: LINES },
  footer: { isFine: isLines, say: LINES },
  language: { isFine: isLanguage, say: 'must be hr, en or both' },
  paper: { isFine: isPaper, say: `must be ${RECEIPT_PAPERS.join(' or ')}` },
}

/**
 * The layout of receipts from the member `receipt` of each level: of each field the first level that has it; values of
 * the wrong type are ignored. A customer at a machine wants little paper, one at a till may need to read it.
 */
export function receiptStyle(levels: readonly ConfigLevel[], saleType: SaleType = 'unattended'): ReceiptStyle {
  const receipts = levels.map(({ receipt }) => receipt).filter(isObject)
  const first = <K extends keyof ReceiptStyle>(key: K) =>
    receipts.map((receipt) => receipt[key]).find(MEMBERS[key].isFine)
  return {
    header: first('header') ?? [],
    footer: first('footer') ?? [],
    language: first('language') ?? 'hr',
    paper: first('paper') ?? (saleType === 'attended' ? 'full' : 'compact'),
  }
}

/** An ignored setting of receipts; `isFault` where its key is one that is read. */
interface ReceiptStyleProblem {
  path: string
  say: string
  isFault: boolean
}

/** The ignored receipt settings of a level, with the expected form. `null` says nothing. */
export function receiptStyleProblems({ receipt }: ConfigLevel): ReceiptStyleProblem[] {
  if (receipt === undefined || receipt === null) return []
  if (!isObject(receipt)) return [{ path: 'receipt', say: 'must be an object', isFault: true }]
  return Object.entries(receipt).flatMap(([key, value]): ReceiptStyleProblem[] => {
    const path = `receipt.${key}`
    const member = Object.hasOwn(MEMBERS, key) ? MEMBERS[key as keyof ReceiptStyle] : undefined
    if (!member) return [{ path, say: 'means nothing', isFault: false }]
    return value === null || member.isFine(value) ? [] : [{ path, say: member.say, isFault: true }]
  })
}
