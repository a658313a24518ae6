import { type FiskError, invalidRequest, type Reason } from '../../domain/errors.ts'
import { isPremisesCode, isRegisterMark } from '../../domain/sale/receipt-number.ts'
import { DEVICE_LABEL_LENGTH, PREMISES_ADDRESS_LENGTH } from '../../domain/text-lengths.ts'
import { NAME_SAID, nameFault, tidyName } from '../../domain/texts/name.ts'
import { isXmlText } from '../../domain/xml-text.ts'

/** The rules of `/v1` for a device, by the field names of the interface. */
const RULES = {
  label(text) {
    const name = tidyName(text)
    return [...name].length > DEVICE_LABEL_LENGTH ? 'label_too_long' : nameFault(name)
  },
  premises_code(code) {
    if (code === '') return 'premises_code_missing'
    return isPremisesCode(code) ? undefined : 'premises_code_wrong'
  },
  premises_address(address) {
    if ([...address].length > PREMISES_ADDRESS_LENGTH) return 'address_too_long'
    return isXmlText(address) ? undefined : 'address_characters'
  },
  isu_number(isu) {
    const isMark: boolean = isRegisterMark(isu)
    if (isMark) return undefined
    if (!/^\d+$/.test(isu)) return 'isu_number_not_digits'
    return isu.startsWith('0') ? 'isu_number_zero' : 'isu_number_too_long'
  },
} satisfies Record<string, (text: string) => Reason | undefined>

/** The text input for a device. */
export type TypedDevice = { [F in keyof typeof RULES]?: string }

/** Field by field, for what has come past no schema. Fields that are not there are not looked at. */
export function deviceFaults(typed: TypedDevice): FiskError[] {
  return (Object.keys(RULES) as (keyof TypedDevice)[]).flatMap((field) => {
    const text = typed[field]
    const reason: Reason | undefined = text === undefined ? undefined : RULES[field](text)
    return reason ? invalidRequest(field, SAID[reason] ?? '', reason) : []
  })
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
