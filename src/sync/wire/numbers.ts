import type { SeenNumber } from '../../fiscal/ports/seen-numbers.ts'
import type { WireNumber } from './messages.ts'

export function encodeNumber({ companyId, premisesCode, ...rest }: SeenNumber): WireNumber {
  return { company_id: companyId, premises_code: premisesCode, ...rest }
}

export function decodeNumber({ company_id, premises_code, ...rest }: WireNumber): SeenNumber {
  return { companyId: company_id, premisesCode: premises_code, ...rest }
}
