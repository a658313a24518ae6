import type { Job, JobKind } from '../../fiscal/ports/jobs.ts'
import { textOfError } from '../error-texts.ts'
import { fileSteps } from '../file-steps.ts'
import type { DashboardDeps, Fields, PageContext, Pages } from '../page-routes.ts'
import { type JobTexts, texts } from './texts.ts'
import { inputText } from './view.ts'

const MOST_SHOWN = 200

type FileJob = (typeof FILES)[number]

const FILES = [
  {
    name: 'isu',
    kind: 'isu_numbers',
    read: 'isuFile',
    sample: {
      name: 'isu-brojevi',
      text: 'naziv;poslovni prostor;ISU broj\r\nKavomat predvorje;POSL1;123456789\r\nGrickalice ulaz;;987654321\r\n',
    },
    back: '/dashboard/devices/isu',
  },
  {
    name: 'hours',
    kind: 'hours',
    read: 'hoursFile',
    sample: {
      name: 'radno-vrijeme',
      text:
        'naziv;poslovni prostor;od;radno vrijeme;napomena;iznimke\r\n' +
        'Kavomat predvorje;POSL1;1.2.2027.;svakodnevno 00:00-24:00;;\r\n' +
        'Grickalice ulaz;;1.2.2027.;pon-pet 08:00-20:00;;24.12.2026. 08:00-12:00\r\n',
    },
    back: '/dashboard/jobs',
  },
] as const satisfies { kind: JobKind; [name: string]: unknown }[]

/** ISU numbers and working hours from a file, for devices here and at gateways. */
export function deviceFilePages(pages: Pages, deps: DashboardDeps): void {
  for (const one of FILES) filePages(pages, deps, one)
}

function filePages(pages: Pages, { office }: DashboardDeps, { name, kind, read, sample, back }: FileJob) {
  const path = `/jobs/${name}`
  const rowsOf = (context: PageContext, file: Buffer) => office[read](context.principal, file)
  fileSteps(pages, { path, sample, choose, preview, work })

  const view = (t: JobTexts) => ({ t, own: t.files[name], path: `/dashboard${path}`, back })

  function choose(context: PageContext, errors: Fields = {}) {
    const t = texts[context.language]
    return context.show('jobs/device-file', { title: t.files[name].title, ...view(t), errors })
  }

  async function work(context: PageContext, file: Buffer) {
    return context.once<Job>(
      async (keep) => {
        const { rows } = await rowsOf(context, file)
        const wanted = rows.map(({ device, input }) => ({ subjectId: device.device.id, input }))
        return office.jobs.create(context.principal, { kind, parameters: {}, rows: wanted }, keep)
      },
      { to: ({ id }) => `/dashboard/jobs/${id}`, refused: (errors) => choose(context, errors) },
    )
  }

  async function preview(context: PageContext, file: Buffer) {
    const t = texts[context.language]
    const { rows, wrong, ignored } = await rowsOf(context, file)
    return context.show('jobs/file-preview', {
      title: t.previewTitle,
      ...view(t),
      rows: rows.slice(0, MOST_SHOWN).map(({ line, device: { device, gateway }, input }) => ({
        line,
        label: device.label,
        gateway,
        input: inputText(input),
        before: name === 'isu' && device.isuNumber !== input ? device.isuNumber : null,
      })),
      more: rows.length - Math.min(rows.length, MOST_SHOWN),
      right: rows.length,
      ignored: ignored.join(', '),
      wrong: wrong.map((row) => ({ ...row, text: textOfError(row.refusal, context.language) })),
      file: file.toString('base64url'),
    })
  }
}
