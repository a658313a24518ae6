import { FiskError } from '../../domain/errors.ts'
import type { ClosingPrint } from '../../fiscal/closings/closing-receipts.ts'
import { closingsCsv } from '../../reports/closings/file.ts'
import { texts as reportTexts } from '../../reports/closings/texts.ts'
import type { Notice, Pages } from '../page-routes.ts'
import { queryOf } from './choice.ts'
import { detailPage } from './detail-page.ts'
import { type ClosingPageDeps, chosenBy, LIST, listPage } from './list-page.ts'
import { mailList, mailOne } from './mail.ts'

const OPERATOR = { role: 'operator' } as const

/** Null for a form that was sent twice: the first one was told. */
function noticeOf(print: ClosingPrint | null): Notice {
  if (print === null) return 'closing_sent'
  return print.status === 'printed' || print.status === 'unconfirmed' ? 'closing_printed' : 'closing_not_printed'
}

/** Closings of a day or month, one closing, and closing what is open. */
export function closingPages(pages: Pages, deps: ClosingPageDeps): void {
  const { closings, closingReceipts } = deps.office
  pages.get('/closings', (context) => listPage(deps, context))
  pages.get('/closings/:id', (context) => detailPage(deps, context))
  pages.post('/closings/mail', (context) => mailList(deps, context), OPERATOR)
  pages.post('/closings/:id/mail', (context) => mailOne(deps, context), OPERATOR)

  pages.get('/closings/file.csv', async (context) => {
    const { wanted } = (await chosenBy(deps, context)).choice
    const slices = closings.all(context.principal, wanted)
    const { name, content } = closingsCsv(slices, wanted, reportTexts[context.language])
    await deps.office.noteDownload(context.principal, name)
    const attachment = `attachment; filename="${name}"`
    return context.reply.type('text/csv; charset=utf-8').header('content-disposition', attachment).send(content)
  })

  pages.post(
    '/closings',
    async (context) => {
      const { choice } = await chosenBy(deps, context)
      if (!choice.isGiven) throw new FiskError('invalid_request', 'the period is missing', { param: 'period' })
      return context.once<void>((keep) => closings.close(context.principal, choice.wanted, keep), {
        to: `${LIST}?${queryOf(choice)}`,
        notice: 'period_closed',
      })
    },
    OPERATOR,
  )

  pages.post(
    '/closings/:id/print',
    async (context) => {
      const id = context.params.id ?? ''
      const to = (print: ClosingPrint | null) => `${LIST}/${id}?notice=${noticeOf(print)}`
      return context.once<ClosingPrint | null>(
        (keep) => closingReceipts.print(context.principal, id, undefined, keep),
        { to },
      )
    },
    OPERATOR,
  )
}
