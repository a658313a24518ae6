import { type EpochMs, HOUR_MS } from '../instant.ts'
import { type Cents, centsOf } from '../money.ts'
import type { FiscalDocument, TaxLine } from './sale.ts'
import { isVatRate, MAX_CONSUMPTION_TAX_RATE } from './vat.ts'

/**
 * What the tax authority finds when it analyses a sale afterwards (CIS specification, ch. 13; docs/spec/cis.md, Findings).
 * None of it refuses a sale: one that is arithmetically absurd gets its JIR, and people are told.
 */
export type FindingCode = keyof typeof RULES | keyof typeof TIME_RULES

/** When a message was sent, by its own header, and when the authority had it. */
export interface Delivery {
  sentAt: EpochMs
  arrivedAt: EpochMs
}

/** What the rules look at: of a document, the sums in cents. */
interface Facts {
  document: FiscalDocument
  total: Cents
  /** Sums over the lines. */
  vatBases: Cents
  pnpBases: Cents
  exempt: Cents
  margin: Cents
  nonTaxable: Cents
  /** Whether the parts of an issuer in the VAT system do not add up to the total (v166). */
  unbalanced: boolean
}

const MAX_SKEW_MS = 6 * HOUR_MS
const LATE_MS = 48 * HOUR_MS
const VERY_LATE_MS = 120 * HOUR_MS

/** Sums may differ by rounding: 0.01 of the parts from the total, 0.10 of a tax from its base and rate. */
const SUM_TOLERANCE = 1n
const TAX_TOLERANCE = 10n

const MAX_FEE = 13_500n
const MAX_TOTAL = { G: 1_000_000n, K: 1_000_000n, T: 15_000_000n, O: 15_000_000n }

/** The three ways in which a part of a sale does not fit its total; an amount of zero has no sign. */
const above = (part: Cents, total: Cents) => total >= 0n && part > total
const below = (part: Cents, total: Cents) => total <= 0n && part < total
const ofOtherSign = (part: Cents, total: Cents) => part * total < 0n

const RULES = {
  v105: ({ document }) => BigInt(document.number) === 0n,
  v106: ({ document }) => document.number.length > 6,
  v110: ({ document }) => document.vatRegistered && document.vat.some(({ rate }) => !isVatRate(rate)),
  v112: ({ unbalanced, vatBases, total }) => unbalanced && above(vatBases, total),
  v113: ({ unbalanced, vatBases, total }) => unbalanced && below(vatBases, total),
  v114: ({ unbalanced, vatBases, total }) => unbalanced && ofOtherSign(vatBases, total),
  v117: ({ document }) => document.consumptionTax.some(({ rate }) => centsOf(rate) < 0n),
  v118: ({ document }) => document.consumptionTax.some(({ rate }) => centsOf(rate) > MAX_CONSUMPTION_TAX_RATE),
  v120: (facts) => judgesPnp(facts) && above(facts.pnpBases, facts.total),
  v121: (facts) => judgesPnp(facts) && below(facts.pnpBases, facts.total),
  v122: (facts) => judgesPnp(facts) && ofOtherSign(facts.pnpBases, facts.total),
  v125: ({ document }) => document.otherTaxes.some(isNotZero),
  v126: ({ unbalanced, exempt, total }) => unbalanced && above(exempt, total),
  v127: ({ unbalanced, exempt, total }) => unbalanced && below(exempt, total),
  v128: ({ unbalanced, exempt, total }) => unbalanced && ofOtherSign(exempt, total),
  v129: ({ unbalanced, margin, total }) => unbalanced && above(margin, total),
  v130: ({ unbalanced, margin, total }) => unbalanced && below(margin, total),
  v131: ({ unbalanced, margin, total }) => unbalanced && ofOtherSign(margin, total),
  v132: ({ unbalanced, nonTaxable, total }) => unbalanced && above(nonTaxable, total),
  v133: ({ unbalanced, nonTaxable, total }) => unbalanced && below(nonTaxable, total),
  v134: ({ unbalanced, nonTaxable, total }) => unbalanced && ofOtherSign(nonTaxable, total),
  v141: ({ document }) => document.specialPurpose !== null && document.specialPurpose !== '',
  v142: ({ document }) => !document.vatRegistered && document.vat.some(isNotZero),
  v143: ({ document, exempt }) => !document.vatRegistered && exempt !== 0n,
  v144: ({ document, margin }) => !document.vatRegistered && margin !== 0n,
  v145: ({ document, nonTaxable }) => !document.vatRegistered && nonTaxable !== 0n,
  v160: ({ document }) => document.vatRegistered && document.vat.some((line) => excess(line) < -TAX_TOLERANCE * UNIT),
  v161: ({ document }) => document.vatRegistered && document.vat.some((line) => excess(line) > TAX_TOLERANCE * UNIT),
  v162: ({ document }) => document.consumptionTax.some((line) => excess(line) < -TAX_TOLERANCE * UNIT),
  v163: ({ document }) => document.consumptionTax.some((line) => excess(line) > TAX_TOLERANCE * UNIT),
  v164: ({ document }) => document.fees.some(({ amount }) => centsOf(amount) > MAX_FEE),
  v165: ({ document }) => document.fees.some(({ amount }) => centsOf(amount) < -MAX_FEE),
  v166: ({ unbalanced }) => unbalanced,
  v167: (facts) => !isCashOrCard(facts.document) && isBeyond(facts),
  v168: (facts) => isCashOrCard(facts.document) && isBeyond(facts),
} as const satisfies Record<string, (facts: Facts) => boolean>

