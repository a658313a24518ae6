import type { FiskError } from '../../domain/errors.ts'
import { ACTIVE_STATUSES, type Device } from '../../fiscal/ports/model.ts'
import { deviceFaults } from '../../fiscal/registry/device-rules.ts'
import type { DeviceChanges } from '../../fiscal/registry/devices.ts'
import { changedSince } from '../../fiscal/registry/expected-fields.ts'
import { textOfError } from '../error-texts.ts'
import { isChangedMeanwhile, readExpected, writeExpected } from '../expected-fields.ts'
import { createFormats } from '../formats.ts'
import { viewOfStandings } from '../gateways/standing-view.ts'
import { rowOf } from '../invoices/list-view.ts'
import { texts as invoiceTexts } from '../invoices/texts.ts'
import { type DashboardDeps, type PageContext, type Pages, type ShowAgain, statusOf } from '../page-routes.ts'
import { type AskedFile, changeDevice, deviceOf } from './change.ts'
import { healthOf, paperOf } from './health.ts'
import { healthTexts } from './health-texts.ts'
import { revenueCharts } from './revenue-charts.ts'
import { stepsOf } from './steps.ts'
import { texts } from './texts.ts'

type Deps = Pick<DashboardDeps, 'v1' | 'admin' | 'office' | 'now'>

const OPERATOR = { role: 'operator' } as const
/** The list of invoices has the others. */
const MOST_RECENT = 8
/** What the forms of this page change, each its own. */
const NUMBER = ['isuNumber', 'isuStatus'] as const satisfies (keyof Device)[]
const STATUS = ['status'] as const satisfies (keyof Device)[]
const WORDS = ['label', 'premisesAddress'] as const satisfies (keyof Device)[]

