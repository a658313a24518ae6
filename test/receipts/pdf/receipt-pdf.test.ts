import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Receipt } from '../../../src/domain/sale/receipt.ts'
import { charactersOf } from '../../../src/receipts/escpos/code-pages.ts'
import { receiptText } from '../../../src/receipts/layout/receipt-as-text.ts'
import { CHARACTERS } from '../../../src/receipts/pdf/font-dejavu-mono.ts'
import { receiptPdf } from '../../../src/receipts/pdf/receipt-pdf.ts'
import { codesIn } from '../../support/printer.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { skipWithout } from '../../support/tools.ts'
import { KINDS } from '../escpos/golden/kinds.ts'
import { receipt } from '../escpos/golden/sales.ts'

const copyOf = (original: Receipt): Receipt => ({ ...original, copy: 'uncounted' })

async function fileWith(original: Receipt): Promise<string> {
  const file = join(await tempDir(), 'copy.pdf')
  writeFileSync(file, receiptPdf(copyOf(original)))
  return file
}

function run(command: string, ...args: string[]): string {
  const { stdout, stderr, status } = spawnSync(command, args, { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

/** The words in order; blocks of the QR code are not text in a PDF. */
const words = (text: string) => text.split(/[\s█▀▄]+/).filter(Boolean)

describe.skipIf(skipWithout('pdftotext', 'pdftoppm', 'zbarimg'))('the PDF of the receipt', () => {
  describe.each(KINDS)('$name', ({ receipt: original }) => {
    test('has the words of the printed copy, in their order, and says KOPIJA', async () => {
      const printed = receiptText(copyOf(original), { columns: 48, encoding: 'windows1250' })
      const said = words(run('pdftotext', '-layout', await fileWith(original), '-'))
      expect(said).toEqual(words(printed))
      expect(said).toContain('KOPIJA')
    })

    test('has a QR code that reads as exactly what the law wants in it', async () => {
      const file = await fileWith(original)
      // Not as PNG: half of the time would go into compressing what is read once.
      run('pdftoppm', '-r', '150', '-gray', file, file)
      const pages = readdirSync(dirname(file)).filter((name) => name.endsWith('.pgm'))
      const codes = pages.flatMap((name) => codesIn(readFileSync(join(dirname(file), name))))
      expect(codes).toEqual([original.qrPayload])
    })
  })

  test('goes on over as many pages of A4 as it needs', async () => {
    const footer = Array.from({ length: 100 }, (_, index) => `Redak ${index}`)
    const info = run('pdfinfo', await fileWith(receipt({ footer })))
    expect(info).toMatch(/Pages: +3\n/)
    expect(info).toContain('595 x 842 pts (A4)')
  })
})

test('the same receipt is the same bytes, without a date, and small', () => {
  const original = KINDS[0]?.receipt ?? receipt({})
  const pdf = receiptPdf(copyOf(original))
  expect(receiptPdf(copyOf(original)).equals(pdf)).toBe(true)
  expect(pdf.includes('CreationDate')).toBe(false)
  expect(pdf.length).toBeLessThan(60_000)
})

test('the font has every letter that the layout lets through', () => {
  expect([...charactersOf('windows1250')].filter((char) => !CHARACTERS.includes(char))).toEqual([])
})
