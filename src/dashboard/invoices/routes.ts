import { createFormats } from '../formats.ts'
import type { DashboardDeps, Pages } from '../page-routes.ts'
import { copyReceipt, retryInvoice } from './actions.ts'
import { detailPage, olderMessages } from './detail-page.ts'
import { failedPage, failedProgress, retryFailed } from './failed-page.ts'
import { listPage } from './list-page.ts'
import { messageFile, messagePage } from './message-page.ts'
import { receiptPicture, receiptText } from './receipt-files.ts'

/** The invoices: finding them, reading what has become of one, and sending it again. */
export function invoicePages(pages: Pages, given: DashboardDeps): void {
  const deps = { ...given, formats: createFormats(given.now) }
  pages.get('/invoices', (visit) => listPage(deps, visit))
  pages.get('/invoices/failed', (visit) => failedPage(deps, visit))
  pages.get('/invoices/failed/progress', (visit) => failedProgress(deps, visit))
  pages.post('/invoices/failed/retry', (visit) => retryFailed(deps, visit), { role: 'operator' })
  pages.get('/invoices/:id', (visit) => detailPage(deps, visit))
  pages.post('/invoices/:id/retry', (visit) => retryInvoice(deps, visit), { role: 'operator' })
  pages.post('/invoices/:id/copy', (visit) => copyReceipt(deps, visit), { role: 'operator' })
  pages.get('/invoices/:id/receipt.png', (visit) => receiptPicture(deps, visit))
  pages.get('/invoices/:id/receipt.txt', (visit) => receiptText(deps, visit))
  pages.get('/invoices/:id/messages', (visit) => olderMessages(deps, visit))
  pages.get('/invoices/:id/messages/:message', (visit) => messagePage(deps, visit))
  pages.get('/invoices/:id/messages/:message/:file', (visit) => messageFile(deps, visit))
}
