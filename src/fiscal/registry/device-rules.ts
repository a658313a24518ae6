import { type FiskError, invalidRequest, type Reason } from '../../domain/errors.ts'
import { isPremisesCode, isRegisterMark } from '../../domain/sale/receipt-number.ts'
import { DEVICE_LABEL_LENGTH, PREMISES_ADDRESS_LENGTH } from '../../domain/text-lengths.ts'
import { NAME_SAID, nameFault, tidyName } from '../../domain/texts/name.ts'
import { isXmlText } from '../../domain/xml-text.ts'

/** The text input for a device, by the field names of the interface. */
export interface TypedDevice {
  label?: string
  premises_code?: string
  premises_address?: string
  isu_number?: string
}

/** The rules of `/v1` for a device, field by field, for what has come past no schema. Fields that are not there are not looked at. */
export function deviceFaults(typed: TypedDevice): FiskError[] {
  const { label, premises_code: code, premises_address: address, isu_number: isu } = typed
  const faults: [keyof TypedDevice, Reason | undefined][] = [
    ['label', label === undefined ? undefined : labelFault(label)],
    ['premises_code', code === undefined ? undefined : premisesFault(code)],
    ['premises_address', address === undefined ? undefined : addressFault(address)],
    ['isu_number', isu === undefined ? undefined : isuNumberFault(isu)],
  ]
  return faults.flatMap(([field, reason]) => (reason ? invalidRequest(field, SAID[reason] ?? '', reason) : []))
}

function labelFault(label: string): Reason | undefined {
  const name = tidyName(label)
  return [...name].length > DEVICE_LABEL_LENGTH ? 'label_too_long' : nameFault(name)
}

function premisesFault(code: string): Reason | undefined {
  if (code === '') return 'premises_code_missing'
  return isPremisesCode(code) ? undefined : 'premises_code_wrong'
}

function addressFault(address: string): Reason | undefined {
  if ([...address].length > PREMISES_ADDRESS_LENGTH) return 'address_too_long'
  return isXmlText(address) ? undefined : 'address_characters'
}

function isuNumberFault(isu: string): Reason | undefined {
  const isMark: boolean = isRegisterMark(isu)
  if (isMark) return undefined
  if (!/^\d+$/.test(isu)) return 'isu_number_not_digits'
  return isu.startsWith('0') ? 'isu_number_zero' : 'isu_number_too_long'
}

const SAID: Partial<Record<Reason, string>> = {
  label_missing: `label ${NAME_SAID.label_missing}`,
  label_too_long: `label must have at most ${DEVICE_LABEL_LENGTH} characters`,
  label_characters: `label ${NAME_SAID.label_characters}`,
  premises_code_missing: 'premises_code must not be empty',
  premises_code_wrong: 'premises_code must be 1 to 20 letters a-z, A-Z and digits',
  address_too_long: `premises_address must have at most ${PREMISES_ADDRESS_LENGTH} characters`,
  address_characters: 'premises_address must not hold control characters',
  isu_number_not_digits: 'isu_number must have digits only',
  isu_number_zero: 'isu_number must not begin with 0',
  isu_number_too_long: 'isu_number must have at most 20 digits',
}
