import type { PrinterSettings } from '../../domain/printer.ts'
import type { QrBlock } from '../layout/blocks.ts'
import { CHARACTER_DOTS, paperDots } from '../layout/metrics.ts'
import { load } from '../lazy-packages.ts'
import { type Bitmap, blacken, blankBitmap } from './bitmap.ts'

/** The law requires 20 mm and a margin of 2 mm (docs/spec/printing.md, QR); a little more, as printers are not exact. */
const SYMBOL_MM = 21
/** 41 modules of 4 dots at 203 dpi are 20.5 mm. A paper that is fed 2 % too short leaves 20. */
const TIGHT_MM = 20.4
const MARGIN_MM = 2.1
const QUIET_MODULES = 4
/** The limit of the library and many printers for a native code. The smallest symbol is still big enough. */
const MAX_MODULE_DOTS = 8

/** The capacity of a code of level M, in bytes. */
const LEVEL_M_BYTES = 2331

/** A QR code of model 2 as it will be printed. All lengths are in dots. */
export interface QrSymbol {
  /** Modules per side. */
  modules: number
  moduleDots: number
  level: 'M' | 'L'
  /** Blank space on each side, for which the paper has room at the left and at the right. */
  margin: number
  dark(row: number, column: number): boolean
}

/** What the size of a code follows from. `drawn`: we send its dots, and know how many modules it has. */
interface QrRequest {
  drawn: boolean
  tight: boolean
}

type Measures = Pick<PrinterSettings, 'columns' | 'dpi'>

/** Whether the dots of a code are sent, instead of a command for the printer to draw it. */
export function isDrawn({ beside }: QrBlock, { qr }: Pick<PrinterSettings, 'qr'>): boolean {
  return qr === 'raster' || beside.length > 0
}

export function symbolOf(block: QrBlock, settings: Measures & Pick<PrinterSettings, 'qr'>): QrSymbol {
  return qrSymbol(block.payload, settings, { drawn: isDrawn(block, settings), tight: block.tight })
}

/**
 * The symbol for a payload: level M when it fits the paper at full size, else L; a tight one of the printer has the level
 * with which it is smaller. A payload too long for both is printed as big as the paper allows, never wider than the paper.
 * The payload is always encoded as bytes. A printer that draws the code itself may need fewer modules than we do, so it
 * never gets the smallest size. A drawn code has modules of an even number of dots, which are sent as a picture of half
 * the width and height.
 * @throws Error when no QR code can hold the payload (2953 bytes)
 */
export function qrSymbol(payload: string, settings: Measures, { drawn, tight }: QrRequest): QrSymbol {
  const paper = paperDots(settings)
  const side = dots(drawn && tight ? TIGHT_MM : SYMBOL_MM, settings)
  const step = drawn ? 2 : 1
  const wanted = (modules: number) => Math.min(MAX_MODULE_DOTS, step * Math.ceil(side / modules / step))
  const width = (modules: number, moduleDots: number) => modules * moduleDots + 2 * margin(moduleDots, settings)
  const levels = Buffer.byteLength(payload) <= LEVEL_M_BYTES ? (['M', 'L'] as const) : (['L'] as const)
  const fitting = levels
    .map((level) => {
      const code = matrix(payload, level)
      return symbol(code, level, wanted(code.modules), settings)
    })
    .filter(({ modules, moduleDots }) => width(modules, moduleDots) <= paper)
  if (tight && !drawn) fitting.sort((one, other) => one.modules * one.moduleDots - other.modules * other.moduleDots)
  const [first] = fitting
  if (first) return first
  const code = matrix(payload, 'L')
  const most = Math.floor((paper - 2 * dots(MARGIN_MM, settings)) / code.modules)
  return symbol(code, 'L', Math.max(1, Math.min(most, wanted(code.modules))), settings)
}

type Matrix = Pick<QrSymbol, 'modules' | 'dark'>

function symbol(code: Matrix, level: 'M' | 'L', moduleDots: number, settings: Pick<PrinterSettings, 'dpi'>): QrSymbol {
  return { ...code, level, moduleDots, margin: margin(moduleDots, settings) }
}

/** The latest codes: a receipt is laid out more than once, and its code takes the most time. */
const latest = new Map<string, Matrix>()
const MOST_LATEST = 8

function matrix(payload: string, level: 'M' | 'L'): Matrix {
  const key = level + payload
  const made = latest.get(key) ?? newMatrix(payload, level)
  latest.set(key, made)
  for (const old of latest.keys()) if (latest.size > MOST_LATEST) latest.delete(old)
  return made
}

function newMatrix(payload: string, level: 'M' | 'L'): Matrix {
  const { create } = load<typeof import('qrcode')>('qrcode')
  const { modules } = create([{ data: Buffer.from(payload), mode: 'byte' }], { errorCorrectionLevel: level })
  return { modules: modules.size, dark: (row, column) => modules.get(row, column) === 1 }
}

/** Where a code and the text at its right side begin, in dots; both margins are whole characters. */
export function placesBeside({ modules, moduleDots, margin }: Omit<QrSymbol, 'level' | 'dark'>) {
  const left = Math.ceil(margin / CHARACTER_DOTS) * CHARACTER_DOTS
  return { left, textLeft: left + modules * moduleDots + left }
}

function margin(moduleDots: number, settings: Pick<PrinterSettings, 'dpi'>): number {
  return Math.max(QUIET_MODULES * moduleDots, dots(MARGIN_MM, settings))
}

function dots(millimetres: number, { dpi }: Pick<PrinterSettings, 'dpi'>): number {
  return Math.ceil((millimetres * dpi) / 25.4)
}

/** Draws a symbol without its margin. @param moduleDots dots per module, if others than it will have on paper */
export function qrBitmap(
  { modules, dark, ...symbol }: QrSymbol,
  moduleDots: { x: number; y: number } = { x: symbol.moduleDots, y: symbol.moduleDots },
): Bitmap {
  const { x, y } = moduleDots
  const bitmap = blankBitmap(modules * x, modules * y)
  for (let row = 0; row < modules; row += 1) {
    for (let column = 0; column < modules; column += 1) if (dark(row, column)) blacken(bitmap, column * x, row * y, x)
    const drawn = bitmap.bits.subarray(row * y * bitmap.rowBytes, (row * y + 1) * bitmap.rowBytes)
    for (let copy = 1; copy < y; copy += 1) bitmap.bits.set(drawn, (row * y + copy) * bitmap.rowBytes)
  }
  return bitmap
}
