import { FiskError, invalidRequest } from '../../domain/errors.ts'
import { slicesOf } from '../../fiscal/in-slices.ts'
import { isAboutInvoices } from '../../fiscal/jobs/forecast.ts'
import { JOB_BOUNDS, tooLarge, type WantedJob } from '../../fiscal/jobs/jobs.ts'
import { JOB_ROW_STATES, type Job, type JobKind, type JobRow, type JobRowState } from '../../fiscal/ports/jobs.ts'
import { type Cell, type ColumnOf, tableOf } from '../../reports/tables/cells.ts'
import { addressOf } from '../addresses.ts'
import { readFilter as readMachineFilter } from '../devices/filter.ts'
import { textOfError } from '../error-texts.ts'
import { csvFile } from '../export/give-file.ts'
import { INVOICE_ID, UUID } from '../ids.ts'
import { readFilter as readInvoiceFilter, withKnownNames } from '../invoices/filter.ts'
import { texts as invoiceTexts } from '../invoices/texts.ts'
import { pageColumns, showList } from '../lists/list.ts'
import { type DashboardDeps, OPERATOR, type PageContext, type Pages, statusOf } from '../page-routes.ts'
import { deviceFilePages } from './device-files.ts'
import { jobList } from './list.ts'
import { texts } from './texts.ts'
import { readTyped, type Typed, typedOf } from './typed.ts'
import { changeOf, nameOf, reasonOf, rowColumns, viewOfJob } from './view.ts'

const PAGE = 100
const FILE_PAGE = 500

export function jobPages(pages: Pages, deps: DashboardDeps): void {
  const { office } = deps
  deviceFilePages(pages, deps)
  chosenRowsPages(pages, deps)

  pages.get('/jobs', async (context) => showList(context, await jobList(deps, context)))

  const shownOf = async ({ query, params, principal, language, f }: PageContext) => {
    const t = texts[language]
    const view = viewOfJob(await office.jobs.find(principal, params.id ?? ''), t, language)
    const state = JOB_ROW_STATES.find((one) => one === query.state)
    const states: readonly JobRowState[] = state ? [state] : JOB_ROW_STATES
    const from = /^\d{1,5}$/.test(query.from ?? '') ? Number(query.from) : 0
    const rows = await office.jobs.rows(principal, view.job.id, states, from, PAGE + 1)
    const to = (position: number, path = view.path) => addressOf(path, { state, from: String(position) })
    return {
      title: view.name,
      crumb: { href: '/dashboard/jobs', text: t.title },
      t,
      view,
      columns: pageColumns(rowColumns(view.job, t, language), f),
      rows: rows.slice(0, PAGE),
      again: `${to(from, `${view.path}/now`)}&seen=${view.seen}`,
      next: rows[PAGE] ? to(rows[PAGE].position) : null,
      first: from > 0 ? to(0) : null,
    }
  }
  pages.get('/jobs/:id', async (context) => context.show('jobs/detail', await shownOf(context)))

  // An answer without a content leaves the page as it is, so a screen reader says only what is new.
  pages.get('/jobs/:id/now', async (context) => {
    const shown = await shownOf(context)
    if (context.query.seen === shown.view.seen) return context.reply.status(204).send()
    return context.fragment('jobs/progress', shown)
  })

  pages.get('/jobs/:id/refused.csv', async (context) => {
    const t = texts[context.language]
    const id = context.params.id ?? ''
    const { job } = await office.jobs.find(context.principal, id)
    const column = (title: string, cell: (row: JobRow) => Cell): ColumnOf<JobRow> => ({ title, width: 20, cell })
    const columns = [
      column(t.row, ({ position }) => ({ count: position + 1 })),
      column(t.subject, ({ label }) => label),
      column(t.value, (row) => changeOf(job, row, context.language).to ?? ''),
      column(t.reason, ({ refusal }) => (refusal === null ? '' : reasonOf(refusal, t, context.language))),
    ]
    const { content, type } = csvFile(tableOf(t.title, columns, refusedOf(context, id)), 'odbijeno')
    context.reply.header('content-disposition', 'attachment; filename="odbijeno.csv"')
    return context.reply.type(type).send(content)
  })

  const refusedOf = ({ principal }: PageContext, id: string) =>
    slicesOf(FILE_PAGE, (last: JobRow | undefined) =>
      office.jobs.rows(principal, id, ['refused'], last ? last.position + 1 : 0, FILE_PAGE),
    )
}

