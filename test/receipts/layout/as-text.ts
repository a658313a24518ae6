import type { Receipt } from '../../../src/domain/sale/receipt.ts'
import type { Block } from '../../../src/receipts/layout/blocks.ts'
import { layOut } from '../../../src/receipts/layout/layout.ts'
import { paperOf } from '../../../src/receipts/layout/paper.ts'

export type Columns = 32 | 35 | 42 | 44 | 48

export function blocksOf(receipt: Receipt, columns: Columns): Block[] {
  return layOut(receipt, paperOf({ columns, encoding: 'cp852' }))
}

/** A receipt as a reader of a test can check it: big letters are marked with `#`, as wide as they are on paper. */
export function asText(receipt: Receipt, columns: Columns): string {
  const lines = blocksOf(receipt, columns).map((block) => {
    if (block.kind !== 'line') return block.kind === 'qr' ? `[QR ${block.payload}]` : ''
    const wide = block.size === 'double' ? 2 : 1
    const left = block.align === 'center' ? ' '.repeat((columns - block.text.length * wide) >> 1) : ''
    return left + (block.size === 'normal' ? block.text : `#${block.text}#`)
  })
  return `\n${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

/** All that is printed, without the blanks and line ends that the width of the paper makes. */
export function allText(receipt: Receipt, columns: Columns): string {
  return blocksOf(receipt, columns)
    .map((block) => (block.kind === 'line' ? block.text : ''))
    .join('')
    .replaceAll(' ', '')
}
