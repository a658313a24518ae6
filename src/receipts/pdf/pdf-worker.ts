import { parentPort } from 'node:worker_threads'
import type { AskedPdf } from './pdf-thread.ts'
import { receiptPdf } from './receipt-pdf.ts'

parentPort?.on('message', ({ receipt, port }: AskedPdf) => {
  let drawn: Buffer | null = null
  try {
    // A buffer comes over as its bare bytes.
    const logoFile = receipt.logoFile && Buffer.from(receipt.logoFile)
    drawn = receiptPdf({ ...receipt, logoFile })
  } catch {}
  port.postMessage(drawn)
})
