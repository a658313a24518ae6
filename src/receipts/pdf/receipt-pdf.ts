import { invalidRequest } from '../../domain/errors.ts'
import type { Receipt } from '../../domain/sale/receipt.ts'
import { printedNumber } from '../../domain/sale/receipt-number.ts'
import { RECEIPT_BOUNDS } from '../bounds.ts'
import { qrSymbol } from '../escpos/qr.ts'
import type { Block } from '../layout/blocks.ts'
import { layOut } from '../layout/layout.ts'
import { paperOf } from '../layout/paper.ts'
import { CHARACTER_WIDTH, glyphsOf, PAGE, pdfFile } from './pdf-file.ts'

/** A column of 48 characters in the middle of the page. All lengths are in points. */
const COLUMNS = 48
const SIZE = 10
const LINE = 12.6
const MARGIN = 56
const STROKE = 0.4
const WIDTH = (COLUMNS * SIZE * CHARACTER_WIDTH) / 1000
const LEFT = (PAGE.width - WIDTH) / 2
/** 24 mm: the law requires 20. */
const QR_SIDE = 68
const QR_MARGIN = 10

/**
 * The receipt on A4, with the words of the printed one; letters and QR code are drawn as outlines. The same receipt is
 * the same bytes.
 * @throws FiskError 400 for a receipt of too many pages
 */
export function receiptPdf(receipt: Receipt): Buffer {
  const { number, premisesCode, registerMark } = receipt.document
  const blocks = layOut(receipt, paperOf({ columns: COLUMNS, encoding: 'windows1250' }))
  const pages = pagesOf(blocks)
  if (pages.length > RECEIPT_BOUNDS.pdfPages.most) throw invalidRequest('id', 'The receipt is too long for a PDF')
  return pdfFile(pages, printedNumber(number, premisesCode, registerMark))
}

function pagesOf(blocks: readonly Block[]): string[] {
  const pages: string[][] = []
  let top = 0
  for (const block of blocks) {
    const height = heightOf(block)
    if (pages.length === 0 || top - height < MARGIN) {
      pages.push([])
      top = PAGE.height - MARGIN
    }
    top -= height
    const page = pages.at(-1)
    if (block.kind === 'qr') page?.push(...qr(block.payload, top + QR_MARGIN))
    if (block.kind === 'line') page?.push(line(block, top))
  }
  return pages.map((page) => page.join('\n'))
}

function heightOf(block: Block): number {
  if (block.kind === 'qr') return QR_SIDE + 2 * QR_MARGIN
  return block.kind === 'line' && block.size !== 'normal' ? 2 * LINE : LINE
}

/** A tall line is one of double size with letters of half the width. */
function line({ text, align, bold, size }: Extract<Block, { kind: 'line' }>, bottom: number): string {
  const [points, columns] = [size === 'normal' ? SIZE : 2 * SIZE, size === 'double' ? COLUMNS / 2 : COLUMNS]
  const indent = align === 'center' ? Math.max(0, columns - text.length) / 2 : 0
  const x = LEFT + (indent * WIDTH) / columns
  const y = bottom + points * 0.3
  const weight = bold ? `2 Tr ${short((STROKE * points) / SIZE)} w` : '0 Tr'
  const stretch = size === 'tall' ? 50 : 100
  return `BT /F ${points} Tf ${stretch} Tz ${weight} 1 0 0 1 ${short(x)} ${short(y)} Tm ${glyphsOf(text)} Tj ET`
}

/** Each row of dark modules as rectangles. */
function qr(payload: string, bottom: number): string[] {
  const { modules, dark } = qrSymbol(payload, { columns: 48, dpi: 203 })
  const side = QR_SIDE / modules
  const left = (PAGE.width - QR_SIDE) / 2
  const drawn: string[] = []
  for (let row = 0; row < modules; row += 1) {
    for (let column = 0; column < modules; column += 1) {
      const from = column
      while (column < modules && dark(row, column)) column += 1
      const y = bottom + QR_SIDE - (row + 1) * side
      if (column > from) drawn.push([left + from * side, y, (column - from) * side, side].map(short).join(' '))
    }
  }
  return [...drawn.map((rectangle) => `${rectangle} re`), 'f']
}

const short = (number: number) => String(Math.round(number * 1000) / 1000)
