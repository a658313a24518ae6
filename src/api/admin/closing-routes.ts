import { setImmediate } from 'node:timers/promises'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import {
  type ClosedPeriodView,
  ClosingPrintSchema,
  ClosingSchema,
  type ClosingView,
} from '../../contract/admin/closings.ts'
import { Closed, Id, IdParams, Mode } from '../../contract/common.ts'
import { dateAt } from '../../domain/calendar-date.ts'
import { invalidRequest } from '../../domain/errors.ts'
import { columnsIn, PAPER_COLUMNS } from '../../domain/printer.ts'
import { isOver, periodAfter, periodAt, periodName, readPeriod } from '../../domain/sale/closing-period.ts'
import type { Principal } from '../../fiscal/access/principal.ts'
import type { ClosedPeriod, ClosingsWanted } from '../../fiscal/closings/closings.ts'
import type { OfficeUseCases } from '../../fiscal/use-cases.ts'
import { view } from '../views/view.ts'

/** Closings in one answer, each with its text. */
const MOST = 100

const wanted = {
  period: Type.Optional(
    Type.String({ description: '`2026-11-22`, or `2026-11` for a month; the day before when left out' }),
  ),
  mode: Type.Optional(Mode),
  company_id: Type.Optional(Id('Only of this company')),
  premises_code: Type.Optional(Type.String({ format: 'premises-code' })),
}

const Wanted = Closed(wanted)
type Asked = Static<typeof Wanted>

export interface ClosingRoutesOptions {
  office: Pick<OfficeUseCases, 'closings' | 'closingReceipts' | 'modesOf'>
  now: () => number
}

export const closingRoutes: FastifyPluginAsyncTypebox<ClosingRoutesOptions> = async (app, { office, now }) => {
  const { closings, closingReceipts, modesOf } = office

  /** The mode of real sales as soon as there can be any, as on the pages. */
  async function wantedBy(principal: Principal, asked: Asked): Promise<ClosingsWanted> {
    const period =
      asked.period === undefined ? periodAfter(periodAt('day', dateAt(now())), -1) : readPeriod(asked.period)
    if (!period) throw invalidRequest('period', 'a period is a day such as 2026-11-22, or a month such as 2026-11')
    const [mode = 'test'] = asked.mode === undefined ? await modesOf(principal) : [asked.mode]
    return { ...period, mode, companyId: asked.company_id?.toLowerCase(), premisesCode: asked.premises_code }
  }

  async function viewOf(principal: Principal, asked: Asked, columns?: string): Promise<ClosedPeriodView> {
    const of = await wantedBy(principal, asked)
    const { running, premises, open } = await closings.state(principal, of)
    const { items, next } = await closings.list(principal, of, { limit: MOST })
    const data: ClosingView[] = []
    for (const closing of items) {
      data.push(closingView(closing, await closingReceipts.text(closing, columnsIn(columns))))
      await setImmediate()
    }
    return {
      period: periodName(of),
      mode: of.mode,
      is_over: isOver(of, now()),
      running: running !== null,
      premises,
      open: { premises: open.length, invoices: open.reduce((sum, { invoices }) => sum + invoices, 0) },
      data,
      has_more: next !== null,
    }
  }

  app.get('/closings', {
    schema: { querystring: Closed({ ...wanted, columns: Type.Optional(Type.Enum(PAPER_COLUMNS.map(String))) }) },
    handler: ({ principal, query }) => viewOf(principal, query, query.columns),
  })

  app.post('/closings', { schema: { body: Wanted } }, async ({ principal, body }) => {
    await closings.close(principal, await wantedBy(principal, body))
    return viewOf(principal, body)
  })

  app.post('/closings/:id/print', {
    schema: { params: IdParams, body: Closed({ device_id: Type.Optional(Id('On the printer of this device')) }) },
    handler: async ({ principal, params, body }) =>
      view(ClosingPrintSchema, await closingReceipts.print(principal, params.id, body.device_id?.toLowerCase())),
  })
}

const closingView = ({ id, document }: ClosedPeriod, text: string) =>
  view(ClosingSchema, { ...document, id, withoutJir: document.withoutJir.invoices, text })
