import { FiskError, invalidRequest } from '../../domain/errors.ts'
import type { WantedJob } from '../../fiscal/jobs/jobs.ts'
import type { Job } from '../../fiscal/ports/jobs.ts'
import { textOfError } from '../error-texts.ts'
import { INVOICE_ID, UUID } from '../ids.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { idsMatching } from './matching.ts'
import { texts } from './texts.ts'
import { nameOf } from './view.ts'

type Deps = Pick<DashboardDeps, 'admin' | 'office'>
type Work = Pick<WantedJob, 'kind' | 'parameters'>

const OPERATOR = { role: 'operator' } as const
/** The confirmation names the first ones. */
const MOST_NAMED = 20

/**
 * Work on rows that were chosen in a list, or on all that match its filter: a page asks before, with the count, the
 * consequence and what will be refused, and a job does it. The rows are those of the question, also where others match
 * by then.
 */
export function chosenRowsPages(pages: Pages, deps: Deps): void {
  const { office } = deps
  pages.post(
    '/jobs/confirm',
    async (context) => {
      const t = texts[context.language]
      const { all, work = '' } = context.form
      try {
        const wanted = await readWanted(deps, context)
        const forecast = await office.jobs.forecast(context.principal, wanted, MOST_NAMED)
        const name = nameOf(wanted)
        const rows = wanted.rows.length
        return context.show('jobs/confirm', {
          title: t.confirmTitle,
          t,
          wrong: null,
          question: name === 'isu_numbers' ? '' : t.confirm[name](rows),
          isDanger: name === 'archived' || name === 'suspended',
          ...forecast,
          refused: forecast.refused.map((one) => ({ rows: one.rows, why: textOfError(one.refusal, context.language) })),
          more: rows - forecast.named.length,
          work: all ?? work,
          ids: wanted.rows.map(({ subjectId }) => subjectId).join(','),
        })
      } catch (error) {
        if (!(error instanceof FiskError) || error.param !== 'rows') throw error
        const wrong = error.reason === 'job_empty' ? t.nothingChosen : textOfError(error, context.language)
        return context.show('jobs/confirm', { title: t.confirmTitle, t, wrong }, 422)
      }
    },
    OPERATOR,
  )

  pages.post(
    '/jobs',
    (context) =>
      context.once<Job>((keep) => office.jobs.create(context.principal, readChosen(context.form), keep), {
        to: ({ id }) => `/dashboard/jobs/${id}`,
      }),
    OPERATOR,
  )
}

/** The rows that were ticked or, with a button for all, those that match the filter of the list. */
async function readWanted(deps: Deps, context: PageContext): Promise<WantedJob> {
  const { all, filter = '' } = context.form
  if (all === undefined) return readChosen(context.form)
  const work = readWork(all)
  const ids = await idsMatching(deps, context, work.kind, filter)
  return { ...work, rows: ids.map((subjectId) => ({ subjectId, input: null })) }
}

/** @throws FiskError `invalid_request` for what no list of ours sends */
function readChosen({ work = '', ids = '' }: Record<string, string>): WantedJob {
  const wanted = readWork(work)
  const all = [...new Set(ids.split(',').filter(Boolean))]
  const pattern = wanted.kind === 'status' ? UUID : INVOICE_ID
  if (all.some((id) => !pattern.test(id))) throw invalidRequest('ids', 'these are no rows of that list')
  return { ...wanted, rows: all.map((subjectId) => ({ subjectId, input: null })) }
}

/** @throws FiskError `invalid_request` for work that no list offers */
function readWork(work: string): Work {
  if (work === 'retry' || work === 'copies') return { kind: work, parameters: {} }
  if (work === 'active' || work === 'suspended' || work === 'archived') {
    return { kind: 'status', parameters: { status: work } }
  }
  throw invalidRequest('work', 'no such work')
}
