import { invalidRequest, type Reason } from '../errors.ts'
import { isXmlText } from '../xml-text.ts'

/** C0 and C1 controls, what reorders text, and what nobody sees: zero-width and other format characters, fillers, separators of lines. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2800]/u

/** A label or name as it is stored and compared: without the blanks, tabs and line ends around it, in composed letters (NFC). */
export function tidyName(text: string): string {
  return text.trim().normalize('NFC')
}

/** What is wrong with a tidy name: with characters that nobody sees two names look alike, or turn around what stands beside them. */
export function nameFault(name: string): Extract<Reason, 'label_missing' | 'label_characters'> | undefined {
  if (name === '') return 'label_missing'
  return UNSEEN.test(name) || !isXmlText(name) ? 'label_characters' : undefined
}

export const NAME_SAID = {
  label_missing: 'must not be blank',
  label_characters: 'must not hold control characters, nor characters that reverse text or have no width',
}

/** A name as it is stored. @throws FiskError `invalid_request` */
export function nameOf(field: string, text: string): string {
  const name = tidyName(text)
  const fault = nameFault(name)
  if (fault) throw invalidRequest(field, `${field} ${NAME_SAID[fault]}`, field === 'label' ? fault : undefined)
  return name
}

/** How a name may stand in a database: as it came, as it is stored now, and in decomposed letters, which were stored once. */
export function spellingsOf(text: string): string[] {
  const tidy = tidyName(text)
  return [...new Set([text, tidy, tidy.normalize('NFD')])]
}
