/** What a shell takes as it is. Other letters are quoted, because a reader may have to paste them. */
const PLAIN = /^[\w.,:/@%+=-]+$/
/** Characters that a shell interprets between double quotes. */
const SPECIAL = /["$`\\!]/
/** What nobody can type from paper or screen: what is not seen, and blanks that are others than they look or stand together. */
const UNTYPED = /(?! )[\p{C}\p{Z}]|^ +| +$| {2,}/gu

/** Quotes a text as one word of a shell command that gives the text back. What nobody can type stands there as bytes (`$'\xNN'`). */
export function shellWord(text: string): string {
  if (PLAIN.test(text) && !text.startsWith('-')) return text
  if (text.match(UNTYPED)) return `$'${text.replace(/[\\']/g, '\\$&').replace(UNTYPED, bytesOf)}'`
  return SPECIAL.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`
}

const bytesOf = (text: string) =>
  [...Buffer.from(text, 'utf8')].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

/** A command of `fisk` about what has this name, with its values filled in. See `withDeviceName` for a dash. */
export function commandFor(command: string, name: string, { options = '', operands = '' }) {
  const word = shellWord(name)
  return name.startsWith('-') ? `${command}${options} -- ${word}${operands}` : `${command} ${word}${operands}${options}`
}

/** A command with a name in place of DEVICE; one that begins with a dash stands behind `--`, after the options. */
export function withDeviceName(command: string, name: string): string {
  const word = shellWord(name)
  if (!name.startsWith('-')) return command.replaceAll('DEVICE', () => word)
  return command.replace(
    / DEVICE((?: (?!--)[^\s.;]+)*)((?: --[a-z-]+(?: (?!--)[^\s.;,:]+)?)*)/g,
    (_all, operands, options) => {
      return `${options} -- ${word}${operands}`
    },
  )
}
