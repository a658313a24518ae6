import { isRegisterMark } from '../domain/sale/receipt-number.ts'
import { wrongUse } from './failure.ts'

/** Tells what is wrong with an ISU number before the daemon is asked; undefined when nothing is. */
export function isuNumberFault(value: string): string | undefined {
  const valid: boolean = isRegisterMark(value)
  if (valid) return undefined
  if (value === '') return 'The ISU number is empty.'
  if (!/^\d+$/.test(value)) return 'An ISU number has digits only: no letters, spaces, dots or slashes.'
  if (/^0+$/.test(value)) return 'An ISU number is never 0.'
  if (value.startsWith('0')) {
    return `An ISU number has no leading zeros: did the portal issue ${value.replace(/^0+/, '')}?`
  }
  return 'An ISU number has at most 20 digits.'
}

/** @throws Failure (wrong use) that explains the fault and names the option or argument */
export function checkIsuNumber(param: string, value: string): string {
  const fault = isuNumberFault(value)
  if (fault === undefined) return value
  throw wrongUse(param, fault, "Type the number as the tax authority's portal shows it for this machine.")
}
