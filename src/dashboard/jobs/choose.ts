import { FiskError, invalidRequest } from '../../domain/errors.ts'
import type { WantedJob } from '../../fiscal/jobs/jobs.ts'
import { isAboutInvoices, isAboutTags } from '../../fiscal/jobs/subject.ts'
import { readTag } from '../../fiscal/machines/tags.ts'
import type { Job } from '../../fiscal/ports/jobs.ts'
import type { Keep } from '../../fiscal/sales/idempotency.ts'
import { textOfError } from '../error-texts.ts'
import { INVOICE_ID, UUID } from '../ids.ts'
import { type DashboardDeps, type PageContext, type Pages, statusOf } from '../page-routes.ts'
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
      try {
        return await ask(context, await readWanted(deps, context))
      } catch (error) {
        if (!(error instanceof FiskError) || error.param !== 'rows') throw error
        const t = texts[context.language]
        const wrong = error.reason === 'job_empty' ? t.nothingChosen : textOfError(error, context.language)
        return context.show('jobs/confirm', { title: t.confirmTitle, t, wrong }, 422)
      }
    },
    OPERATOR,
  )

  pages.post(
    '/jobs',
    (context) => {
      const wanted = readChosen(context.form)
      const begin = (keep: Keep<Job>) => office.jobs.create(context.principal, withTyped(wanted, context.form), keep)
      return context.once<Job>(begin, {
        to: ({ id }) => `/dashboard/jobs/${id}`,
        refused: (errors, error) => (error.param === 'tags' ? ask(context, wanted, errors) : refuse(error)),
      })
    },
    OPERATOR,
  )

  async function ask(context: PageContext, wanted: WantedJob, errors: Record<string, string> = {}) {
    const t = texts[context.language]
    const forecast = await office.jobs.forecast(context.principal, wanted, MOST_NAMED)
    const name = nameOf(wanted)
    const rows = wanted.rows.length
    const it = {
      title: t.confirmTitle,
      t,
      wrong: null,
      question: name === 'isu_numbers' ? '' : t.confirm[name](rows),
      isDanger: name === 'archived' || name === 'suspended',
      ...forecast,
      refused: forecast.refused.map((one) => ({ rows: one.rows, why: textOfError(one.refusal, context.language) })),
      more: rows - forecast.named.length,
      tags: isAboutTags(wanted.kind) ? await office.machines.tags(context.principal) : null,
      form: context.form,
      errors,
      work: context.form.all ?? context.form.work,
      ids: wanted.rows.map(({ subjectId }) => subjectId).join(','),
    }
    return context.show('jobs/confirm', it, statusOf(errors))
  }
}

function refuse(error: unknown): never {
  throw error
}

/** What was typed on the page that asks. @throws FiskError 400 (`tags`) */
function withTyped(wanted: WantedJob, { tag = '' }: Record<string, string>): WantedJob {
  return isAboutTags(wanted.kind) ? { ...wanted, parameters: { tag: readTag(tag) } } : wanted
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
  const pattern = isAboutInvoices(wanted.kind) ? INVOICE_ID : UUID
  if (all.some((id) => !pattern.test(id))) throw invalidRequest('ids', 'these are no rows of that list')
  return { ...wanted, rows: all.map((subjectId) => ({ subjectId, input: null })) }
}

/** @throws FiskError `invalid_request` for work that no list offers */
function readWork(work: string): Work {
  if (work === 'retry' || work === 'copies' || work === 'tag' || work === 'untag') return { kind: work, parameters: {} }
  if (work === 'active' || work === 'suspended' || work === 'archived') {
    return { kind: 'status', parameters: { status: work } }
  }
  throw invalidRequest('work', 'no such work')
}