type Work = Pick<WantedJob, 'kind' | 'parameters'>

/** Work whose parameters, if it has any, are typed on the page that asks. */
const WITHOUT_PARAMETERS: readonly Work['kind'][] = ['retry', 'copies', 'tag', 'untag', 'settings']
/** The confirmation names the first ones. */
const MOST_NAMED = 20

/**
 * Work on rows that were chosen in a list, or on all that match its filter: a page asks before, with the count, the
 * consequence and what will be refused, and a job does it. The rows are those of the question, also where others match
 * by then.
 */
function chosenRowsPages(pages: Pages, deps: DashboardDeps): void {
  const { office } = deps
  pages.post('/jobs/confirm', OPERATOR, async (context) => {
    try {
      return await ask(context, await readWanted(deps, context))
    } catch (error) {
      if (!(error instanceof FiskError) || error.param !== 'rows') throw error
      const t = texts[context.language]
      const wrong = error.reason === 'job_empty' ? t.nothingChosen : textOfError(error, context.language)
      return context.show('jobs/confirm', { title: t.confirmTitle, t, wrong }, 422)
    }
  })

  pages.post('/jobs', OPERATOR, async (context) => {
    const wanted = readChosen(context.form)
    const typed = readTyped(wanted, context)
    if (!('parameters' in typed)) return ask(context, wanted, typed)
    return context.once<Job>((keep) => office.jobs.create(context.principal, { ...wanted, ...typed }, keep), {
      to: ({ id }) => `/dashboard/jobs/${id}`,
    })
  })

  async function ask(context: PageContext, wanted: WantedJob, typed: Typed = {}) {
    const t = texts[context.language]
    const forecast = await office.jobs.forecast(context.principal, wanted, MOST_NAMED)
    const name = nameOf(wanted)
    const rows = wanted.rows.length
    const it = {
      title: t.confirmTitle,
      t,
      wrong: null,
      question: name === 'isu_numbers' || name === 'hours' ? '' : t.confirm[name](rows),
      isDanger: name === 'archived' || name === 'suspended',
      ...forecast,
      refused: forecast.refused.map((one) => ({ rows: one.rows, why: textOfError(one.refusal, context.language) })),
      more: rows - forecast.named.length,
      ...(await typedOf(deps, context, wanted.kind, typed)),
      work: context.form.work,
      ids: wanted.rows.map(({ subjectId }) => subjectId).join(','),
    }
    return context.show('jobs/confirm', it, statusOf(typed))
  }
}

/** The rows that were ticked or, where all are wanted, those that match the filter of the list. */
async function readWanted(deps: DashboardDeps, context: PageContext): Promise<WantedJob> {
  const { all, work: name = '', filter = '' } = context.form
  if (all === undefined) return readChosen(context.form)
  const work = readWork(name)
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
  if (WITHOUT_PARAMETERS.some((kind) => kind === work)) return { kind: work as Work['kind'], parameters: {} }
  if (work === 'active' || work === 'suspended' || work === 'archived') {
    return { kind: 'status', parameters: { status: work } }
  }
  throw invalidRequest('work', 'no such work')
}

/**
 * The ids of all rows of a list, by the query of its address.
 * @throws FiskError `invalid_request` for more than a job may have, and for an address with a fault
 */
async function idsMatching(
  deps: DashboardDeps,
  context: PageContext,
  kind: JobKind,
  filter: string,
): Promise<string[]> {
  const { office } = deps
  const query = Object.fromEntries(new URLSearchParams(filter))
  const { principal, language } = context
  if (!isAboutInvoices(kind)) {
    const machines = await office.machines.matching(principal, readMachineFilter(query))
    return machines.map(({ device }) => device.id)
  }
  const t = invoiceTexts[language]
  const choice = await withKnownNames(deps, context, readInvoiceFilter(query, t), t)
  // A wrong value filters nothing: that is not what was meant.
  if (Object.keys(choice.errors).length > 0) throw invalidRequest('filter', 'the filter has a fault')
  const ids = await office.invoiceList.all(principal, choice.wanted, JOB_BOUNDS.rows.most)
  if (!ids) throw tooLarge()
  return ids
}
