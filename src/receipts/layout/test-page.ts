import { LETTER_PAGES, type PrinterSettings } from '../../domain/printer.ts'
import { qrPayload } from '../../domain/sale/qr-payload.ts'
import { snakeCase } from '../../domain/texts/snake-case.ts'
import { createJob } from '../encoding/create-job.ts'
import type { Encoded, Otherwise } from '../encoding/encoded-job.ts'
import { printable } from './letters.ts'
import { paperDots } from './metrics.ts'
import { Page } from './page.ts'
import { paperOf } from './paper.ts'
import { WORDS } from './words.ts'

export interface TestPageWords {
  /** Where the printer is, as it was configured. */
  line: string
  profile: string
}

const LETTERS = 'č ć đ š ž Č Ć Đ Š Ž €'
const BESIDE = ['These lines', 'stand at the', 'right of the', 'code, which', 'has no white', 'or shifted', 'stripes.']
/** A payload as long as that of a real receipt. */
const PAYLOAD = qrPayload({ jir: '00000000-0000-0000-0000-000000000000', zki: '', occurredAt: 0, totalCents: 0n })

/** For a technician: the letters in every code page, a ruler in each font, the QR code in every way, text beside it. */
export function encodeTestPage(settings: PrinterSettings, words: TestPageWords): Encoded {
  const job = createJob(settings)
  const page = new Page(paperOf(settings))
  const flush = (otherwise?: Otherwise) => {
    for (const block of page.blocks.splice(0)) job.add(block, otherwise)
  }
  page.text('fiskd', { align: 'center', bold: true, size: 'double' })
  page.text('printer test', { align: 'center' })
  page.text(WORDS.hr.testNote, { align: 'center' })
  page.rule()
  page.field('line', words.line)
  page.field('profile', words.profile)
  for (const [name, value] of Object.entries(settings)) page.field(snakeCase(name), String(value === '' ? '-' : value))
  page.rule()
  rulers(page, settings)
  page.text('Letters as they are set:')
  page.text(LETTERS)
  page.rule()
  page.text('If those are wrong, set the encoding and the code_page of the line below that is right:')
  flush()
  for (const candidate of LETTER_PAGES) {
    const letters = printable(LETTERS.replaceAll(' ', ''), candidate.encoding)
    page.composed(`${`${candidate.encoding} ${candidate.codePage}:`.padEnd(16)} ${letters}`)
    flush(candidate)
  }
  page.rule()
  for (const mode of settings.qr === 'native' ? (['native', 'raster'] as const) : (['raster', 'native'] as const)) {
    page.text(mode === settings.qr ? `QR code as it is set, ${mode}:` : `QR code, ${mode}:`)
    if (mode === 'native') page.text('(text instead of it: this printer needs raster)')
    page.qr(PAYLOAD)
    flush({ qr: mode, pictures: 'raster' })
  }
  page.text('(text instead of the picture: set pictures to columns)')
  page.text('QR code with pictures by columns, as on the compact receipt:')
  page.blank()
  page.tightQr(
    PAYLOAD,
    BESIDE.map((text) => ({ text, bold: false })),
  )
  page.blank()
  flush()
  return job.end()
}

function rulers(page: Page, { columns, smallFontDots }: PrinterSettings): void {
  page.text('The ruler must fill one line:')
  page.text(ruler(columns))
  if (smallFontDots === 0) return
  const characters = Math.floor(paperDots({ columns }) / smallFontDots)
  page.text('So must this one of small letters (else set small_font_dots to 0):')
  page.text(ruler(characters), { size: 'small' })
}

/** `1...5...10...15`: each number ends at its own column. */
function ruler(columns: number): string {
  let line = '1'
  for (let at = 5; at <= columns; at += 5) line += String(at).padStart(at - line.length, '.')
  return line.padEnd(columns, '.')
}
