/** A postal code before the name of its town: `10000 Zagreb`, `HR-10000 Zagreb`. */
const AFTER_CODE = /^(?:HR-)?\d{5} +(\S.*)$/i

/** The town in a typed address: after a postal code, else after the last comma unless with a digit; else empty. */
export function townOf(address: string | null): string {
  const parts = (address ?? '').split(',').map((part) => part.trim())
  const coded = parts.map((part) => AFTER_CODE.exec(part)?.[1]).find((town) => town !== undefined)
  if (coded !== undefined) return coded
  const last = parts.length > 1 ? (parts.at(-1) ?? '') : ''
  return /\d/.test(last) ? '' : last
}
