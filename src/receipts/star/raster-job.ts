import type { PrinterSettings } from '../../domain/printer.ts'
import { type Bitmap, blankBitmap, drawOn } from '../drawing/bitmap.ts'
import { drawBlock } from '../drawing/draw-block.ts'
import { type Encoded, inSegments, type Job, type Otherwise } from '../encoding/encoded-job.ts'
import type { Block } from '../layout/blocks.ts'

const ESC = 0x1b
const FF = 0x0c
const EOT = 0x04
const LINE_ROWS = 30
/** What `ESC FF EOT` does: feed to the cutter and cut in part; cut in part where the paper is; neither (3-94). */
const ENDINGS = { feed: 13, plain: 12, none: 1 } as const
const MOST_MOVES = 8

/**
 * A job of Star's raster mode, the only one of TSP100 printers (STAR Graphic Mode Specifications Rev. 2.32; STAR Line
 * Mode Command Specifications, 3-66 to 3-77) [V]: the blocks are drawn, and each row of dots is a command. Blank dots at
 * the right are left out, and blank rows are fed.
 */
export class StarRasterJob implements Job {
  private readonly settings: PrinterSettings
  private readonly commands: Uint8Array[] = []
  private blankRows = 0

  constructor(settings: PrinterSettings) {
    this.settings = settings
    const { beforeHex, cut } = settings
    this.send(Buffer.from(beforeHex, 'hex'))
    this.raster('A') // enter, which resets what is set below
    this.raster('P', 0) // a page as long as its content
    this.raster('E', ENDINGS[cut === 'plain' || cut === 'none' ? cut : 'feed'])
  }

  /** Letters are drawn, so a page of letters and a way of pictures mean nothing here. */
  add(block: Block, otherwise: Otherwise = {}): void {
    const picture = drawBlock(block, { ...this.settings, ...otherwise })
    for (let offset = 0; offset < MOST_MOVES; offset += 1) {
      const { commands, blankRows } = inRows(offset === 0 ? picture : moved(picture, offset), this.blankRows)
      if (asksByChance(Buffer.concat(commands))) continue
      this.commands.push(...commands)
      this.blankRows = blankRows
      return
    }
    throw new Error('the picture cannot be sent without a question to the printer in it')
  }

  end(): Encoded {
    const { cut, feedLines, afterHex } = this.settings
    if (cut === 'plain' || cut === 'none') this.blankRows += feedLines * LINE_ROWS
    if (this.blankRows > 0) this.raster('Y', this.blankRows)
    this.send([ESC, FF, EOT])
    this.raster('B') // quit
    this.send(Buffer.from(afterHex, 'hex'))
    return { segments: inSegments(this.commands) }
  }

  private raster(letter: string, number?: number): void {
    this.commands.push(rasterCommand(letter, number))
  }

  private send(...commands: readonly ArrayLike<number>[]): void {
    for (const command of commands) if (command.length > 0) this.commands.push(Uint8Array.from(command))
  }
}

/** @param blankRows not fed yet; so are those that are returned */
function inRows({ rows, rowBytes, bits }: Bitmap, blankRows: number): { commands: Uint8Array[]; blankRows: number } {
  const commands: Uint8Array[] = []
  let blank = blankRows
  for (let y = 0; y < rows; y += 1) {
    const row = bits.subarray(y * rowBytes, (y + 1) * rowBytes)
    const length = row.findLastIndex((byte) => byte !== 0) + 1
    if (length === 0) blank += 1
    else {
      if (blank > 0) commands.push(rasterCommand('Y', blank))
      blank = 0
      commands.push(Uint8Array.from([0x62, length & 0xff, length >> 8, ...row.subarray(0, length)]))
    }
  }
  return { commands, blankRows: blank }
}

/** `ESC * r`, a letter, and for some a number in decimal digits with NUL. */
function rasterCommand(letter: string, number?: number): Uint8Array {
  return Buffer.from(`\x1b*r${letter}${number === undefined ? '' : `${number}\0`}`, 'latin1')
}

function moved(picture: Bitmap, offset: number): Bitmap {
  const wider = blankBitmap(picture.width + 8, picture.rows)
  drawOn(wider, picture, offset, 0)
  return wider
}

const ACK = 0x06
const SOH = 0x01

/** Whether `ESC ACK SOH` is anywhere in the bytes: a Star answers it even inside of a picture. */
export function asksByChance(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(ESC); at !== -1; at = bytes.indexOf(ESC, at + 1)) {
    if (bytes[at + 1] === ACK && bytes[at + 2] === SOH) return true
  }
  return false
}
