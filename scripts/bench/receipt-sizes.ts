import { PRINTER_PROFILES } from '../../src/domain/printer.ts'
import { RECEIPT_PAPERS } from '../../src/domain/sale/receipt.ts'
import { encodeReceipt } from '../../src/receipts/encoding/encode-receipt.ts'
import { settingsOf } from '../../src/receipts/escpos/printer-profiles.ts'
import { bytesOf, print } from '../../test/receipts/escpos/golden/print.ts'
import { receipt } from '../../test/receipts/escpos/golden/sales.ts'
import { round } from './statistics.ts'

/** From the head to the cutter of the virtual printer. */
const CUTTER_MM = 14

/** Prints paper, bytes and time on a serial line of a receipt with one item, for each profile and form. */
export function reportReceiptSizes(): void {
  console.log('paper with the way to the cutter, bytes, and time at the baud rate of the profile, one item')
  for (const profile of PRINTER_PROFILES) {
    const said = RECEIPT_PAPERS.map((paper) => {
      const settings = settingsOf(profile, {})
      const job = encodeReceipt(receipt({ paper }), settings)
      const rows = print(job, settings).papers[0]?.height ?? 0
      const mm =
        (rows * 25.4) / (settings.dpi === 203 ? 203.2 : settings.dpi) + (settings.cut === 'none' ? 0 : CUTTER_MM)
      const bytes = bytesOf(job).length
      return `${paper} ${round(mm)} mm, ${bytes} bytes, ${round((bytes * 10) / settings.baudRate)} s`
    })
    console.log(`  ${profile}: ${said.join('; ')}`)
  }
}
