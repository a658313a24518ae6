import type { FiskError } from '../../domain/errors.ts'
import type { DeviceFile } from '../../fiscal/office/fleet.ts'
import { ACTIVE_STATUSES, type Device } from '../../fiscal/ports/model.ts'
import { deviceFaults } from '../../fiscal/registry/device-rules.ts'
import { changedSince } from '../../fiscal/registry/expected-fields.ts'
import { textOfError } from '../error-texts.ts'
import { isChangedMeanwhile, readSeen, writeSeen } from '../expected-fields.ts'
import type { DashboardDeps, Pages, Visit } from '../page-routes.ts'
import { changeDevice } from './change.ts'
import { stateOf, stepsOf } from './state.ts'
import { texts } from './texts.ts'

type Deps = Pick<DashboardDeps, 'v1' | 'admin' | 'office'>

const OPERATOR = { role: 'operator' } as const
/** What the forms of this page change, each its own. */
const NUMBER = ['isuNumber', 'isuStatus'] as const satisfies (keyof Device)[]
const STATUS = ['status'] as const satisfies (keyof Device)[]
const WORDS = ['label', 'premisesAddress'] as const satisfies (keyof Device)[]

/** A device: what it still needs, its ISU number, its status and its name. */
export function devicePages(pages: Pages, deps: Deps): void {
  const { v1, office } = deps
  const fileOf = (visit: Visit) => office.fleet.findDevice(visit.principal, visit.params.id ?? '')
  const pathOf = ({ device }: DeviceFile) => `/dashboard/devices/${device.id}`

  pages.get('/devices/:id', async (visit) => detail(visit, await fileOf(visit)))

  pages.post(
    '/devices/:id/isu',
    async (visit) => {
      const file = await fileOf(visit)
      const isuNumber = visit.form.isu_number?.trim() ?? ''
      const [fault] = deviceFaults({ isu_number: isuNumber })
      const t = texts[visit.language]
      if (isuNumber === '') return detail(visit, file, { isu_number: t.isuMissing })
      if (fault) return detail(visit, file, visit.errorsOf(fault))
      return change(visit, file, { isuNumber }, NUMBER, visit.form.tasks === '1' ? '/dashboard/devices/isu' : undefined)
    },
    OPERATOR,
  )

  pages.post(
    '/devices/:id/isu/clear',
    async (visit) => change(visit, await fileOf(visit), { isuNumber: null }, NUMBER),
    OPERATOR,
  )

  pages.post(
    '/devices/:id/status',
    async (visit) => {
      const file = await fileOf(visit)
      const status = ACTIVE_STATUSES.find((one) => one === visit.form.status)
      return status ? change(visit, file, { status }, STATUS) : detail(visit, file)
    },
    OPERATOR,
  )

  pages.get('/devices/:id/edit', async (visit) => edit(visit, await fileOf(visit)), OPERATOR)

  pages.post(
    '/devices/:id/edit',
    async (visit) => {
      const file = await fileOf(visit)
      const label = visit.form.label?.trim() ?? ''
      const address = visit.form.address?.trim() ?? ''
      const errors = errorsOf(deviceFaults({ label, premises_address: address }), visit)
      if (Object.keys(errors).length > 0) return edit(visit, file, errors)
      const changes = { label, premisesAddress: address === '' ? null : address }
      try {
        const seen = readSeen<Device, (typeof WORDS)[number]>(visit.form.seen, WORDS)
        return await changeDevice(deps, visit, file, { changes, seen, to: pathOf(file) })
      } catch (error) {
        return edit(visit, await fileOf(visit), visit.errorsOf(error), isChangedMeanwhile(error))
      }
    },
    OPERATOR,
  )

  async function change(
    visit: Visit,
    file: DeviceFile,
    changes: Parameters<typeof changeDevice>[3]['changes'],
    keys: readonly (keyof Device)[],
    to = pathOf(file),
  ) {
    try {
      const seen = readSeen<Device, keyof Device>(visit.form.seen, keys)
      return await changeDevice(deps, visit, file, { changes, seen, to })
    } catch (error) {
      return detail(visit, await fileOf(visit), visit.errorsOf(error))
    }
  }

  async function detail(visit: Visit, file: DeviceFile, errors: Record<string, string> = {}) {
    const { language, form } = visit
    const t = texts[language]
    const { device, company } = file
    const certificate = (await v1.companyCertificates([company.id]))(company.id)
    const it = {
      ...{ title: device.label, t, ...file, errors },
      state: stateOf(device, language),
      steps: stepsOf(file, certificate, language),
      // What was refused stands there to be corrected; a page that is opened anew shows what is stored.
      typedIsu: form.isu_number ?? device.isuNumber ?? '',
      mismatchSteps: t.mismatchSteps.split('\n'),
      seen: { number: writeSeen(device, NUMBER), status: writeSeen(device, STATUS) },
    }
    return visit.show('devices/detail', it, Object.keys(errors).length > 0 ? 422 : 200)
  }

  async function edit(visit: Visit, file: DeviceFile, errors: Record<string, string> = {}, isMeanwhile = false) {
    const t = texts[visit.language]
    const { device } = file
    const { form } = visit
    const isSent = visit.request.method === 'POST'
    const changed = isMeanwhile ? changedOf(form.seen, device) : []
    const it = {
      ...{ title: t.editTitle(device.label), t, ...file, errors, isMeanwhile },
      values: { label: isSent ? form.label : device.label, address: isSent ? form.address : device.premisesAddress },
      meanwhile: {
        label: changed.includes('label') ? t.meanwhileField(device.label) : null,
        address: changed.includes('premisesAddress') ? t.meanwhileField(device.premisesAddress ?? t.empty) : null,
      },
      seen: writeSeen(device, WORDS),
    }
    return visit.show('devices/edit', it, Object.keys(errors).length > 0 ? 422 : 200)
  }
}

function changedOf(seen: string | undefined, device: Device): readonly (keyof Device)[] {
  try {
    return changedSince(device, readSeen<Device, (typeof WORDS)[number]>(seen, WORDS))
  } catch {
    return WORDS
  }
}

/** By field, in the visitor's language. */
export function errorsOf(faults: FiskError[], { language }: Pick<Visit, 'language'>): Record<string, string> {
  return Object.fromEntries(faults.map((fault) => [fault.param ?? 'form', textOfError(fault, language)]))
}
