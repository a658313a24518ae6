import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { receiptFileName } from '../domain/sale/receipt-number.ts'
import { acceptedLanguage } from '../domain/texts/accepted-language.ts'
import { LANGUAGES } from '../fiscal/ports/model.ts'
import type { Looked } from '../fiscal/receipt-links/look.ts'
import { RECEIPT_PAGE_BOUNDS } from './bounds.ts'
import { comingPage, NOTHING_PAGE, receiptPage, type ShownReceipt, STYLE, STYLE_PATH } from './page.ts'

export interface ReceiptPagesDeps {
  look(token: string): Promise<Looked>
  /** The receipt in lines of letters. */
  text(shown: ShownReceipt): Promise<string>
  pdf(shown: ShownReceipt): Promise<Buffer>
  /** Counts a request of an address. @returns false for one too many */
  mayAsk(address: string): boolean
  /** Somebody looks at a receipt of this company. */
  onView(companyId: string): void
  /** Every colour and measure of the office's pages. */
  tokensCss: string
}

/** Nothing from elsewhere, no script, nothing framed; and no page from which this one came is told where it was. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

/** Receipts for the phones of customers. No request is logged: its address is the secret. */
export function createReceiptPages(deps: ReceiptPagesDeps, log: FastifyBaseLogger): FastifyInstance {
  const { look, text, pdf, mayAsk, onView, tokensCss } = deps
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    return503OnClosing: false,
    frameworkErrors: (_error, _request, reply) => nothing(reply),
  })
  const files = keptFiles(pdf, RECEIPT_PAGE_BOUNDS.pdfs.most)
  // A body is not read: nothing is decided by it.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS)
    if (!mayAsk(request.ip)) return nothing(reply, 429)
  })
  app.setNotFoundHandler((_request, reply) => nothing(reply))
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if ((error.statusCode ?? 500) < 500) return nothing(reply)
    log.error({ err: error }, 'a receipt could not be shown')
    return nothing(reply, 503)
  })

  app.get(STYLE_PATH, (_request, reply) =>
    reply
      .header('cache-control', 'max-age=3600')
      .type('text/css; charset=utf-8')
      .send(tokensCss + STYLE),
  )
  app.get<{ Params: { token: string } }>('/r/:token', async (request, reply) => {
    const { token } = request.params
    const looked = await look(token)
    if (looked.kind === 'refused') return nothing(reply)
    const wish = wishOf(request)
    reply.type('text/html; charset=utf-8').header('vary', 'accept-language')
    if (looked.kind === 'on_its_way') return reply.send(comingPage(wish))
    if (request.method === 'GET' && wish.renewals === 0) onView(looked.invoice.companyId)
    return reply.send(receiptPage(looked, await text(looked), `/r/${token}/pdf`, wish))
  })
  app.get<{ Params: { token: string } }>('/r/:token/pdf', async (request, reply) => {
    const looked = await look(request.params.token)
    if (looked.kind !== 'shown') return nothing(reply)
    return reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="${receiptFileName(looked.invoice.document)}"`)
      .send(await files(looked))
  })
  return app
}

function nothing(reply: FastifyReply, status = 404): FastifyReply {
  return reply.headers(HEADERS).status(status).type('text/html; charset=utf-8').send(NOTHING_PAGE)
}

function wishOf({ query, headers }: FastifyRequest) {
  const { l, w } = query as Record<string, unknown>
  const accepted = headers['accept-language']
  // Whoever asks for neither language is from elsewhere.
  const language = LANGUAGES.find((one) => one === l) ?? acceptedLanguage(accepted) ?? (accepted ? 'en' : 'hr')
  return { language, renewals: typeof w === 'string' && /^\d{1,3}$/.test(w) ? Number(w) : 0 }
}

/** Each file is drawn once, however many ask for it, and kept until others were asked for. */
function keptFiles(draw: (shown: ShownReceipt) => Promise<Buffer>, most: number) {
  const kept = new Map<string, Promise<Buffer>>()
  return (shown: ShownReceipt): Promise<Buffer> => {
    const key = `${shown.invoice.id} ${shown.invoice.jir} ${shown.receipt.copy}`
    const file = kept.get(key) ?? draw(shown)
    kept.delete(key)
    kept.set(key, file)
    file.catch(() => kept.delete(key))
    if (kept.size > most) kept.delete(kept.keys().next().value ?? '')
    return file
  }
}
