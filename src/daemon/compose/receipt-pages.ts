import type { ReceiptDrawing } from '../../fiscal/ports/printing.ts'
import type { LinkKeys, ReceiptLinks } from '../../fiscal/receipt-links/links.ts'
import { createLook } from '../../fiscal/receipt-links/look.ts'
import { createViews } from '../../fiscal/receipt-links/views.ts'
import { createWithdrawals } from '../../fiscal/receipt-links/withdrawals.ts'
import { createPdfThread } from '../../receipts/pdf/pdf-thread.ts'
import { withdrawalFile } from '../lifecycle/withdrawal-file.ts'
import type { Base } from './base.ts'

const STORE_VIEWS_MS = 60_000

/** What a server that shows receipts needs for the phones of customers, and for the office. */
export function composeReceiptPages(deps: Base & { links: ReceiptLinks; keys: LinkKeys; drawing: ReceiptDrawing }) {
  const { config, store, clock, newUuid, log, links, keys, drawing } = deps
  const { ready, ...withdrawals } = createWithdrawals({
    ...{ store, clock, newUuid, links },
    file: withdrawalFile(config.dataDir),
  })
  const views = createViews({ store, clock })
  const pdfs = createPdfThread()
  const storeViews = () =>
    views.flush().catch((error: unknown) => log.warn({ err: error }, 'views of receipts could not be stored yet'))
  let storing: NodeJS.Timeout | undefined
  return {
    pages: {
      ...createLook({ store, clock, drawing, keys, ready }),
      pdf: ({ receipt }: { receipt: Parameters<typeof pdfs.draw>[0] }) => pdfs.draw(receipt),
      onView: views.count,
    },
    useCases: { ...withdrawals, viewsOf: views.ofCompany },
    start() {
      ready().catch((error: unknown) => log.error({ err: error }, 'withdrawn links to receipts could not be read'))
      storing = setInterval(storeViews, STORE_VIEWS_MS)
    },
    async close(): Promise<void> {
      clearInterval(storing)
      await storeViews()
      await pdfs.close()
    },
  }
}
