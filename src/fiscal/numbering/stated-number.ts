import { isPremisesCode, isReceiptNumber, isRegisterMark } from '../../domain/sale/receipt-number.ts'
import type { Mode } from '../../domain/sale/sale.ts'

/** The highest number given out, as stated by an operator; null fields match every value. */
export interface StatedNumber {
  text: string
  mode: Mode | null
  /** An OIB, or the id of a company whose OIB is unknown. */
  oib: string | null
  premisesCode: string
  register: string | null
  year: number | null
  /** `0` when no number was ever given out. */
  highest: bigint
}

const FORM =
  /^(?:(test|live)\/)?(?:(\d{11}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/)?([^/@=]+)(?:\/([^/@=]+))?(?:@(\d{4}))?=(\d+)$/

type StatedSequence = Pick<StatedNumber, 'oib' | 'premisesCode' | 'register' | 'year'>

/** A sequence as a statement names it; without a register, also an empty one, the single sequence of a premises. */
export const statedSequence = ({ oib, premisesCode, register, year }: StatedSequence) =>
  `${oib}/${premisesCode}${register ? `/${register}` : ''}@${year}`

/** Reads `[MODE/][OIB/]PREMISES[/REGISTER][@YEAR]=NUMBER`; a register is named together with the OIB. */
export function parseStatedNumber(text: string): StatedNumber | undefined {
  const [, mode, oib = null, premisesCode, register = null, year, number = ''] = FORM.exec(text) ?? []
  if (!isPremisesCode(premisesCode) || (number !== '0' && !isReceiptNumber(number))) return undefined
  if (register !== null && (oib === null || !isRegisterMark(register))) return undefined
  return {
    text,
    mode: (mode as Mode | undefined) ?? null,
    oib,
    premisesCode,
    register,
    year: year === undefined ? null : Number(year),
    highest: BigInt(number),
  }
}
