import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import type { HealedNumbersView, NumberStandingView, SkippedNumbersView } from '../../contract/admin/numbers.ts'
import { Closed, Id, Mode, Text } from '../../contract/common.ts'
import { formatInstant } from '../../domain/instant.ts'
import { numbersLeft } from '../../domain/sale/receipt-number.ts'
import type { SkippedNumbers } from '../../fiscal/numbering/account-for-lost.ts'
import type { HealedSequence } from '../../fiscal/numbering/heal-numbers.ts'
import type { NumberStanding } from '../../fiscal/numbering/list-numbers.ts'
import type { NumberAhead, Sequence } from '../../fiscal/ports/model.ts'
import type { AdminUseCases } from '../../fiscal/use-cases.ts'
import { wholeList } from '../views/list.ts'

const SequencesBody = Closed({
  company_id: Id('Whose premises it is'),
  premises_code: Text(1, 20, 'As the tax authority knows the premises'),
  mode: Type.Optional(Mode),
  year: Type.Optional(Type.Integer({ minimum: 2000, maximum: 9999 })),
  register: Type.Optional(Type.String({ maxLength: 20, description: 'Where each register counts for itself' })),
  after: Type.Optional(
    Type.String({ maxLength: 20, description: 'Go on after this number, which names one sequence' }),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'Only say what would be done' })),
})

/** How far receipt numbers have got, and the way back for sequences that followed a number too far ahead. */
export const numberRoutes: FastifyPluginAsyncTypebox<{ useCases: AdminUseCases }> = async (app, { useCases }) => {
  app.get('/numbers', async ({ principal }) => wholeList((await useCases.listNumbers(principal)).map(standingView)))

  app.post('/numbers/heal', {
    schema: { body: SequencesBody },
    handler: async ({ principal, body }): Promise<HealedNumbersView> => {
      const order = orderOf(body)
      const healed = await useCases.healNumbers(principal, order)
      return { dry_run: order.dryRun, healed: healed.map(healedView) }
    },
  })

  app.post('/numbers/skip-lost', {
    schema: { body: SequencesBody },
    handler: async ({ principal, body }): Promise<SkippedNumbersView> => {
      const order = orderOf(body)
      const skipped = await useCases.skipLostNumbers(principal, order)
      return { dry_run: order.dryRun, skipped: skipped.map(skippedView) }
    },
  })
}

function orderOf({ company_id, premises_code, mode, year, register, after, dry_run }: Static<typeof SequencesBody>) {
  const premises = { companyId: company_id.toLowerCase(), premisesCode: premises_code }
  const meant = { mode: mode ?? null, year: year ?? null, register: register ?? null }
  return { ...premises, ...meant, after: after ?? null, dryRun: dry_run ?? false }
}

/** The register is null where a premises has one sequence. */
const sequenceView = ({ mode, premisesCode, year, register }: Sequence) => ({
  mode,
  premises_code: premisesCode,
  year,
  register: register || null,
})

function standingView({ company, sequence, highest, ahead }: NumberStanding): NumberStandingView {
  return {
    company: { id: company.id, name: company.name, oib: company.oib },
    ...sequenceView(sequence),
    highest,
    left: String(numbersLeft(highest ?? '0')),
    ahead: ahead && { count: ahead.count, latest: aheadView(ahead.latest) },
  }
}

const aheadView = ({ number, invoiceId, notedAt }: NumberAhead) => ({
  number,
  invoice_id: invoiceId,
  noted_at: formatInstant(notedAt),
})

function skippedView({ sequence, from, to, sales }: SkippedNumbers): SkippedNumbersView['skipped'][number] {
  const lost = sales.map(({ number, zki, jir }) => ({ number, zki, jir }))
  return { company_id: sequence.companyId, ...sequenceView(sequence), from, to, lost }
}

function healedView({ sequence, from, to, ahead, shortened }: HealedSequence): HealedNumbersView['healed'][number] {
  return { company_id: sequence.companyId, ...sequenceView(sequence), from, to, ahead, shortened }
}
