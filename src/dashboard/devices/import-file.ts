import { ERRORS, type ErrorCode, FiskError, type Reason } from '../../domain/errors.ts'
import { REASON_TEXTS } from '../../domain/texts/reason-texts.ts'
import type { RowError } from '../../fiscal/registry/device-import.ts'

/** As Excel in Croatia opens and saves it: with a byte order mark, semicolons, and line ends of Windows. */
export const SAMPLE = `\ufeff${[
  'label;premises_code;isu_number;device_config',
  'Kavomat predvorje;POSL1;123456789;',
  'Kavomat hodnik;POSL1;;',
  'Grickalice ulaz;POSL2;987654321;"{""payment_method"":""K""}"',
  '',
].join('\r\n')}`

/** @returns undefined for a text that is cut off or changed */
export function fromBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return text !== '' && bytes.toString('base64url') === text ? bytes : undefined
}

/** The page that follows names at most this many refused rows; the preview has shown all of them. */
const MOST_PACKED = 50

export function packWrong(errors: readonly RowError[]): string {
  const some = errors.slice(0, MOST_PACKED)
  return some
    .map(({ row, param, reason, code }) => [row, param?.split('.')[0] ?? '', reason ?? code].join('.'))
    .join(',')
}

/** Reads the address of the page, which a user may have changed: malformed parts are left out. */
export function unpackWrong(text: string) {
  return text.split(',').flatMap((part) => {
    const [, line, field = '', why = ''] = /^(\d{1,5})\.([a-z_]{0,20})\.([a-z_.]{0,60})$/.exec(part) ?? []
    if (line === undefined) return []
    const code = Object.hasOwn(ERRORS, why) ? (why as ErrorCode) : 'invalid_request'
    const reason = Object.hasOwn(REASON_TEXTS.hr, why) ? { reason: why as Reason } : {}
    return [{ line: Number(line), field, refusal: new FiskError(code, ERRORS[code].means, reason) }]
  })
}
