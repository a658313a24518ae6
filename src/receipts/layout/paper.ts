import type { PrinterSettings } from '../../domain/printer.ts'
import type { Paper } from './blocks.ts'
import { printable } from './letters.ts'

/** The paper as a printer with these settings can fill it. */
export function paperOf({ columns, encoding }: Pick<PrinterSettings, 'columns' | 'encoding'>): Paper {
  return { columns, bigColumns: columns >> 1, letters: (text) => printable(text, encoding) }
}
