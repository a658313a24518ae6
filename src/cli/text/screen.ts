import { styleText } from 'node:util'
import type { Io } from '../io.ts'
import { type Language, languageOf } from '../words/translate.ts'

export interface Screen {
  /** How wide it is, in letters. */
  columns: number
  colour: boolean
  language: Language
}

/** What is written to no terminal: files, mails to support, and texts that only people with English read. */
export const PLAIN_SCREEN: Screen = { columns: 80, colour: false, language: 'en' }

/** Narrower lines would be pillars of single words; wider ones are hard to read. */
const [NARROWEST, WIDEST] = [40, 120]

/** The same screen for a text that has no Croatian: no name in it may be taken for a word of ours. */
export function inEnglish(screen: Screen): Screen {
  return { ...screen, language: 'en' }
}

export function screenOf(io: Pick<Io, 'stdout' | 'isTty' | 'env'>): Screen {
  const { columns } = io.stdout as { columns?: number }
  return {
    columns: io.isTty && columns ? Math.min(Math.max(columns, NARROWEST), WIDEST) : PLAIN_SCREEN.columns,
    colour: wantsColour(io),
    language: languageOf(io.env),
  }
}

/** On a terminal that can show them; `NO_COLOR` and `FORCE_COLOR` decide first (no-color.org, force-color.org). */
function wantsColour({ isTty, env: { NO_COLOR, FORCE_COLOR, TERM } }: Pick<Io, 'isTty' | 'env'>): boolean {
  if (NO_COLOR) return false
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return isTty && TERM !== 'dumb'
}

/** A text in colours where the screen has them. Whether it has is decided above: `fisk` may write to another stream than stdout. */
export function painted(format: Parameters<typeof styleText>[0], text: string, { colour }: Screen): string {
  return colour ? styleText(format, text, { validateStream: false }) : text
}
