import { notFound } from '../../domain/errors.ts'
import { answerSignatureIn } from '../../domain/sale/answer-signature.ts'
import { invoiceIdOf, messageIdOf } from '../ids.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { numberOf, outcomeOf } from './detail-page.ts'
import { detailTexts } from './detail-texts.ts'
import { prettyXml } from './pretty-xml.ts'

type Deps = Pick<DashboardDeps, 'office'>

/** A longer message is cut on the page; the whole of it is a file. */
const SHOWN = 20_000

/** One message and its answer, for people to read. */
export async function messagePage({ office }: Deps, context: PageContext): Promise<unknown> {
  const t = detailTexts[context.language]
  const id = invoiceIdOf(context)
  const message = await office.search.message(context.principal, id, messageIdOf(context))
  const number = numberOf(await office.search.file(context.principal, id))
  const { requestXml, responseXml } = message
  const url = `/dashboard/invoices/${id}/messages/${message.id}`
  const shown = (title: string, xml: string | null, file: string, missing: string) => ({
    title,
    missing,
    url: `${url}/${file}`,
    xml: xml === null ? null : prettyXml(xml.slice(0, SHOWN)),
    isCut: (xml?.length ?? 0) > SHOWN,
  })
  return context.show('invoices/message', {
    title: t.messageTitle(message.attemptNo, number),
    t,
    message,
    outcome: outcomeOf(message, t),
    back: `/dashboard/invoices/${id}#messages`,
    signature: answerSignatureIn(responseXml),
    parts: [
      shown(t.request, requestXml, 'request.xml', t.notKept),
      shown(t.response, responseXml, 'response.xml', message.httpStatus === null ? t.noResponse : t.notKept),
    ],
  })
}

/** What was sent or answered, byte for byte. @throws FiskError 404 */
export async function messageFile({ office }: Deps, context: PageContext): Promise<unknown> {
  const id = invoiceIdOf(context)
  const message = await office.search.message(context.principal, id, messageIdOf(context))
  const { file } = context.params
  const xml = file === 'request.xml' ? message.requestXml : file === 'response.xml' ? message.responseXml : null
  if (xml === null) throw notFound('file', 'this was not kept')
  const name = `${id}-${message.attemptNo}-${file}`
  return context.reply
    .type('application/xml')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Buffer.from(xml, 'utf8'))
}
