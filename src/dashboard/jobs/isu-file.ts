import type { IsuFile } from '../../fiscal/jobs/isu-file.ts'
import type { Job } from '../../fiscal/ports/jobs.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'
import { fromBase64 } from '../devices/import-file.ts'
import { textOfError } from '../error-texts.ts'
import { type DashboardDeps, type PageContext, type Pages, statusOf } from '../page-routes.ts'
import { texts } from './texts.ts'

const OPERATOR = { role: 'operator' } as const
const HERE = '/jobs/isu'
const MOST_SHOWN = 200
/** As Excel in Croatia opens and saves it. */
const SAMPLE =
  '\ufeffnaziv;poslovni prostor;ISU broj\r\nKavomat predvorje;POSL1;123456789\r\nGrickalice ulaz;;987654321\r\n'

/**
 * ISU numbers from a file, for devices here and at gateways: a preview names each wrong row, and a job does the others.
 * Between the two the file travels in a hidden field, and is checked anew.
 */
export function isuFilePages(pages: Pages, { office }: Pick<DashboardDeps, 'office'>): void {
  pages.get(HERE, (context) => choose(context), OPERATOR)

  pages.get(`${HERE}/sample.csv`, async ({ reply }) => {
    reply.header('content-disposition', 'attachment; filename="isu-brojevi.csv"')
    return reply.type('text/csv; charset=utf-8').send(SAMPLE)
  })

  pages.post(
    `${HERE}/preview`,
    async (context) => {
      const t = texts[context.language]
      const file = context.files.file?.bytes
      if (!file || file.length === 0) return choose(context, { file: t.fileMissing })
      if (file.length > DASHBOARD_BOUNDS.importFile.most) return choose(context, { file: t.fileLarge })
      try {
        return await preview(context, file, await office.isuFile(context.principal, file))
      } catch (error) {
        return choose(context, context.errorsOf(error))
      }
    },
    { ...OPERATOR, fileBytes: DASHBOARD_BOUNDS.importFileRead.most },
  )

  pages.post(
    HERE,
    async (context) => {
      const file = fromBase64(context.form.file ?? '')
      if (!file || file.length > DASHBOARD_BOUNDS.importFile.most) {
        return choose(context, { file: texts[context.language].fileLost })
      }
      return context.once<Job>(
        async (keep) => {
          const { rows } = await office.isuFile(context.principal, file)
          const wanted = rows.map(({ device, isuNumber }) => ({ subjectId: device.device.id, input: isuNumber }))
          return office.jobs.create(context.principal, { kind: 'isu_numbers', parameters: {}, rows: wanted }, keep)
        },
        { to: ({ id }) => `/dashboard/jobs/${id}`, refused: (errors) => choose(context, errors) },
      )
    },
    OPERATOR,
  )

  function choose(context: PageContext, errors: Record<string, string> = {}) {
    const t = texts[context.language]
    return context.show('jobs/isu-file', { title: t.isuTitle, t, errors }, statusOf(errors))
  }

  function preview(context: PageContext, file: Buffer, { rows, wrong }: IsuFile) {
    const t = texts[context.language]
    return context.show('jobs/isu-preview', {
      title: t.previewTitle,
      t,
      rows: rows.slice(0, MOST_SHOWN),
      more: rows.length - Math.min(rows.length, MOST_SHOWN),
      right: rows.length,
      wrong: wrong.map((row) => ({ ...row, text: textOfError(row.refusal, context.language) })),
      file: file.toString('base64url'),
    })
  }
}
