import { createFormats } from '../formats.ts'
import type { DashboardDeps, Pages } from '../page-routes.ts'
import { copyReceipt, retryInvoice } from './actions.ts'
import { detailPage, olderMessages } from './detail-page.ts'
import { failedPage, failedProgress, retryFailed } from './failed-page.ts'
import { invoiceListPage } from './list-page.ts'
import { mailCopy } from './mail-copy.ts'
import { messageFile, messagePage } from './message-page.ts'
import { receiptFile } from './receipt-files.ts'

/** The pages of invoices: search, list, detail, and sending again. */
export function invoicePages(pages: Pages, given: DashboardDeps): void {
  const deps = { ...given, formats: createFormats(given.now) }
  pages.get('/invoices', invoiceListPage(given))
  pages.get('/invoices/failed', (context) => failedPage(deps, context))
  pages.get('/invoices/failed/progress', (context) => failedProgress(deps, context))
  pages.post('/invoices/failed/retry', (context) => retryFailed(deps, context), { role: 'operator' })
  pages.get('/invoices/:id', (context) => detailPage(deps, context))
  pages.post('/invoices/:id/retry', (context) => retryInvoice(deps, context), { role: 'operator' })
  pages.post('/invoices/:id/copy', (context) => copyReceipt(deps, context), { role: 'operator' })
  pages.post('/invoices/:id/mail', (context) => mailCopy(deps, context), { role: 'operator' })
  pages.get('/invoices/:id/receipt.png', (context) => receiptFile(deps, context, 'png'))
  pages.get('/invoices/:id/receipt.pdf', (context) => receiptFile(deps, context, 'pdf'))
  pages.get('/invoices/:id/receipt.txt', (context) => receiptFile(deps, context, 'txt'))
  pages.get('/invoices/:id/messages', (context) => olderMessages(deps, context))
  pages.get('/invoices/:id/messages/:message', (context) => messagePage(deps, context))
  pages.get('/invoices/:id/messages/:message/:file', (context) => messageFile(deps, context))
}
