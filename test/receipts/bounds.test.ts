import { randomBytes } from 'node:crypto'
import { FiskError } from '../../src/domain/errors.ts'
import { RECEIPT_BOUNDS } from '../../src/receipts/bounds.ts'
import { receiptPicture } from '../../src/receipts/drawing/receipt-picture.ts'
import { settingsOf } from '../../src/receipts/escpos/printer-profiles.ts'
import { layOut } from '../../src/receipts/layout/layout.ts'
import { paperOf } from '../../src/receipts/layout/paper.ts'
import { preparedLogo } from '../../src/receipts/logo/prepare-logo.ts'
import { receiptPdf } from '../../src/receipts/pdf/receipt-pdf.ts'
import { type Bring, TAKEN, testBounds } from '../support/bounds.ts'
import { pngOf } from '../support/logos.ts'
import { questionsOver } from '../support/receipt-printer.ts'
import { read } from './escpos/golden/pixels.ts'
import { receipt } from './escpos/golden/sales.ts'

const XON = 0x11
const ROWS_OF_A_LINE = 30

const picture = (footerLines: number) => {
  const footer = Array.from({ length: footerLines }, () => 'Hvala')
  return receiptPicture(receipt({ footer }), settingsOf('epson-tm-t20', {}))
}

const cases: Record<keyof typeof RECEIPT_BOUNDS, Bring> = {
  async printerBytes(bytes) {
    let arrive: (bytes: Uint8Array) => void = () => {}
    const line = {
      write: async () => {},
      onBytes(listener: typeof arrive) {
        arrive = listener
      },
      listen() {},
      broken: new Promise<never>(() => {}),
      close: async () => {},
    }
    const conversation = questionsOver(line)
    arrive(new Uint8Array(bytes).fill(XON))
    if (conversation.isOpen) return TAKEN
    return `the line is closed: ${(await conversation.ended)?.code}`
  },
  async lines(count) {
    const paper = paperOf(settingsOf('epson-tm-t20', {}))
    const lines = (footer: number) => layOut(receipt({ footer: Array.from({ length: footer }, () => 'Hvala') }), paper)
    return refusal(() => void lines(count - lines(0).filter(({ kind }) => kind === 'line').length))
  },
  async pictureRows(rows) {
    // A receipt grows by a line at a time: the last one that still fits, or the first one that does not.
    const round = rows > RECEIPT_BOUNDS.pictureRows.most ? Math.ceil : Math.floor
    const ofOneLine = read(await picture(1)).height
    try {
      await picture(1 + round((rows - ofOneLine) / ROWS_OF_A_LINE))
      return TAKEN
    } catch (error) {
      if (!(error instanceof FiskError)) throw error
      return `${error.status} ${error.code}`
    }
  },
  async pdfPages(pages) {
    const pagesOf = (pdf: Buffer) => Number(/\/Count (\d+)/.exec(pdf.toString('latin1'))?.[1])
    const pdf = (lines: number) => receiptPdf(receipt({ footer: Array.from({ length: lines }, () => 'Hvala') }))
    // A page has room for 57 lines; the last of them begins with the first that does not fit before it.
    let lines = 57 * (pages - 2)
    try {
      while (pagesOf(pdf(lines)) < pages) lines += 1
      return TAKEN
    } catch (error) {
      if (!(error instanceof FiskError)) throw error
      return `${error.status} ${error.code}`
    }
  },
  logoSide: async (dots) => logo(dots, 1),
  logoDots: async (dots) => logo(dots / 1000, 1000),
  async logoStored(bytes) {
    // Noise: a row of it has 577 bytes.
    const rows = (bytes > RECEIPT_BOUNDS.logoStored.most ? Math.ceil : Math.floor)((bytes - 200) / 577)
    const noise = randomBytes(576 * rows)
    const dot = (x: number, y: number) => Array(3).fill(noise[576 * y + x] ?? 0)
    const file = pngOf(576, rows, (x, y) => [...dot(x, y), 255] as [number, number, number, number])
    return refusal(() => preparedLogo(file, 72))
  },
  logoHeightMm: async (mm) => logo(100, mm * 10, 10),
}

const logo = (width: number, height: number, widthMm?: number) =>
  refusal(() =>
    preparedLogo(
      pngOf(Math.ceil(width), height, () => [0, 0, 0, 255]),
      widthMm,
    ),
  )

function refusal(make: () => unknown): string {
  try {
    make()
    return TAKEN
  } catch (error) {
    if (!(error instanceof FiskError)) throw error
    return `${error.status} ${error.code}`
  }
}

testBounds(RECEIPT_BOUNDS, cases)
