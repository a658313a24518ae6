/** What a phrase book knows of the values between the words of its phrases, by the names of their slots. */
export interface ValueRules {
  /** Slots whose value is a phrase itself. */
  phrases: ReadonlySet<string>
  /** Slots whose value has a certain form: no other text is taken for one of these phrases. */
  forms: Readonly<Record<string, RegExp>>
  /** Says a value that is a word of its own; the value itself where it is none. */
  word: (slot: string, value: string) => string
}

type Phrase = ReturnType<typeof phrasesOf>[number]

/**
 * What made the text need not know of other languages, nor be of this version.
 * @param table translations by their English words, `{slots}` for values, the same in both @param inner says phrases
 * @returns the translation of a whole phrase; null for a text that is none
 */
export function phraseBook(
  table: Readonly<Record<string, string>>,
  rules: ValueRules,
  inner: (text: string) => string,
): (text: string) => string | null {
  let sorted: Phrase[] | undefined
  const said = (slot: string, value = '') => (rules.phrases.has(slot) ? inner(value) : rules.word(slot, value))
  return (text) => {
    // Most runs need none of it.
    sorted ??= phrasesOf(table)
    for (const phrase of sorted) {
      const values = valuesIn(text, phrase, rules.forms)
      if (values) return phrase.translation.replace(/\{(\w+)\}/g, (_, slot: string) => said(slot, values.get(slot)))
    }
    return null
  }
}

function phrasesOf(table: Readonly<Record<string, string>>) {
  const phrases = Object.entries(table).map(([english, translation]) => {
    const parts = english.split(/\{(\w+)\}/)
    return {
      literals: parts.filter((_, at) => at % 2 === 0),
      slots: parts.filter((_, at) => at % 2 === 1),
      translation,
    }
  })
  // The one that says the most comes first.
  return phrases.sort((one, other) => other.literals.join('').length - one.literals.join('').length)
}

/** The values of a phrase in a text that is one. Looks for each literal once, so no text can take long. */
function valuesIn(text: string, { literals, slots }: Phrase, forms: ValueRules['forms']): Map<string, string> | null {
  const [first = '', ...rest] = literals
  if (!text.startsWith(first)) return null
  if (rest.length === 0) return text === first ? new Map() : null
  const values = new Map<string, string>()
  let from = first.length
  for (const [at, literal] of rest.entries()) {
    const isLast = at === rest.length - 1
    const end = isLast ? text.length - literal.length : text.indexOf(literal, from)
    if (end < from || (isLast && !text.endsWith(literal))) return null
    const [slot = '', value] = [slots[at], text.slice(from, end)]
    if (forms[slot]?.test(value) === false) return null
    values.set(slot, value)
    from = end + literal.length
  }
  return values
}

/** Translates a text that puts phrases together: with semicolons between them, or sentence by sentence. */
export function translateParts(text: string, whole: (text: string) => string | null): string {
  const translated = whole(text)
  if (translated !== null) return translated
  for (const [between, joint] of JOINTS) {
    const parts = text.split(between)
    if (parts.length > 1) return parts.map((part) => translateParts(part, whole)).join(joint)
  }
  return text
}

const JOINTS: [between: RegExp, joint: string][] = [
  [/; /, '; '],
  [/(?<=[.!?]) (?=[A-Z"/])/, ' '],
]
