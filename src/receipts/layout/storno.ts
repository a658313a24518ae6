import type { Receipt } from '../../domain/sale/receipt.ts'
import type { Page } from './page.ts'
import { WORDS } from './words.ts'

/** Above the total of a refund, with the receipt that it takes back where the caller named it (docs/spec/printing.md). */
export function addStorno(page: Page, { document, language, stornoOf }: Receipt): void {
  if (!document.total.startsWith('-') && stornoOf === undefined) return
  const original = stornoOf === undefined ? [] : [`${WORDS[language].storno} ${stornoOf}`]
  page.beside([
    { text: 'STORNO', bold: true, size: 'double' },
    ...original.map((text) => ({ text, bold: false, size: 'normal' }) as const),
  ])
}
