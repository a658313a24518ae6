import { attempt } from '../../domain/attempt.ts'
import { dateOfIso } from '../../domain/calendar-date.ts'
import type { FiskError } from '../../domain/errors.ts'
import { formatMoney } from '../../domain/money.ts'
import { sharedPremises, sharedPremisesText } from '../../domain/premises/shared-premises.ts'
import { HOURS_LATE_FIX, hoursLate, hoursLateText } from '../../domain/sale/slipped-hours.ts'
import type { MachineHistory, SoldInPeriod } from '../../fiscal/machines/machine-sales.ts'
import { NOTE_FIELDS } from '../../fiscal/machines/notes.ts'
import { ACTIVE_STATUSES, type Device } from '../../fiscal/ports/model.ts'
import { deviceFaults } from '../../fiscal/registry/device-rules.ts'
import type { DeviceChanges } from '../../fiscal/registry/devices.ts'
import { changedSince } from '../../fiscal/registry/expected-fields.ts'
import { backOf } from '../addresses.ts'
import { barCharts, DAYS_ON_PHONE } from '../charts/bars.ts'
import { textOfError } from '../error-texts.ts'
import { isChangedMeanwhile, readExpected, writeExpected } from '../expected-fields.ts'
import type { Formats } from '../formats.ts'
import { viewOfStandings } from '../gateways/standing-view.ts'
import { rowOf } from '../invoices/list-view.ts'
import { texts as invoiceTexts } from '../invoices/texts.ts'
import { type DashboardDeps, OPERATOR, type PageContext, type Pages, type ShowAgain } from '../page-routes.ts'
import { type AskedFile, changeDevice, deviceOf, NUMBER, STATUS, seenOf } from './change.ts'
import { healthOf, paperOf } from './health.ts'
import { healthTexts } from './health-texts.ts'
import { deviceHistory } from './history.ts'
import { factsOf, GUIDES, guidePages, setUpSteps, viewOfSteps } from './steps.ts'
import { texts } from './texts.ts'

/** The list of invoices has the others. */
const MOST_RECENT = 8
const MOST_BESIDE = 50
const WORDS = ['label', 'premisesAddress'] as const satisfies (keyof Device)[]

export function devicePages(pages: Pages, deps: DashboardDeps): void {
  const { v1, office } = deps
  guidePages(pages, deps)

  pages.get('/devices/:id', async (context) => detail(context, await deviceOf(deps, context)))
  pages.get('/devices/:id/edit', OPERATOR, async (context) => edit(context, await deviceOf(deps, context)))

  pages.post('/devices/:id/isu', OPERATOR, async (context) => {
    const file = await deviceOf(deps, context)
    const isuNumber = context.form.isu_number?.trim() ?? ''
    const [fault] = deviceFaults({ isu_number: isuNumber })
    const t = texts[context.language]
    if (isuNumber === '') return detail(context, file, { isu_number: t.isuMissing })
    if (fault) return detail(context, file, context.errorsOf(fault))
    return change(context, file, { isuNumber }, NUMBER)
  })

  pages.post('/devices/:id/isu/clear', OPERATOR, async (context) =>
    change(context, await deviceOf(deps, context), { isuNumber: null }, NUMBER),
  )

  pages.post('/devices/:id/status', OPERATOR, async (context) => {
    const file = await deviceOf(deps, context)
    const status = ACTIVE_STATUSES.find((one) => one === context.form.status)
    return status ? change(context, file, { status }, STATUS) : detail(context, file)
  })

  pages.post('/devices/:id/tags', OPERATOR, async (context) => {
    const file = await deviceOf(deps, context)
    const tags = (context.form.tags ?? '').split(',').filter((tag) => tag.trim() !== '')
    const { id } = file.device
    return context.once<void>((keep) => office.tags.set(context.principal, id, tags, keep), {
      to: `/dashboard/devices/${id}`,
      notice: 'saved',
      refused: (errors) => detail(context, file, errors),
    })
  })

  pages.post('/devices/:id/note', OPERATOR, async (context) => {
    const file = await deviceOf(deps, context)
    const { principal, form } = context
    const { id } = file.device
    const wanted = { note: form.note ?? '', contact: form.contact ?? '' }
    return context.once<void>(
      (keep) => office.notes.set(principal, id, wanted, readExpected(form.seen, NOTE_FIELDS), keep),
      {
        to: `/dashboard/devices/${id}`,
        notice: 'saved',
        refused: (errors) => detail(context, file, errors),
      },
    )
  })

  pages.post('/devices/:id/edit', OPERATOR, async (context) => {
    const file = await deviceOf(deps, context)
    const label = context.form.label?.trim() ?? ''
    const address = context.form.address?.trim() ?? ''
    const errors = errorsOf(deviceFaults({ label, premises_address: address }), context)
    if (Object.keys(errors).length > 0) return edit(context, file, errors)
    const changes = { label, premisesAddress: address === '' ? null : address }
    return changeDevice(deps, context, file, {
      changes,
      keys: WORDS,
      refused: async (errors, error) => edit(context, await deviceOf(deps, context), errors, isChangedMeanwhile(error)),
    })
  })

  async function change(
    context: PageContext,
    file: AskedFile,
    changes: DeviceChanges,
    keys: readonly (keyof Device)[],
  ) {
    const refused: ShowAgain = async (errors) => detail(context, await deviceOf(deps, context), errors)
    const to = backOf(context.form, `/dashboard/devices/${file.device.id}`)
    return changeDevice(deps, context, file, { changes, keys, refused, to })
  }

  async function detail(context: PageContext, file: AskedFile, errors: Record<string, string> = {}) {
    const { language, form, f } = context
    const t = texts[language]
    const { device, company, asked, standings } = file
    const certificate = (await v1.companyCertificates([company.id]))(company.id)
    const machine = await office.machines.look(context.principal, file)
    const recent = await v1.listInvoices(context.principal, { deviceId: device.id }, { limit: MOST_RECENT })
    const tags = await office.tags.of(context.principal, device.id)
    const { premisesCode } = device
    const there = { companyId: company.id, premisesCode, status: 'active', allTenants: false } as const
    const beside = (await office.fleet.listDevices(context.principal, there, { limit: MOST_BESIDE })).items
    const shared = sharedPremises(
      beside.map(({ device }) => device),
      company.fiscalConfig,
    )
    const steps = setUpSteps(file, certificate)
    const late = hoursLate(recent.items)
    const it = {
      title: device.label,
      headline: 'devices/headline',
      guides: GUIDES,
      shownMode: company.mode,
      t,
      ...file,
      errors,
      shared: shared.map((one) => sharedPremisesText(one)[language]),
      late: late > 0 && `${hoursLateText(late)[language]}; ${HOURS_LATE_FIX[language]}`,
      machine,
      tags,
      typedTags: form.tags ?? tags.join(', '),
      typedNote: { note: form.note ?? machine.note, contact: form.contact ?? machine.contact },
      health: healthOf(machine, language, f),
      paper: paperOf(machine, healthTexts[language]),
      charts: revenueCharts(await office.machines.history(context.principal, file), t, f),
      recent: recent.items.map((invoice) => rowOf(invoice, new Map(), invoiceTexts[language])),
      invoices: invoiceTexts[language],
      steps: viewOfSteps(steps, factsOf(file, context), context),
      isSetUp: steps.every(([, state]) => state === 'done'),
      // A refused number stays in the field to be corrected; a page that is opened anew shows the one that was asked for.
      typedIsu: form.isu_number ?? asked.isuNumber ?? '',
      standing: viewOfStandings(standings, context, `/dashboard/devices/${device.id}`),
      history: context.may('operator') ? await deviceHistory(deps, context, device.id) : null,
      seen: { ...seenOf(asked), note: writeExpected(machine, NOTE_FIELDS) },
    }
    return context.show('devices/detail', it)
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
      standing: viewOfStandings(standings, context, `/dashboard/devices/${device.id}`),
    }
    return context.show('devices/edit', it)
  }
}

