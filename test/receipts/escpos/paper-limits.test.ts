import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PRINTER_CHOICES, PRINTER_PROFILES } from '../../../src/domain/printer.ts'
import { encodeReceipt } from '../../../src/receipts/encoding/encode-receipt.ts'
import { settingsOf } from '../../../src/receipts/escpos/printer-profiles.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { skipWithout } from '../../support/tools.ts'
import { qrBox, read } from './golden/pixels.ts'
import { bytesOf, print } from './golden/print.ts'
import { receipt } from './golden/sales.ts'

/** From the head to the cutter of the virtual printer. */
const CUTTER_MM = 14
const LIMITS_MM = { wide: 85, narrow: 110 }
const SLOW = 19_200

const PRINTERS = PRINTER_PROFILES.flatMap((profile) =>
  PRINTER_CHOICES.qr.flatMap((qr) =>
    PRINTER_CHOICES.pictures.flatMap((pictures) =>
      (['wide', 'narrow'] as const).map((width) => ({ profile, qr, pictures, width })),
    ),
  ),
).filter(({ profile, qr, width }) => {
  const own = settingsOf(profile, {})
  // Printers of Custom are wider than 58 mm, clones with pictures by columns print a native code as text.
  if (width === 'narrow' && profile.startsWith('custom-')) return false
  return (width === 'narrow' || own.columns > 35) && (qr === 'raster' || own.pictures === 'raster')
})
const compact = receipt({ paper: 'compact' })

describe.each(PRINTERS)(
  'a compact receipt of one item on $width paper of a $profile (QR code $qr, pictures by $pictures)',
  (kind) => {
    const { profile, qr, pictures, width } = kind
    const settings = settingsOf(profile, { qr, pictures, ...(width === 'narrow' && { columns: 32 }) })
    const job = encodeReceipt(compact, settings)
    const { papers, unknownCommands, refused } = print(job, settings)
    const dotMm = settings.dpi === 203 ? 1 / 8 : 25.4 / 180

    // Without a cutter the paper was fed to the edge where it is torn off.
    const toCutter = settings.cut === 'none' ? 0 : CUTTER_MM

    test('is short, with the way to the cutter', () => {
      expect({ unknownCommands, refused }).toEqual({ unknownCommands: [], refused: [] })
      expect((papers[0]?.height ?? 0) * dotMm + toCutter).toBeLessThanOrEqual(LIMITS_MM[width])
    })

    test('has a QR code of 20 mm with 2 mm and four modules of blank paper around it', () => {
      const { width: side, height, quiet } = qrBox(read(papers[0]?.png() ?? Buffer.alloc(0)))
      expect(side).toBe(height)
      expect(side * dotMm).toBeGreaterThanOrEqual(20)
      expect(quiet * dotMm).toBeGreaterThanOrEqual(2)
      expect(quiet).toBeGreaterThanOrEqual((4 * side) / 41)
    })

    test.skipIf(settings.commands === 'star_raster')('is on a slow line for less than three seconds', () => {
      expect((bytesOf(job).length * 10) / SLOW).toBeLessThan(3)
    })
  },
)

test.skipIf(skipWithout('zbarimg'))('every such QR code reads as exactly what the law wants in it', async () => {
  const folder = await tempDir()
  const files = PRINTERS.map(({ profile, qr, pictures, width }, index) => {
    const settings = settingsOf(profile, { qr, pictures, ...(width === 'narrow' && { columns: 32 }) })
    const file = join(folder, `${index}.png`)
    writeFileSync(file, print(encodeReceipt(compact, settings), settings).papers[0]?.png() ?? '')
    return file
  })
  const { stdout } = spawnSync('zbarimg', ['--raw', '-q', ...files], { encoding: 'utf8' })
  expect(stdout.trimEnd().split('\n')).toEqual(files.map(() => compact.qrPayload))
})
