import type { PrinterSettings } from '../../domain/printer.ts'
import type { ClosingPaper } from '../../domain/sale/closing.ts'
import type { Receipt } from '../../domain/sale/receipt.ts'
import { type QrSymbol, qrSymbol } from '../drawing/qr.ts'
import { type Block, textOf } from './blocks.ts'
import { layOutClosing } from './closing-layout.ts'
import { layOut } from './layout.ts'
import { type Paper, paperOf } from './paper.ts'
import { WORDS } from './words.ts'

const QUIET_MODULES = 4
const WITH_ONE_FONT = { dpi: 203, smallFontDots: 0 } as const

type TextSettings = Pick<PrinterSettings, 'columns' | 'encoding'>

/** The receipt for a terminal. The QR code, half blocks light on dark, may be wider than narrow paper. */
export function receiptText(receipt: Receipt, settings: TextSettings): string {
  return write((paper) => layOut(receipt, paper), settings)
}

/** The same for a page, which has a link in the place of the code: without it, and what asks to scan it. */
export function receiptLines(receipt: Receipt, settings: TextSettings): string {
  const { scan } = WORDS[receipt.language]
  const isOfCode = (block: Block) => block.kind === 'qr' || (block.kind === 'line' && scan.includes(textOf(block)))
  return write((paper) => layOut(receipt, paper).filter((block) => !isOfCode(block)), settings)
}

export function closingText(closing: ClosingPaper, settings: TextSettings): string {
  return write((paper) => layOutClosing(closing, paper), settings)
}

/** All letters of a terminal have the same size, and nothing stands beside the code, so that a JIR can be copied. */
function write(layout: (paper: Paper) => Block[], settings: TextSettings): string {
  const { columns } = settings
  const { letters } = paperOf({ ...settings, ...WITH_ONE_FONT })
  const characters = { small: 1, normal: 1, tall: 1, double: 1 }
  const paper = { width: columns, dpi: 203, characters, besideQr: () => 0, letters }
  const lines = layout(paper).flatMap((block) => linesOf(block, columns))
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

function linesOf(block: Block, columns: number): string[] {
  switch (block.kind) {
    case 'line':
      return [block.align === 'center' ? centred(textOf(block), columns) : textOf(block)]
    case 'gap':
    case 'picture':
      return []
    case 'qr': {
      const symbol = qrSymbol(block.payload, { columns: 48, dpi: 203 }, { drawn: false, tight: false })
      return halfBlocks(symbol).map((line) => centred(line, columns))
    }
  }
}

const centred = (text: string, columns: number): string => ' '.repeat(Math.max(0, (columns - text.length) >> 1)) + text

function halfBlocks({ modules, dark }: QrSymbol): string[] {
  const inside = (at: number) => at >= 0 && at < modules
  const light = (row: number, column: number) => !inside(row) || !inside(column) || !dark(row, column)
  const lines: string[] = []
  for (let row = -QUIET_MODULES; row < modules + QUIET_MODULES; row += 2) {
    let line = ''
    for (let column = -QUIET_MODULES; column < modules + QUIET_MODULES; column += 1) {
      const [upper, lower] = [light(row, column), light(row + 1, column)]
      line += upper ? (lower ? '█' : '▀') : lower ? '▄' : ' '
    }
    lines.push(line)
  }
  return lines
}
