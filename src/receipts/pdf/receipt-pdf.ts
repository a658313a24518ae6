import { invalidRequest } from '../../domain/errors.ts'
import type { Receipt } from '../../domain/sale/receipt.ts'
import { printedNumber } from '../../domain/sale/receipt-number.ts'
import { RECEIPT_BOUNDS } from '../bounds.ts'
import { hasDot } from '../drawing/bitmap.ts'
import { qrSymbol } from '../drawing/qr.ts'
import type { Block, Line, QrBlock, Span } from '../layout/blocks.ts'
import { layOut } from '../layout/layout.ts'
import { fontOf, SCALES } from '../layout/metrics.ts'
import { paperOf } from '../layout/paper.ts'
import { CHARACTER_WIDTH, glyphsOf, PAGE, pdfFile } from './pdf-file.ts'

/** A column of 48 characters in the middle of the page. All lengths are in points. */
const FONTS = { columns: 48, dpi: 203, smallFontDots: 9 } as const
const SIZE = 10
const LINE = 12.6
const MARGIN = 56
const STROKE = 0.4
/** Points per dot of the paper for which the receipt is laid out. */
const DOT = (SIZE * CHARACTER_WIDTH) / 1000 / fontOf('normal', FONTS).width
const WIDTH = FONTS.columns * fontOf('normal', FONTS).width * DOT
const LEFT = (PAGE.width - WIDTH) / 2
/** 24 mm: the law requires 20. */
const QR_SIDE = 68
const QR_MARGIN = 10
const MM = 72 / 25.4
/** Distance of tight lines of small letters, by their size. */
const TIGHT = 1.15

/** The receipt on A4, drawn as outlines; the same one is the same bytes. @throws FiskError 400 for too many pages */
export function receiptPdf(receipt: Receipt): Buffer {
  const { number, premisesCode, registerMark } = receipt.document
  // Nothing stands beside the code, so that a JIR can be copied.
  const paper = { ...paperOf({ ...FONTS, encoding: 'windows1250' }), besideQr: () => 0 }
  const blocks = layOut(receipt, paper)
  const pages = pagesOf(blocks)
  // Before any of it is drawn, which takes a hundred times as long.
  if (pages.length > RECEIPT_BOUNDS.pdfPages.most) throw invalidRequest('id', 'The receipt is too long for a PDF')
  const drawings = pages.map((page) => page.flatMap(({ block, bottom }) => drawn(block, bottom)).join('\n'))
  return pdfFile(drawings, printedNumber(number, premisesCode, registerMark))
}

function pagesOf(blocks: readonly Block[]): { block: Block; bottom: number }[][] {
  const pages: { block: Block; bottom: number }[][] = []
  let bottom = 0
  for (const block of blocks) {
    const height = heightOf(block)
    if (pages.length === 0 || bottom - height < MARGIN) {
      pages.push([])
      bottom = PAGE.height - MARGIN
    }
    bottom -= height
    pages.at(-1)?.push({ block, bottom })
  }
  return pages
}

function heightOf(block: Block): number {
  switch (block.kind) {
    case 'line':
      return lineHeight(block)
    case 'gap':
      return block.mm * MM
    case 'qr':
      return QR_SIDE + 2 * QR_MARGIN
    case 'picture':
      return block.bitmap.rows * DOT
  }
}

function lineHeight({ spans, tight }: Line): number {
  const points = Math.max(SIZE, ...spans.map(pointsOf))
  if (tight && spans.every(({ size }) => size === 'small')) return TIGHT * pointsOf({ size: 'small' })
  return (points * LINE) / SIZE
}

function pointsOf({ size }: Pick<Span, 'size'>): number {
  return size === 'small' ? (SIZE * fontOf(size, FONTS).width) / fontOf('normal', FONTS).width : SIZE * SCALES[size][1]
}

function drawn(block: Block, bottom: number): string[] {
  switch (block.kind) {
    case 'line':
      return line(block, bottom)
    case 'gap':
      return []
    case 'qr':
      return qr(block, bottom)
    case 'picture': {
      const { width, rows } = block.bitmap
      const left = (PAGE.width - width * DOT) / 2
      return filled(
        { columns: width, rows, isDark: (row, column) => hasDot(block.bitmap, column, row) },
        left,
        bottom,
        DOT,
      )
    }
  }
}

function line({ spans, align }: Line, bottom: number): string[] {
  const widths = spans.map(({ text, size }) => text.length * fontOf(size, FONTS).width * DOT)
  const long = widths.reduce((sum, width) => sum + width, 0)
  const baseline = bottom + Math.max(0, ...spans.map(pointsOf)) * 0.3
  let x = LEFT + (align === 'center' ? Math.max(0, WIDTH - long) / 2 : 0)
  return spans.map((span, index) => {
    const drawn = letters(span, x, baseline)
    x += widths[index] ?? 0
    return drawn
  })
}

/** Tall letters are those of double size with half the width. */
function letters({ text, bold, size }: Span, x: number, y: number): string {
  const points = pointsOf({ size })
  const weight = bold ? `2 Tr ${short((STROKE * points) / SIZE)} w` : '0 Tr'
  const stretch = size === 'tall' ? 50 : 100
  return `BT /F ${short(points)} Tf ${stretch} Tz ${weight} 1 0 0 1 ${short(x)} ${short(y)} Tm ${glyphsOf(text)} Tj ET`
}

function qr({ payload }: QrBlock, bottom: number): string[] {
  const { modules, dark } = qrSymbol(payload, { columns: 48, dpi: 203 }, { drawn: false, tight: false })
  const left = (PAGE.width - QR_SIDE) / 2
  return filled({ columns: modules, rows: modules, isDark: dark }, left, bottom + QR_MARGIN, QR_SIDE / modules)
}

interface Dots {
  columns: number
  rows: number
  isDark(row: number, column: number): boolean
}

function filled({ columns, rows, isDark }: Dots, left: number, bottom: number, side: number): string[] {
  const drawn: string[] = []
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const from = column
      while (column < columns && isDark(row, column)) column += 1
      const y = bottom + (rows - row - 1) * side
      if (column > from) drawn.push([left + from * side, y, (column - from) * side, side].map(short).join(' '))
    }
  }
  return [...drawn.map((rectangle) => `${rectangle} re`), 'f']
}

const short = (number: number) => String(Math.round(number * 1000) / 1000)
