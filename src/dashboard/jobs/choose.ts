import { invalidRequest } from '../../domain/errors.ts'
import type { WantedJob } from '../../fiscal/jobs/jobs.ts'
import type { Job } from '../../fiscal/ports/jobs.ts'
import { INVOICE_ID, UUID } from '../ids.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { texts } from './texts.ts'
import { nameOf } from './view.ts'

const OPERATOR = { role: 'operator' } as const
/** The confirmation names the first ones. */
const MOST_NAMED = 20

/** Work on rows that were chosen in a list: a page asks before, with the consequence and the count, and a job does it. */
export function chosenRowsPages(pages: Pages, { office }: Pick<DashboardDeps, 'office'>): void {
  pages.post(
    '/jobs/confirm',
    async (context) => {
      const t = texts[context.language]
      const { rows, ...work } = readChosen(context)
      const name = nameOf(work)
      if (rows.length === 0 || name === 'isu_numbers') {
        return context.show('jobs/confirm', { title: t.confirmTitle, t, question: null, named: [], more: 0 }, 422)
      }
      const named = await office.jobs.named(context.principal, { ...work, rows: rows.slice(0, MOST_NAMED) })
      return context.show('jobs/confirm', {
        title: t.confirmTitle,
        t,
        question: t.confirm[name](rows.length),
        isDanger: name === 'archived' || name === 'suspended',
        named,
        more: rows.length - named.length,
        work: context.form.work,
        ids: rows.map(({ subjectId }) => subjectId).join(','),
      })
    },
    OPERATOR,
  )

  pages.post(
    '/jobs',
    (context) =>
      context.once<Job>((keep) => office.jobs.create(context.principal, readChosen(context), keep), {
        to: ({ id }) => `/dashboard/jobs/${id}`,
      }),
    OPERATOR,
  )
}

/** @throws FiskError `invalid_request` for what no list of ours sends */
function readChosen({ form }: PageContext): WantedJob {
  const { work = '', ids = '' } = form
  const all = [...new Set(ids.split(',').filter(Boolean))]
  const rows = all.map((subjectId) => ({ subjectId, input: null }))
  if (work === 'retry' || work === 'copies') {
    if (all.some((id) => !INVOICE_ID.test(id))) throw invalidRequest('ids', 'these are no invoices')
    return { kind: work, parameters: {}, rows }
  }
  if (work !== 'active' && work !== 'suspended' && work !== 'archived') throw invalidRequest('work', 'no such work')
  if (all.some((id) => !UUID.test(id))) throw invalidRequest('ids', 'these are no devices')
  return { kind: 'status', parameters: { status: work }, rows }
}
