/** The typed parts of `number/premises/register`. */
export interface WantedNumber {
  number: string
  premisesCode: string | null
  registerMark: string | null
}

/** There may be several: eight digits are a number, and may start a JIR or a ZKI. Empty when the text is none of these. */
export interface SearchedFor {
  number?: WantedNumber
  /** Both at least 8 characters, in lower case. */
  jir?: string
  zki?: string
  id?: string
}

const NUMBER = /^0*([1-9]\d{0,19})(?:\s*[/-]\s*([0-9a-zA-Z]{1,20})(?:\s*[/-]\s*0*([1-9]\d{0,19}))?)?$/
const ID = /^inv_[0-9A-Za-z_-]{1,64}$/
/** The link in the QR code of a receipt. */
const LINK = /^https?:\S*[?&](?:jir|zki)=([0-9a-fA-F-]{8,36})(?:&|$)/
const CODE = /^[0-9a-f]{8,32}$/
const DASHED = /^[0-9a-f]{8}-[0-9a-f-]{0,27}$/

export function readSearch(text: string): SearchedFor {
  const typed = text.trim().slice(0, 500)
  const sought = LINK.exec(typed)?.[1] ?? typed
  if (ID.test(sought)) return { id: sought }
  const [, number, premisesCode = null, registerMark = null] = NUMBER.exec(sought) ?? []
  return { ...(number !== undefined && { number: { number, premisesCode, registerMark } }), ...readCode(sought) }
}

/** Printed codes may contain spaces. */
function readCode(text: string): Pick<SearchedFor, 'jir' | 'zki'> {
  const code = text.replace(/\s+/g, '').toLowerCase()
  if (DASHED.test(code)) return { jir: code }
  if (!CODE.test(code)) return {}
  const parts = [code.slice(0, 8), code.slice(8, 12), code.slice(12, 16), code.slice(16, 20), code.slice(20)]
  return { jir: parts.filter(Boolean).join('-'), zki: code }
}
