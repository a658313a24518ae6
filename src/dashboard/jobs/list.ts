import type { JobProgress } from '../../fiscal/jobs/jobs.ts'
import { stateCell } from '../lists/cells.ts'
import type { List } from '../lists/list.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { texts } from './texts.ts'
import { viewOfJob } from './view.ts'

/** The bulk jobs, the latest first. */
export async function jobList({ office }: DashboardDeps, context: PageContext): Promise<List<JobProgress>> {
  const { principal, language, query } = context
  const t = texts[language]
  const rows = await office.jobs.list(principal)
  const view = (job: JobProgress) => viewOfJob(job, t, language)
  return {
    title: t.title,
    path: '/dashboard/jobs',
    query,
    about: t.about,
    none: t.none,
    rows,
    file: 'jobs',
    columns: [
      {
        title: t.what,
        cell: (job) => view(job).name,
        page: (job) => ({ text: view(job).name, href: view(job).path }),
        place: 'm1',
      },
      { title: t.when, cell: ({ job }) => ({ moment: job.createdAt }), place: 'm2 c-when' },
      { title: t.rows, cell: ({ job }) => ({ count: job.total }), place: 'num m3 c-time' },
      { title: t.refused, cell: ({ counts }) => ({ count: counts.refused }), place: 'num c-time' },
      {
        title: t.state,
        cell: (job) => view(job).badge.text,
        page: (job) => stateCell(view(job).badge),
        place: 'm4 c-who',
      },
    ],
    links: context.may('operator')
      ? (['isu', 'hours'] as const).map((kind) => ({ href: `/dashboard/jobs/${kind}`, text: t.files[kind].title }))
      : [],
  }
}