const TIME_RULES = {
  v101: ({ sentAt, arrivedAt }) => Math.abs(sentAt - arrivedAt) > MAX_SKEW_MS,
  v103: ({ occurredAt, arrivedAt }) => occurredAt - arrivedAt > MAX_SKEW_MS,
  v104: ({ occurredAt, sentAt }) => occurredAt > sentAt,
  v152: ({ occurredAt, arrivedAt }) => arrivedAt - occurredAt > LATE_MS && arrivedAt - occurredAt <= VERY_LATE_MS,
  v153: ({ occurredAt, arrivedAt }) => arrivedAt - occurredAt > VERY_LATE_MS,
} as const satisfies Record<string, (moments: Delivery & { occurredAt: EpochMs }) => boolean>

/** What is to be looked at: what the sale says, a clock, or why it was delivered late; then the sale itself is right. */
export type FindingSubject = 'content' | 'clock' | 'delay'

export function subjectOf(code: FindingCode): FindingSubject {
  if (code in RULES) return 'content'
  return code === 'v152' || code === 'v153' ? 'delay' : 'clock'
}

/** Of the whole table, in the order of the specification. */
export const FINDING_CODES = [...Object.keys(RULES), ...Object.keys(TIME_RULES)].sort() as FindingCode[]

/** The findings that follow from what is sent. Pure, and the same for every message about a sale. */
export function findingsOf(document: FiscalDocument): FindingCode[] {
  const total = centsOf(document.total)
  const vatBases = sum(document.vat.map(({ base }) => base))
  const pnp = sum(document.consumptionTax.map(({ amount }) => amount))
  const [exempt, margin, nonTaxable] = [document.vatExemptAmount, document.marginAmount, document.nonTaxableAmount].map(
    (amount) => (amount === null ? 0n : centsOf(amount)),
  ) as [Cents, Cents, Cents]
  // The margin amount is not in the authority's formula.
  const parts =
    vatBases +
    sum(document.vat.map(({ amount }) => amount)) +
    pnp +
    exempt +
    nonTaxable +
    sum(document.fees.map(({ amount }) => amount))
  const unbalanced = document.vatRegistered && magnitude(parts - total) > SUM_TOLERANCE
  const pnpBases = sum(document.consumptionTax.map(({ base }) => base))
  return codesWhere(RULES, { document, total, vatBases, pnpBases, exempt, margin, nonTaxable, unbalanced })
}

/** The findings that depend on time: only the message that got the JIR has them. */
export function findingsOfDelivery({ occurredAt }: FiscalDocument, delivery: Delivery): FindingCode[] {
  return codesWhere(TIME_RULES, { occurredAt, ...delivery })
}

/** As an invoice keeps what was found in its delivery; null for nothing. */
export const keptFindings = (codes: readonly FindingCode[]): string | null => codes.join(' ') || null

/** All findings of an invoice. Of what is kept, codes that only a newer gateway knows are left out. */
export function findingsOfInvoice(invoice: { document: FiscalDocument; deliveryFindings: string | null }) {
  const found = new Set<string>([...findingsOf(invoice.document), ...(invoice.deliveryFindings?.split(' ') ?? [])])
  return FINDING_CODES.filter((code) => found.has(code))
}

function codesWhere<Code extends string, T>(rules: Record<Code, (of: T) => boolean>, facts: T): Code[] {
  return (Object.keys(rules) as Code[]).filter((code) => rules[code](facts))
}

const judgesPnp = ({ document, unbalanced }: Facts) => unbalanced || !document.vatRegistered

const isCashOrCard = ({ paymentMethod }: FiscalDocument) => paymentMethod === 'G' || paymentMethod === 'K'
const isBeyond = ({ document, total }: Facts) => magnitude(total) > MAX_TOTAL[document.paymentMethod]

const isNotZero = (line: TaxLine) => [line.rate, line.base, line.amount].some((amount) => centsOf(amount) !== 0n)

/** By how much a tax is above base times rate, unrounded: in ten-thousandths of a cent. */
const excess = ({ rate, base, amount }: TaxLine) => centsOf(amount) * UNIT - centsOf(base) * centsOf(rate)
const UNIT = 10_000n

const magnitude = (cents: Cents) => (cents < 0n ? -cents : cents)
const sum = (amounts: string[]) => amounts.reduce((cents, amount) => cents + centsOf(amount), 0n)
