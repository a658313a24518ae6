import measure from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'
import { escapeControls } from '../../domain/control-characters.ts'
import { translate, translateLabel } from '../words/translate.ts'
import { inEnglish, PLAIN_SCREEN, type Screen } from './screen.ts'

const C0 = /[^\P{Cc}\u007f-\u009f]+/gu

/** Makes stored text safe to show: one line, composed letters, and escapes for what a terminal would obey or hide. */
export function clean(text: string): string {
  return escapeControls(text.normalize('NFC').replace(C0, ' '))
}

export function columns(text: string): number {
  return measure(text)
}

/** Shortens a text to so many columns, with an ellipsis for what is gone. */
export function shorten(text: string, width: number): string {
  const shown = clean(text)
  return columns(shown) <= width ? shown : `${head(shown, width - 1)}…`
}

/** A letter with the marks on it. */
const LETTERS = /\P{M}\p{M}*|\p{M}+/gu

function head(text: string, width: number): string {
  let taken = ''
  for (const [letter] of text.matchAll(LETTERS)) {
    if (columns(taken + letter) > width) break
    taken += letter
  }
  return taken
}

/** Narrower lines would be a pillar of single letters. */
const NARROWEST = 20

/** A name in quotes, as commands have it: a line end in it would be another name. */
const QUOTED = /"[^"]{1,60}"/g
const BOUND = '\u00a0'
const bound = (name: string) => name.replaceAll(' ', BOUND)

/** A word longer than a line is broken, too. A letter that is wider than a line gets one of its own. */
export function lines(text: string, width: number): string[] {
  const words = clean(text).replace(QUOTED, bound).split(' ').filter(Boolean).join(' ')
  return wrapAnsi(words, width, { hard: true }).replaceAll(BOUND, ' ').split('\n').filter(Boolean)
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

/** The same, as a text that has no Croatian. */
export const englishFields = (screen: Screen, rows: Parameters<typeof fields>[0]) => fields(rows, inEnglish(screen))
