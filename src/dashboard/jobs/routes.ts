import { isAboutInvoices } from '../../fiscal/jobs/jobs.ts'
import { JOB_ROW_STATES, type JobRow, type JobRowState } from '../../fiscal/ports/jobs.ts'
import { type Cell, type ColumnOf, tableOf } from '../../reports/tables/cells.ts'
import { csvFile } from '../export/give-file.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { chosenRowsPages } from './choose.ts'
import { deviceFilePages } from './device-files.ts'
import { texts } from './texts.ts'
import { reasonOf, viewOfJob, viewOfRow } from './view.ts'

const PAGE = 100
const FILE_PAGE = 500
const HERE = '/dashboard/jobs'

/** Work on many rows: what was asked for, how it gets on, and what was refused. */
export function jobPages(pages: Pages, deps: DashboardDeps): void {
  const { office } = deps
  deviceFilePages(pages, deps)
  chosenRowsPages(pages, deps)

  pages.get('/jobs', async (context) => {
    const t = texts[context.language]
    const all = await office.jobs.list(context.principal)
    return context.show('jobs/list', { t, jobs: all.map((one) => viewOfJob(one, t, context.language)) })
  })

  const progressOf = async (context: PageContext) => {
    const t = texts[context.language]
    return {
      t,
      view: viewOfJob(await office.jobs.find(context.principal, context.params.id ?? ''), t, context.language),
    }
  }
  pages.get('/jobs/:id/now', async (context) => context.fragment('jobs/progress', await progressOf(context)))

  pages.get('/jobs/:id', async (context) => {
    const { t, view } = await progressOf(context)
    const { query, principal, language } = context
    const state = JOB_ROW_STATES.find((one) => one === query.state)
    const states: readonly JobRowState[] = state ? [state] : JOB_ROW_STATES
    const from = /^\d{1,5}$/.test(query.from ?? '') ? Number(query.from) : 0
    const rows = await office.jobs.rows(principal, view.job.id, states, from, PAGE + 1)
    const path = `${HERE}/${view.job.id}?${state ? `state=${state}&` : ''}from=`
    return context.show('jobs/detail', {
      title: view.name,
      t,
      view,
      rows: rows.slice(0, PAGE).map((row) => viewOfRow(row, isAboutInvoices(view.job.kind), t, language)),
      next: rows.length > PAGE ? `${path}${rows[PAGE]?.position}` : null,
      first: from > 0 ? `${path}0` : null,
    })
  })

  pages.get('/jobs/:id/refused.csv', async (context) => {
    const t = texts[context.language]
    const id = context.params.id ?? ''
    await office.jobs.find(context.principal, id)
    const column = (title: string, cell: (row: JobRow) => Cell): ColumnOf<JobRow> => ({ title, width: 20, cell })
    const columns = [
      column(t.row, ({ position }) => ({ count: position + 1 })),
      column(t.subject, ({ label }) => label),
      column(t.value, ({ input }) => input ?? ''),
      column(t.reason, ({ refusal }) => (refusal === null ? '' : reasonOf(refusal, t, context.language))),
    ]
    const { content, type } = csvFile(tableOf(t.title, columns, refusedOf(context, id)), 'odbijeno')
    context.reply.header('content-disposition', 'attachment; filename="odbijeno.csv"')
    return context.reply.type(type).send(content)
  })

  async function* refusedOf({ principal }: PageContext, id: string): AsyncGenerator<JobRow[]> {
    let rows: JobRow[]
    let from = 0
    do {
      rows = await office.jobs.rows(principal, id, ['refused'], from, FILE_PAGE)
      yield rows
      from = (rows.at(-1)?.position ?? 0) + 1
    } while (rows.length === FILE_PAGE)
  }
}
