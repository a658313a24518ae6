import { withoutControls } from '../../domain/control-characters.ts'
import { translate, translateLabel } from '../words/translate.ts'
import { PLAIN_SCREEN, type Screen } from './screen.ts'

/** Croatian and its neighbours in composed letters, and common punctuation: one column each. */
const PLAIN = /^[\u0020-\u02FF\u2010-\u2027]*$/
const WIDE =
  /\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hangul}|\p{Script=Hiragana}|\p{Script=Katakana}|[\uFF01-\uFF60]/u

let segmenter: Intl.Segmenter | undefined

/** What a reader takes for letters. The segmenter takes a while to make, and plain text does without it. */
function letters(text: string): string[] {
  if (PLAIN.test(text)) return [...text]
  segmenter ??= new Intl.Segmenter('hr', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Makes stored text safe to show: one line, composed letters, no control characters that a terminal would obey. */
export function clean(text: string): string {
  return withoutControls(text.normalize('NFC'))
}

/** How many columns a text takes on a terminal. */
export function columns(text: string): number {
  let sum = 0
  for (const letter of letters(text)) sum += WIDE.test(letter) ? 2 : 1
  return sum
}

/** Shortens a text to so many columns, with an ellipsis for what is gone. */
export function shorten(text: string, width: number): string {
  const shown = clean(text)
  return columns(shown) <= width ? shown : `${head(shown, width - 1)}…`
}

function head(text: string, width: number): string {
  let taken = ''
  let used = 0
  for (const letter of letters(text)) {
    used += WIDE.test(letter) ? 2 : 1
    if (used > width) break
    taken += letter
  }
  return taken
}

/** Narrower lines would be a pillar of single letters. */
const NARROWEST = 20

/**
 * Breaks a text into lines of at most so many columns; a word longer than a line is broken too. A letter that is wider
 * than a line gets one of its own.
 */
export function lines(text: string, width: number): string[] {
  const result: string[] = []
  let line = ''
  for (const word of clean(text).split(' ').filter(Boolean)) {
    let rest = word
    const joined = line === '' ? rest : `${line} ${rest}`
    if (columns(joined) <= width) {
      line = joined
      continue
    }
    if (line !== '') result.push(line)
    while (columns(rest) > width) {
      const part = head(rest, width) || (letters(rest)[0] ?? rest)
      result.push(part)
      rest = rest.slice(part.length)
    }
    line = rest
  }
  if (line !== '') result.push(line)
  return result
}

/** A paragraph that starts with `first` and goes on under its own beginning. */
export function paragraph(first: string, text: string, screen = PLAIN_SCREEN): string {
  return indented(translateLabel(first, screen.language), translate(text, screen.language), screen)
}

function indented(first: string, text: string, screen: Screen): string {
  const indent = columns(first)
  return lines(text, Math.max(NARROWEST, screen.columns - indent))
    .map((line, index) => `${index === 0 ? first : ' '.repeat(indent)}${line}\n`)
    .join('')
}

/** Names and values under each other; a value of null is left out. */
export function fields(rows: [name: string, value: string | null][], screen = PLAIN_SCREEN): string {
  const { language } = screen
  const shown = rows.flatMap(([name, value]): [string, string][] =>
    value === null ? [] : [[translateLabel(name, language), translate(value, language) || '-']],
  )
  const width = Math.max(0, ...shown.map(([name]) => columns(name))) + 2
  return shown.map(([name, value]) => indented(name + ' '.repeat(width - columns(name)), value, screen)).join('')
}
