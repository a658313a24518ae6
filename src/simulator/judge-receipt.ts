import type { XmlElement } from 'libxml2-wasm'
import { type CisError, restrictiveError } from './errors.ts'
import { hasCheckDigit } from './oib.ts'
import { textAt } from './xml.ts'
import { momentsOf } from './zagreb.ts'

/** A self-service machine registered in the tax authority's portal. */
export interface RegisteredDevice {
  oib: string
  premisesCode: string
  /** ISU number. */
  registerMark: string
  /** Closed, or closed for a time: its working hours cannot be changed. */
  closed?: boolean
}

const DAY_MS = 24 * 60 * 60 * 1000
const CLOCK_TOLERANCE_MS = 60 * 1000
const CASH_LIMIT_CENTS = 1_000_000n

/** `s013` with every code that applies (docs/spec/cis.md, Error codes). @param registry null to skip its checks */
export function judgeReceipt(
  receipt: XmlElement,
  now: number,
  registry: readonly RegisteredDevice[] | null,
): CisError | null {
  const codes = [
    ...timeCodes(receipt, now),
    ...(/^0+$/.test(textAt(receipt, 'BrRac', 'BrOznRac') ?? '') ? [178] : []),
    ...personCodes(receipt),
    ...(registry === null ? [] : registryCodes(receipt, registry)),
    ...limitCodes(receipt),
  ]
  return codes.length === 0 ? null : restrictiveError(codes)
}

function timeCodes(receipt: XmlElement, now: number): number[] {
  const moments = momentsOf(textAt(receipt, 'DatVrijeme') ?? '')
  if (moments === null) return []
  if (moments.latest < now - 30 * DAY_MS) return [176]
  return moments.earliest > now + CLOCK_TOLERANCE_MS ? [177] : []
}

function personCodes(receipt: XmlElement): number[] {
  const codes: number[] = []
  const recipient = textAt(receipt, 'OibPrimateljaRacuna')
  if (!hasCheckDigit(textAt(receipt, 'OibOper') ?? '')) codes.push(179)
  if (recipient !== null && !hasCheckDigit(recipient)) codes.push(180)
  if (recipient !== null && textAt(receipt, 'NacinPlac') === 'T') codes.push(181)
  return codes
}

/** 182: the company has no such premises; 183: it has no such ISU number; 184: the number belongs to other premises. */
function registryCodes(receipt: XmlElement, registry: readonly RegisteredDevice[]): number[] {
  const own = registry.filter((device) => device.oib === textAt(receipt, 'Oib'))
  const premises = textAt(receipt, 'BrRac', 'OznPosPr')
  const register = textAt(receipt, 'BrRac', 'OznNapUr')
  const codes: number[] = []
  if (!own.some((device) => device.premisesCode === premises)) codes.push(182)
  const sameNumber = own.filter((device) => device.registerMark === register)
  if (sameNumber.length === 0) codes.push(183)
  else if (!sameNumber.some((device) => device.premisesCode === premises)) codes.push(184)
  return codes
}

function limitCodes(receipt: XmlElement): number[] {
  const payment = textAt(receipt, 'NacinPlac')
  if (payment !== 'G' && payment !== 'K') return []
  const cents = BigInt((textAt(receipt, 'IznosUkupno') ?? '0').replace(/[+\-.]/g, ''))
  return cents > CASH_LIMIT_CENTS ? [185] : []
}
