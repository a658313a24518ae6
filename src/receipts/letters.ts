import type { PrinterSettings } from '../domain/printer.ts'
import { charactersOf } from './code-pages.ts'
import { load } from './lazy.ts'

/** As people write Croatian where its letters are missing. */
const CROATIAN: Record<string, string> = { č: 'c', ć: 'c', đ: 'dj', š: 's', ž: 'z', Č: 'C', Ć: 'C', Š: 'S', Ž: 'Z' }

/** Anything that ends or spaces text, every control character (C0, C1) among them. */
const SPACES = /[\p{Cc}\p{Z}]/gu
/** What is not seen: marks of direction, joiners, soft hyphens, halves of characters, what no standard describes. */
const UNSEEN = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu
const BEYOND_ASCII = /[^\x20-\x7e]/
const ALL_BEYOND_ASCII = /[^\x20-\x7e]/g

/**
 * What a printer with this encoding can print of a text: letters that its code page lacks are transliterated, and what
 * nobody can write otherwise is left out; a `?` stands only where the text has one. A name cannot carry commands for the
 * printer, for control characters become spaces.
 */
export function printable(text: string, encoding: PrinterSettings['encoding']): string {
  const clean = text.normalize('NFC').replace(SPACES, ' ').replace(UNSEEN, '')
  if (!BEYOND_ASCII.test(clean)) return clean
  const page = charactersOf(encoding)
  const characters = [...clean]
  return characters
    .map((char, index) => (char <= '~' || page.has(char) ? char : transliterated(char, index, characters, page)))
    .join('')
}

function transliterated(char: string, index: number, text: readonly string[], page: ReadonlySet<string>): string {
  if (char === 'Đ') return besideCapital(index, text) ? 'DJ' : 'Dj'
  const croatian = CROATIAN[char]
  if (croatian !== undefined) return croatian
  const bare = [...char.normalize('NFD')].filter((part) => part <= '~' || page.has(part)).join('')
  if (bare !== '') return bare
  return load<typeof import('any-ascii')>('any-ascii').default(char).replace(ALL_BEYOND_ASCII, '')
}

function besideCapital(index: number, text: readonly string[]): boolean {
  const capital = (char = '') => /^\p{Lu}$/u.test(char)
  const next = text[index + 1] ?? ''
  return /^\p{L}$/u.test(next) ? capital(next) : capital(text[index - 1])
}
