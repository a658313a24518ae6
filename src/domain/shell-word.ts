import { withoutControls } from './control-characters.ts'

const PLAIN = /^[\p{L}\p{N}_.,:/@%+=-]+$/u
/** What a shell reads something into between double quotes. */
const SPECIAL = /["$`\\!]/

/** A text as one word of a command line that somebody types into a shell; control characters are left out. */
export function shellWord(text: string): string {
  const typed = withoutControls(text)
  if (PLAIN.test(typed) && !typed.startsWith('-')) return typed
  return SPECIAL.test(typed) ? `'${typed.replaceAll("'", `'\\''`)}'` : `"${typed}"`
}
