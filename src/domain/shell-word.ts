import { withoutControls } from './control-characters.ts'

const PLAIN = /^[\p{L}\p{N}_.,:/@%+=-]+$/u
/** Characters that a shell interprets between double quotes. */
const SPECIAL = /["$`\\!]/

/** Quotes a text as one word of a shell command; control characters are removed. */
export function shellWord(text: string): string {
  const typed = withoutControls(text)
  if (PLAIN.test(typed) && !typed.startsWith('-')) return typed
  return SPECIAL.test(typed) ? `'${typed.replaceAll("'", `'\\''`)}'` : `"${typed}"`
}
