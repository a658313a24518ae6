import { DASHBOARD_BOUNDS } from './bounds.ts'
import { inBoth } from './language.ts'
import { type Fields, OPERATOR, type PageContext, type Pages } from './page-routes.ts'
import { FILE_TEXTS } from './shared-texts.ts'

const texts = inBoth(FILE_TEXTS)

interface FileSteps {
  /** Below `/dashboard`. */
  path: string
  /** As Excel in Croatia opens and saves it: semicolons, line ends of Windows; the byte order mark is added. */
  sample: { name: string; text: string }
  /** The page where a file is chosen. */
  choose(context: PageContext, errors?: Fields): Promise<unknown>
  preview(context: PageContext, file: Buffer): Promise<unknown>
  work(context: PageContext, file: Buffer): Promise<unknown>
}

/**
 * A file with many rows: a preview names each wrong row before the work is done. Between the two steps the file travels in
 * a hidden field of the page, so that the server keeps nothing of it, and is checked anew.
 */
export function fileSteps(pages: Pages, { path, sample, choose, preview, work }: FileSteps): void {
  pages.get(path, OPERATOR, (context) => choose(context))

  pages.get(`${path}/sample.csv`, async ({ reply }) => {
    reply.header('content-disposition', `attachment; filename="${sample.name}.csv"`)
    return reply.type('text/csv; charset=utf-8').send(`\ufeff${sample.text}`)
  })

  pages.post(`${path}/preview`, { ...OPERATOR, fileBytes: DASHBOARD_BOUNDS.importFileRead.most }, async (context) => {
    const t = texts[context.language]
    const file = context.files.file?.bytes
    if (!file || file.length === 0) return choose(context, { file: t.fileMissing })
    if (file.length > DASHBOARD_BOUNDS.importFile.most) return choose(context, { file: t.fileLarge })
    try {
      return await preview(context, file)
    } catch (error) {
      return choose(context, context.errorsOf(error))
    }
  })

  pages.post(path, OPERATOR, async (context) => {
    const text = context.form.file ?? ''
    const file = Buffer.from(text, 'base64url')
    const isWhole = text !== '' && file.toString('base64url') === text
    if (!isWhole || file.length > DASHBOARD_BOUNDS.importFile.most)
      return choose(context, { file: texts[context.language].fileLost })
    return work(context, file)
  })
}
