import { FORMATS } from '../contract/v1/formats.ts'

const FORMAT_CHECKS: Record<string, (text: string) => boolean> = Object.fromEntries(
  Object.entries(FORMATS).map(([name, { check }]) => [name, check]),
)

/** Ajv as `/v1` wants it: nothing is coerced, dropped or filled in behind the caller's back. */
export const AJV_OPTIONS = {
  coerceTypes: false as const,
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  formats: FORMAT_CHECKS,
}
