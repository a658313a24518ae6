const PLAIN = /^[\p{L}\p{N}_.,:/@%+=-]+$/u
/** What a shell reads something into between double quotes. */
const SPECIAL = /["$`\\!]/

/** A text as one word of a command line that somebody types into a shell; control characters are left out. */
export function shellWord(text: string): string {
  const typed = text.replace(/\p{Cc}+/gu, ' ')
  if (PLAIN.test(typed) && !typed.startsWith('-')) return typed
  return SPECIAL.test(typed) ? `'${typed.replaceAll("'", `'\\''`)}'` : `"${typed}"`
}
