import { setImmediate } from 'node:timers/promises'
import { FiskError } from '../../domain/errors.ts'
import { printedNumber } from '../../domain/sale/receipt-number.ts'
import type { Principal } from '../access/principal.ts'
import type { Context } from '../context.ts'
import { summaryOf } from '../gateways/gateways.ts'
import { requireReachable } from '../gateways/queue-commands.ts'
import type { GatewayRecord } from '../ports/gateways.ts'
import type { Job, JobKind } from '../ports/jobs.ts'
import { type Device, type Invoice, LOCAL_GATEWAY } from '../ports/model.ts'
import type { Store } from '../ports/store.ts'
import { requirePrinter } from '../printing/print-jobs.ts'
import { findDevice } from '../registry/devices.ts'
import { requireFreePremises } from '../registry/owned-by-gateway.ts'
import { findInvoice } from '../sales/read-invoices.ts'
import { requireUnsent } from '../sales/retry-by-hand.ts'

/** What will become of the rows of a job, as far as it can be known before. */
export interface Forecast {
  /** The first rows, in their order, with the names of their gateways. */
  named: { label: string; gateway: string | null }[]
  /** Rows for which nothing is to be done. */
  unchanged: number
  /** Rows that will be refused, by their refusal; the most frequent first. */
  refused: { refusal: FiskError; rows: number }[]
  /** Rows that wait for gateways that are silent now. */
  silent: { gateways: number; rows: number }
}

type Subject = { invoice: Invoice } | { device: Device }

/** Rows that are looked up before sales run again. */
const BREATH = 50

/** @throws FiskError 404 for a row that the principal does not see */
export async function forecastOf(
  { store, clock }: Context,
  principal: Principal,
  { kind, parameters, ids }: Pick<Job, 'kind' | 'parameters'> & { ids: readonly string[] },
  mostNamed: number,
): Promise<Forecast> {
  const gateways = new Map<string, GatewayRecord | undefined>()
  const silent = new Set<string>()
  const refused = new Map<string, Forecast['refused'][number]>()
  const forecast: Forecast = { named: [], unchanged: 0, refused: [], silent: { gateways: 0, rows: 0 } }
  for (const [index, id] of ids.entries()) {
    const { label, gatewayId, ...subject } = await findSubject(store, principal, kind, id)
    if (gatewayId !== LOCAL_GATEWAY && !gateways.has(gatewayId)) {
      gateways.set(gatewayId, await store.gateways.get(gatewayId))
    }
    const gateway = gateways.get(gatewayId)
    if (index < mostNamed) forecast.named.push({ label, gateway: gateway?.name ?? null })
    const fate = await fateOf(subject, gateway)
    if (fate === 'unchanged') forecast.unchanged++
    else if (fate === 'silent') {
      forecast.silent.rows++
      silent.add(gatewayId)
    } else if (fate instanceof FiskError) {
      const key = `${fate.code} ${fate.reason}`
      refused.set(key, { refusal: fate, rows: (refused.get(key)?.rows ?? 0) + 1 })
    }
    if (index % BREATH === BREATH - 1) await setImmediate()
  }
  forecast.silent.gateways = silent.size
  forecast.refused = [...refused.values()].sort((one, other) => other.rows - one.rows)
  return forecast

  async function fateOf(subject: Subject, gateway: GatewayRecord | undefined) {
    try {
      if (isSo(subject)) return 'unchanged'
      if (kind === 'retry' && 'invoice' in subject) requireUnsent(subject.invoice)
      if (gateway) {
        requireReachable(gateway)
        return summaryOf(gateway, 0, clock.now()).state === 'silent' ? 'silent' : 'tried'
      }
      if (kind === 'copies' && 'invoice' in subject) await requirePrinter(store, subject.invoice.deviceId)
      if (kind === 'status' && 'device' in subject && subject.device.status === 'archived')
        await requireFreePremises(store, subject.device)
      return 'tried'
    } catch (error) {
      if (error instanceof FiskError) return error
      throw error
    }
  }

  function isSo(subject: Subject): boolean {
    if ('invoice' in subject) return kind === 'retry' && subject.invoice.status === 'confirmed'
    return kind === 'status' && subject.device.status === parameters.status
  }
}

export const isAboutInvoices = (kind: JobKind): boolean => kind === 'retry' || kind === 'copies'

/** Tags are the office's own, also of devices that gateways decide on. */
export const isAboutTags = (kind: JobKind): boolean => kind === 'tag' || kind === 'untag'

/**
 * What a row is about, how it is named, and who decides on what is to be done with it.
 * @throws FiskError 404 for what the principal does not see
 */
export async function findSubject(
  store: Pick<Store, 'devices' | 'invoices'>,
  principal: Principal,
  kind: JobKind,
  id: string,
): Promise<Subject & { label: string; gatewayId: string }> {
  if (isAboutInvoices(kind)) {
    const invoice = await findInvoice(store, principal, id)
    const { number, premisesCode, registerMark } = invoice.document
    return { label: printedNumber(number, premisesCode, registerMark), gatewayId: invoice.gatewayId, invoice }
  }
  const device = await findDevice(store, principal, id)
  return { label: device.label, gatewayId: isAboutTags(kind) ? LOCAL_GATEWAY : device.gatewayId, device }
}
