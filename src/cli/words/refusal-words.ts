import { CROATIAN_ERRORS } from '../../domain/texts/error-texts.ts'
import { type Language, translate } from './translate.ts'

/**
 * A refusal in words of its reader: of its message where that is a known one, otherwise of its code. `original` is what
 * the daemon said itself, where that has no translation: nothing of it may be lost.
 */
export function refusalWords(code: string, message: string, language: Language) {
  const said = translate(message, language)
  if (language === 'en' || said !== message || !isKnown(code)) return { said, original: null }
  return { said: `${CROATIAN_ERRORS[code].title}.`, original: message }
}

const isKnown = (code: string): code is keyof typeof CROATIAN_ERRORS => Object.hasOwn(CROATIAN_ERRORS, code)
