import { isAboutInvoices } from '../../fiscal/jobs/subject.ts'
import { JOB_ROW_STATES, type JobRow, type JobRowState } from '../../fiscal/ports/jobs.ts'
import type { Cell } from '../../reports/tables/cells.ts'
import { csvFile } from '../export/given-file.ts'
import type { DashboardDeps, PageContext, Pages } from '../page-routes.ts'
import { chosenRowsPages } from './choose.ts'
import { isuFilePages } from './isu-file.ts'
import { texts } from './texts.ts'
import { reasonOf, viewOfJob, viewOfRow } from './view.ts'

const PAGE = 100
const FILE_PAGE = 500
const HERE = '/dashboard/jobs'

/** Work on many rows: what was asked for, how it gets on, and what was refused. */
export function jobPages(pages: Pages, deps: Pick<DashboardDeps, 'admin' | 'office'>): void {
  const { office } = deps
  isuFilePages(pages, deps)
  chosenRowsPages(pages, deps)

  pages.get('/jobs', async (context) => {
    const t = texts[context.language]
    const all = await office.jobs.list(context.principal)
    return context.show('jobs/list', { title: t.title, t, jobs: all.map((one) => viewOfJob(one, t, context.language)) })
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
    const columns = [t.row, t.subject, t.value, t.reason].map((title) => ({ title, width: 20 }))
    const { content, type } = csvFile({ title: t.title, columns, rows: refusedOf(context, id) }, 'odbijeno')
    context.reply.header('content-disposition', 'attachment; filename="odbijeno.csv"')
    return context.reply.type(type).send(content)
  })

  async function* refusedOf({ principal, language }: PageContext, id: string): AsyncGenerator<Cell[][]> {
    const t = texts[language]
    let rows: JobRow[]
    let from = 0
    do {
      rows = await office.jobs.rows(principal, id, ['refused'], from, FILE_PAGE)
      yield rows.map(({ position, label, input, refusal }) => [
        { count: position + 1 },
        ...[label, input ?? '', refusal === null ? '' : reasonOf(refusal, t, language)],
      ])
      from = (rows.at(-1)?.position ?? 0) + 1
    } while (rows.length === FILE_PAGE)
  }
}