const changedOf = (seen: string | undefined, device: Device): readonly (keyof Device)[] =>
  attempt(() => changedSince(device, readExpected<Device, (typeof WORDS)[number]>(seen, WORDS)), WORDS)

/** The faults by field, in the reader's language. */
export function errorsOf(faults: FiskError[], { language }: Pick<PageContext, 'language'>): Record<string, string> {
  return Object.fromEntries(faults.map((fault) => [fault.param ?? 'form', textOfError(fault, language)]))
}

function revenueCharts(history: MachineHistory, t: (typeof texts)['hr'], f: Formats) {
  const draw = (
    id: string,
    title: string,
    periods: readonly SoldInPeriod[],
    nameOf: (one: SoldInPeriod) => string,
    tickOf: (one: SoldInPeriod) => string | null,
  ) => {
    const rows = periods.map((period) => ({
      name: nameOf(period),
      revenue: f.money(formatMoney(period.cents)),
      sales: t.sales(period.sales, f.count(period.sales)),
    }))
    const total = f.money(formatMoney(periods.reduce((sum, { cents }) => sum + cents, 0n)))
    const text = { id, title, summary: t.chartSummary(total), axis: f.euros }
    const bars = periods.map((period, i) => {
      // More was paid back than sold: the table says so.
      const euros = Math.max(0, Number(period.cents) / 100)
      const { name, revenue, sales } = rows[i] as (typeof rows)[number]
      return { tick: tickOf(period), says: `${name}: ${revenue}, ${sales}`, value: euros, before: null }
    })
    const hasSales = periods.some(({ sales }) => sales > 0)
    // Null when nothing was sold; the table has the latest first.
    const drawn = hasSales ? barCharts(text, bars, DAYS_ON_PHONE) : { svg: null, phone: null }
    return { title, ...drawn, rows: rows.toReversed() }
  }
  const dateOf = ({ starts }: SoldInPeriod) => f.dateOf(starts)
  const dayTick = ({ starts }: SoldInPeriod) => {
    const { date } = dateOfIso(starts)
    return date % 5 === 0 ? String(date) : null
  }
  const monthOf = ({ starts }: SoldInPeriod) => f.month(dateOfIso(starts))
  const monthTick = ({ starts }: SoldInPeriod) => String(dateOfIso(starts).month)
  return [
    draw('revenue-days', t.daysTitle, history.days, dateOf, dayTick),
    draw('revenue-months', t.monthsTitle, history.months, monthOf, monthTick),
  ]
}
