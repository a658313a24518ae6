import type { PrinterSettings } from '../../domain/printer.ts'
import type { ClosingPaper } from '../../domain/sale/closing-paper.ts'
import type { Receipt } from '../../domain/sale/receipt.ts'
import { type QrSymbol, qrSymbol } from '../escpos/qr.ts'
import type { Block, Paper } from './blocks.ts'
import { layOutClosing } from './closing-layout.ts'
import { layOut } from './layout.ts'
import { paperOf } from './paper.ts'

const QUIET_MODULES = 4

type TextSettings = Pick<PrinterSettings, 'columns' | 'encoding'>

/**
 * The receipt for a terminal, line by line, with the letters of the paper. The QR code is made of half blocks, light on
 * dark like terminals, and may be wider than narrow paper.
 */
export function receiptText(receipt: Receipt, settings: TextSettings): string {
  return textOf((paper) => layOut(receipt, paper), settings)
}

/** The closing for a terminal, in the same way. */
export function closingText(closing: ClosingPaper, settings: TextSettings): string {
  return textOf((paper) => layOutClosing(closing, paper), settings)
}

function textOf(layout: (paper: Paper) => Block[], settings: TextSettings): string {
  const { columns } = settings
  const lines = layout({ ...paperOf(settings), bigColumns: columns }).flatMap((block) => linesOf(block, columns))
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

function linesOf(block: Block, columns: number): string[] {
  if (block.kind === 'blank') return ['']
  if (block.kind === 'line') return [block.align === 'center' ? centred(block.text, columns) : block.text]
  return halfBlocks(qrSymbol(block.payload, { columns: 48, dpi: 203 })).map((line) => centred(line, columns))
}

function centred(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, (columns - text.length) >> 1)) + text
}

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
