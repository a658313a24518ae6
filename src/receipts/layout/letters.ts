import type { PrinterSettings } from '../../domain/printer.ts'
import { charactersOf } from '../escpos/code-pages.ts'
import { load } from '../lazy-packages.ts'

/** The usual spelling of Croatian without its special letters. */
const CROATIAN: Record<string, string> = { č: 'c', ć: 'c', đ: 'dj', š: 's', ž: 'z', Č: 'C', Ć: 'C', Š: 'S', Ž: 'Z' }

/** Anything that ends or spaces text, every control character (C0, C1) among them. */
const SPACES = /[\p{Cc}\p{Z}]/gu
/** Invisible characters: direction marks, joiners, soft hyphens, surrogates, unassigned and private code points. */
const UNSEEN = /[\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu
/** Two letters in one, which no code page has; their `ž` is on some. */
const DIGRAPHS = /[\u01c4-\u01cc]/g
/** The Icelandic letter that looks like `Đ`, and stands for it in old data. */
const ETH: Record<string, string> = { Ð: 'Đ', ð: 'đ' }
/** Faces, flags, skin tones. Some signs of ordinary text may be pictures too. */
const PICTOGRAPH = /^(?![©®\u2122\u203c\u2049])[\p{Extended_Pictographic}\p{Regional_Indicator}\p{Emoji_Modifier}]$/u
/** A longer transliteration is a description or a sentence: some ligatures stand for a whole blessing. */
const MOST_LETTERS = 4
/** Spelled as they look; `%0` would mean another value. */
const PER_MILLE: Record<string, string> = { '‰': 'o/oo', '‱': 'o/ooo' }
const BEYOND_ASCII = /[^\x20-\x7e]/
const ALL_BEYOND_ASCII = /[^\x20-\x7e]/g

/**
 * Converts a text for a printer with this encoding: letters that its code page lacks are transliterated, and characters
 * without a transliteration are left out, as pictographs are; no `?` is added. A name cannot contain commands for the
 * printer, because control characters become spaces.
 */
export function printable(text: string, encoding: PrinterSettings['encoding']): string {
  const clean = cleaned(text)
  if (!BEYOND_ASCII.test(clean)) return clean
  const page = charactersOf(encoding)
  const characters = [...clean]
  return characters
    .map((char, index) => (char <= '~' || page.has(char) ? char : transliterated(char, index, characters, page)))
    .join('')
}

function cleaned(text: string): string {
  return text
    .normalize('NFC')
    .replace(SPACES, ' ')
    .replace(UNSEEN, '')
    .replace(DIGRAPHS, (char) => char.normalize('NFKC'))
    .replace(/[Ðð]/g, (char) => ETH[char] ?? char)
}

function transliterated(char: string, index: number, text: readonly string[], page: ReadonlySet<string>): string {
  if (char === 'Đ') return besideCapital(index, text) ? 'DJ' : 'Dj'
  const spelled = CROATIAN[char] ?? PER_MILLE[char] ?? spelling(char, page)
  // `1½` is not `11/2`.
  const isFraction = spelled.length > 1 && spelled.includes('/')
  return isFraction && /^\p{N}$/u.test(text[index - 1] ?? '') ? ` ${spelled}` : spelled
}

function spelling(char: string, page: ReadonlySet<string>): string {
  if (PICTOGRAPH.test(char)) return ''
  const bare = [...char.normalize('NFD')].filter((part) => part <= '~' || page.has(part)).join('')
  if (bare !== '') return bare
  const ascii = load<typeof import('any-ascii')>('any-ascii').default(char).replace(ALL_BEYOND_ASCII, '')
  const letters = char.normalize('NFKC').includes('?') ? ascii : ascii.replaceAll('?', '')
  return letters.length > MOST_LETTERS ? '' : letters
}

function besideCapital(index: number, text: readonly string[]): boolean {
  const capital = (char = '') => /^\p{Lu}$/u.test(char)
  const next = text[index + 1] ?? ''
  return /^\p{L}$/u.test(next) ? capital(next) : capital(text[index - 1])
}
