import { CROATIAN_ERRORS } from '../../domain/texts/error-texts.ts'
import type { Language } from './language.ts'
import { translate } from './translate.ts'

interface RefusalWords {
  /** What happened, in the language of the reader. */
  said: string
  /** What the daemon said itself, where that has no translation: nothing of it may be lost. */
  original: string | null
}

/** A refusal in words of its reader: of its message where that is a known one, otherwise of its code. */
export function refusalWords(code: string, message: string, language: Language): RefusalWords {
  const said = translate(message, language)
  if (language === 'en' || said !== message || !isKnown(code)) return { said, original: null }
  return { said: `${CROATIAN_ERRORS[code].title}.`, original: message }
}

const isKnown = (code: string): code is keyof typeof CROATIAN_ERRORS => Object.hasOwn(CROATIAN_ERRORS, code)
