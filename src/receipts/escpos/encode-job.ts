import type CodepageEncoder from '@point-of-sale/codepage-encoder'
import type ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder'
import type { PrinterSettings } from '../../domain/printer.ts'
import type { Block, TextSize } from '../layout/blocks.ts'
import { load } from '../lazy-packages.ts'
import type { Encoded } from './encoded-job.ts'
import { type QrSymbol, qrSymbol } from './qr.ts'
import { qrBitmap } from './qr-bitmap.ts'
import { rasterBands } from './raster.ts'

const LF = 0x0a
const ESC = 0x1b
const GS = 0x1d
const ALIGNMENTS = { left: 0, center: 1 } as const
const SIZES: Record<TextSize, [width: number, height: number]> = { normal: [1, 1], tall: [1, 2], double: [2, 2] }
const SEGMENT_BYTES = 512
const MIN_BAND_BYTES = 200
const MAX_BAND_BYTES = 1024
const BITS_PER_BYTE = 10
const BAND_S = 0.25

/** A command or a piece of text, as the library returns it. */
interface Command {
  type: string
  payload: ArrayLike<number>
}

/**
 * One job for a printer, commands in order. It starts with everything a printer forgets without power
 * (spec/printing.md, Field failures), so that no receipt depends on what was sent before.
 */
export class Job {
  private readonly settings: PrinterSettings
  private encoder: ReceiptPrinterEncoder
  private readonly done: Uint8Array[] = []
  private align: 'left' | 'center' = 'left'

  constructor(settings: PrinterSettings) {
    this.settings = settings
    this.encoder = newEncoder(settings)
    // ESC @, FS . (clones start in Chinese mode) and font A. The technician's bytes come after ESC @, which would undo
    // them.
    this.encoder.initialize()
    this.raw(Buffer.from(settings.beforeHex, 'hex'))
    this.raw([ESC, 0x52, 0]) // the signs of ASCII, whatever country a printer was made for
    this.raw([ESC, 0x32]) // default line spacing
    this.raw([ESC, 0x61, ALIGNMENTS.left])
    this.encoder.codepage(settings.encoding)
  }

  add(block: Block): void {
    switch (block.kind) {
      case 'blank':
        this.raw([LF])
        break
      case 'qr':
        this.qr(block.payload, this.settings.qr)
        break
      case 'line':
        this.aligned(block.align)
        this.encoder.bold(block.bold).size(...SIZES[block.size])
        // The style ends inside the line: otherwise the library switches it off and on around every line end.
        this.encoder.text(block.text).bold(false).size(1, 1).newline()
    }
  }

  /** A line under another code page than the configured one. */
  sample(label: string, text: string, { encoding, codePage }: Pick<PrinterSettings, 'encoding' | 'codePage'>): void {
    const other = newEncoder({ columns: this.settings.columns, encoding, codePage })
    other.codepage(encoding)
    this.aligned('left')
    // A printer without the page ignores its number, and would print the line with the page of the line before.
    this.raw([ESC, 0x74, 0])
    this.raw(other.text(`${label} ${text}`).newline().encode())
  }

  /** A QR code in the middle of the paper. The caller leaves blank space around it: a printer adds no margin. */
  qr(payload: string, mode: PrinterSettings['qr']): void {
    const symbol = qrSymbol(payload, this.settings)
    this.aligned('center')
    if (mode === 'native') this.native(payload, symbol)
    else for (const band of rasterBands((offset) => qrBitmap(symbol, offset), this.bandBytes())) this.raw(band)
  }

  /** No question is possible inside a command, so on a slow line a command must be shorter than a printer restart. */
  private bandBytes(): number {
    return Math.max(MIN_BAND_BYTES, Math.min(MAX_BAND_BYTES, (this.settings.baudRate / BITS_PER_BYTE) * BAND_S))
  }

  /** Adds whole commands as bytes. */
  raw(bytes: ArrayLike<number>): void {
    if (bytes.length > 0) this.encoder.raw(Uint8Array.from(bytes))
  }

  /** Encodes everything added so far; later text selects the code page again. */
  flush(): void {
    this.done.push(...this.commands())
    this.encoder = newEncoder(this.settings).codepage(this.settings.encoding)
  }

  /** Feeds and cuts as configured for the printer. @returns the whole job */
  end(): Encoded {
    const { cut, feedLines, afterHex } = this.settings
    if (cut === 'feed') this.raw([GS, 0x56, 66, 0])
    else if (feedLines > 0) this.raw([ESC, 0x64, feedLines])
    if (cut === 'plain') this.raw([GS, 0x56, 0])
    this.raw(Buffer.from(afterHex, 'hex'))
    return { segments: inSegments([...this.done, ...this.commands()]) }
  }

  private native(payload: string, { moduleDots, level }: QrSymbol): void {
    this.encoder.qrcode(payload, { model: 2, size: moduleDots, errorlevel: level === 'M' ? 'm' : 'l' })
  }

  /** The printer centres text itself, so text and QR code have the same middle, whatever the width of the paper is. */
  private aligned(align: 'left' | 'center'): void {
    if (align === this.align) return
    this.raw([ESC, 0x61, ALIGNMENTS[align]])
    this.align = align
  }

  private commands(): Uint8Array[] {
    const lines = this.encoder.encode('lines') as unknown as Command[][]
    return lines.flatMap((line) => {
      const commands = line.map(({ payload }) => Uint8Array.from(payload))
      return line.some(({ type }) => type === 'text') ? [...commands, Uint8Array.of(LF)] : commands
    })
  }
}

type Letters = Pick<PrinterSettings, 'columns' | 'encoding' | 'codePage'>

let Encoder: typeof ReceiptPrinterEncoder | undefined

function newEncoder({ columns, encoding, codePage }: Letters): ReceiptPrinterEncoder {
  Encoder ??= loadEncoder()
  const codepageMapping = { [encoding]: codePage }
  return new Encoder({
    columns,
    codepageMapping,
    newline: '\n',
    feedAfterBlock: false,
    imageMode: 'raster',
    errors: 'strict',
  })
}

/** Bytes by character, of each code page of the library that was used. */
const tables = new Map<string, Map<number, number>>()

/**
 * Loads the library with cached tables: the library copies the whole table of a page for each text and searches it for
 * each letter, which takes longer than all its other work.
 */
function loadEncoder(): typeof ReceiptPrinterEncoder {
  const pages = load<typeof CodepageEncoder>('@point-of-sale/codepage-encoder')
  pages.encode = (text, page) => {
    const table = tables.get(page) ?? invert(pages.getEncoding(page).codepoints)
    tables.set(page, table)
    return Uint8Array.from(text, (char) => table.get(char.codePointAt(0) ?? 0) ?? 0x3f)
  }
  return load<typeof ReceiptPrinterEncoder>('@point-of-sale/receipt-printer-encoder')
}

function invert(characters: readonly number[]): Map<number, number> {
  // When a character has two places, the first one counts, as in the library.
  return new Map(characters.map((character, byte) => [character, byte] as const).reverse())
}

function inSegments(commands: readonly Uint8Array[]): Uint8Array[] {
  const segments: Uint8Array[] = []
  let waiting: Uint8Array[] = []
  let size = 0
  const close = () => {
    if (waiting.length > 0) segments.push(Uint8Array.from(Buffer.concat(waiting)))
    waiting = []
    size = 0
  }
  for (const command of commands) {
    if (size + command.length > SEGMENT_BYTES) close()
    waiting.push(command)
    size += command.length
  }
  close()
  return segments
}