/** A device: what it still needs, its ISU number, its status and its name. */
export function devicePages(pages: Pages, deps: Deps): void {
  const { v1, office } = deps
  const formats = createFormats(deps.now)
  const fileOf = (context: PageContext) => deviceOf(deps, context)

  pages.get('/devices/:id', async (context) => detail(context, await fileOf(context)))
  pages.get('/devices/:id/edit', async (context) => edit(context, await fileOf(context)), OPERATOR)

  pages.post(
    '/devices/:id/isu',
    async (context) => {
      const file = await fileOf(context)
      const isuNumber = context.form.isu_number?.trim() ?? ''
      const [fault] = deviceFaults({ isu_number: isuNumber })
      const t = texts[context.language]
      if (isuNumber === '') return detail(context, file, { isu_number: t.isuMissing })
      if (fault) return detail(context, file, context.errorsOf(fault))
      return change(
        context,
        file,
        { isuNumber },
        NUMBER,
        context.form.tasks === '1' ? '/dashboard/devices/isu' : undefined,
      )
    },
    OPERATOR,
  )

  pages.post(
    '/devices/:id/isu/clear',
    async (context) => change(context, await fileOf(context), { isuNumber: null }, NUMBER),
    OPERATOR,
  )

  pages.post(
    '/devices/:id/status',
    async (context) => {
      const file = await fileOf(context)
      const status = ACTIVE_STATUSES.find((one) => one === context.form.status)
      return status ? change(context, file, { status }, STATUS) : detail(context, file)
    },
    OPERATOR,
  )

  pages.post(
    '/devices/:id/tags',
    async (context) => {
      const file = await fileOf(context)
      const tags = (context.form.tags ?? '').split(',').filter((tag) => tag.trim() !== '')
      const { id } = file.device
      return context.once<void>((keep) => office.tags.set(context.principal, id, tags, keep), {
        to: `/dashboard/devices/${id}`,
        notice: 'saved',
        refused: (errors) => detail(context, file, errors),
      })
    },
    OPERATOR,
  )

  pages.post(
    '/devices/:id/edit',
    async (context) => {
      const file = await fileOf(context)
      const label = context.form.label?.trim() ?? ''
      const address = context.form.address?.trim() ?? ''
      const errors = errorsOf(deviceFaults({ label, premises_address: address }), context)
      if (Object.keys(errors).length > 0) return edit(context, file, errors)
      const changes = { label, premisesAddress: address === '' ? null : address }
      return changeDevice(deps, context, file, {
        changes,
        keys: WORDS,
        refused: async (errors, error) => edit(context, await fileOf(context), errors, isChangedMeanwhile(error)),
      })
    },
    OPERATOR,
  )

  async function change(
    context: PageContext,
    file: AskedFile,
    changes: DeviceChanges,
    keys: readonly (keyof Device)[],
    to?: string,
  ) {
    const refused: ShowAgain = async (errors) => detail(context, await fileOf(context), errors)
    return changeDevice(deps, context, file, { changes, keys, refused, ...(to !== undefined && { to }) })
  }

  async function detail(context: PageContext, file: AskedFile, errors: Record<string, string> = {}) {
    const { language, form } = context
    const t = texts[language]
    const { device, company, asked, standings } = file
    const certificate = (await v1.companyCertificates([company.id]))(company.id)
    const machine = await office.machines.look(context.principal, file)
    const recent = await v1.listInvoices(context.principal, { deviceId: device.id }, { limit: MOST_RECENT })
    const tags = await office.tags.of(context.principal, device.id)
    const steps = stepsOf(file, certificate, language)
    const it = {
      title: device.label,
      shownMode: company.mode,
      t,
      ...file,
      errors,
      machine,
      tags,
      typedTags: form.tags ?? tags.join(', '),
      health: healthOf(machine, language, formats(language)),
      paper: paperOf(machine, healthTexts[language]),
      charts: revenueCharts(await office.machines.history(context.principal, file), t, formats(language)),
      recent: recent.items.map((invoice) => rowOf(invoice, new Map(), invoiceTexts[language])),
      invoices: invoiceTexts[language],
      steps,
      isSetUp: steps.every(({ state }) => state === 'done'),
      // A refused number stays in the field to be corrected; a page that is opened anew shows the one that was asked for.
      typedIsu: form.isu_number ?? asked.isuNumber ?? '',
      standing: viewOfStandings(standings, deps, language, `/dashboard/devices/${device.id}`),
      mismatchSteps: t.mismatchSteps.split('\n'),
      seen: { number: writeExpected(asked, NUMBER), status: writeExpected(asked, STATUS) },
    }
    return context.show('devices/detail', it, statusOf(errors))
  }

  async function edit(context: PageContext, file: AskedFile, errors: Record<string, string> = {}, isMeanwhile = false) {
    const t = texts[context.language]
    const { asked: device, standings } = file
    const { form } = context
    const isSent = context.request.method === 'POST'
    const changed = isMeanwhile ? changedOf(form.seen, device) : []
    const it = {
      title: t.editTitle(device.label),
      t,
      ...file,
      errors,
      isMeanwhile,
      values: { label: isSent ? form.label : device.label, address: isSent ? form.address : device.premisesAddress },
      meanwhile: {
        label: changed.includes('label') ? t.meanwhileField(device.label) : null,
        address: changed.includes('premisesAddress') ? t.meanwhileField(device.premisesAddress ?? t.empty) : null,
      },
      seen: writeExpected(device, WORDS),
      standing: viewOfStandings(standings, deps, context.language, `/dashboard/devices/${device.id}`),
    }
    return context.show('devices/edit', it, statusOf(errors))
  }
}

function changedOf(seen: string | undefined, device: Device): readonly (keyof Device)[] {
  try {
    return changedSince(device, readExpected<Device, (typeof WORDS)[number]>(seen, WORDS))
  } catch {
    return WORDS
  }
}

/** The faults by field, in the reader's language. */
export function errorsOf(faults: FiskError[], { language }: Pick<PageContext, 'language'>): Record<string, string> {
  return Object.fromEntries(faults.map((fault) => [fault.param ?? 'form', textOfError(fault, language)]))
}
