import { LETTER_PAGES, type PrinterSettings } from '../../domain/printer.ts'
import { qrPayload } from '../../domain/sale/qr-payload.ts'
import { Job } from '../escpos/encode-job.ts'
import type { Encoded } from '../escpos/encoded-job.ts'
import { Page } from './blocks.ts'
import { printable } from './letters.ts'
import { paperOf } from './paper.ts'

export interface TestPageWords {
  /** Where the printer is, as it was configured. */
  line: string
  profile: string
}

const LETTERS = 'č ć đ š ž Č Ć Đ Š Ž €'
/** A payload as long as that of a real receipt. */
const PAYLOAD = qrPayload({ jir: '00000000-0000-0000-0000-000000000000', zki: '', occurredAt: 0, totalCents: 0n })

/**
 * A page for a technician to check the settings: the letters in every possible code page, a ruler as wide as the paper
 * should be, and the QR code in both ways.
 */
export function encodeTestPage(settings: PrinterSettings, words: TestPageWords): Encoded {
  const job = new Job(settings)
  const page = new Page(paperOf(settings))
  const flush = () => {
    for (const block of page.blocks.splice(0)) job.add(block)
  }

  page.text('fiskd', { align: 'center', bold: true, size: 'double' })
  page.text('printer test', { align: 'center' })
  page.rule()
  page.field('line', words.line)
  page.field('profile', words.profile)
  for (const [name, value] of Object.entries(settings)) page.field(asItIsSet(name), String(value === '' ? '-' : value))
  page.rule()
  page.text('The ruler must fill one line:')
  page.text(ruler(settings.columns))
  page.text('Letters as they are set:')
  page.text(LETTERS)
  page.rule()
  page.text('If those are wrong, set the encoding and the code_page of the line below that is right:')
  flush()
  for (const candidate of LETTER_PAGES) {
    const letters = printable(LETTERS.replaceAll(' ', ''), candidate.encoding)
    job.sample(`${candidate.encoding} ${candidate.codePage}:`.padEnd(16), letters, candidate)
  }
  page.rule()
  for (const mode of settings.qr === 'native' ? (['native', 'raster'] as const) : (['raster', 'native'] as const)) {
    page.text(mode === settings.qr ? `QR code as it is set, ${mode}:` : `QR code, ${mode}:`)
    if (mode === 'native') page.text('(text instead of it: this printer needs raster)')
    page.blank()
    flush()
    job.qr(PAYLOAD, mode)
    page.blank()
  }
  flush()
  return job.end()
}

/** `codePage` is set as `code_page`. */
function asItIsSet(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** `1...5...10...15`: each number ends at its own column. */
function ruler(columns: number): string {
  let line = '1'
  for (let at = 5; at <= columns; at += 5) line += String(at).padStart(at - line.length, '.')
  return line.padEnd(columns, '.')
}
