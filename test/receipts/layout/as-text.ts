import type { Receipt } from '../../../src/domain/sale/receipt.ts'
import { type Block, type Line, textOf } from '../../../src/receipts/layout/blocks.ts'
import { layOut } from '../../../src/receipts/layout/layout.ts'
import { CHARACTER_DOTS, fontOf } from '../../../src/receipts/layout/metrics.ts'
import { paperOf } from '../../../src/receipts/layout/paper.ts'

export type Columns = 32 | 35 | 42 | 44 | 48

export function blocksOf(receipt: Receipt, columns: Columns): Block[] {
  return layOut(receipt, paperOf({ columns, dpi: 203, encoding: 'cp852', smallFontDots: 9 }))
}

/** A receipt as a reader of a test can check it: big letters are marked with `#`, as wide as they are on paper. */
export function asText(receipt: Receipt, columns: Columns): string {
  const lines = blocksOf(receipt, columns).map((block) => {
    if (block.kind !== 'line') return block.kind === 'qr' ? `[QR ${block.payload}]` : ''
    const left = block.align === 'center' ? ' '.repeat((columns - widthOf(block)) >> 1) : ''
    return left + block.spans.map(({ text, size }) => (size === 'normal' ? text : `#${text}#`)).join('')
  })
  return `\n${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

/** In characters of normal size. */
export function widthOf({ spans }: Line): number {
  const dots = spans.map(({ text, size }) => text.length * fontOf(size, { smallFontDots: 9 }).width)
  return dots.reduce((sum, width) => sum + width, 0) / CHARACTER_DOTS
}

/** All that is printed, without the blanks and line ends that the width of the paper makes. */
export function allText(receipt: Receipt, columns: Columns): string {
  return blocksOf(receipt, columns)
    .flatMap((block) => (block.kind === 'line' ? textOf(block) : block.kind === 'qr' ? block.beside.map(textOf) : ''))
    .join('')
    .replaceAll(' ', '')
}
