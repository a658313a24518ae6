import { printedNumber } from '../../domain/sale/receipt-number.ts'
import type { Principal } from '../access/principal.ts'
import type { JobKind } from '../ports/jobs.ts'
import { type Device, type Invoice, LOCAL_GATEWAY } from '../ports/model.ts'
import type { Store } from '../ports/store.ts'
import { findDevice } from '../registry/devices.ts'
import { findInvoice } from '../sales/read-invoices.ts'

/** What a row is about, how it is named, and who decides on what is to be done with it. */
type JobSubject = { label: string; gatewayId: string } & ({ invoice: Invoice } | { device: Device })

export const isAboutInvoices = (kind: JobKind): boolean => kind === 'retry' || kind === 'copies'

/** Tags are the office's own, also of devices that gateways decide on. */
export const isAboutTags = (kind: JobKind): boolean => kind === 'tag' || kind === 'untag'

/** @throws FiskError 404 for what the principal does not see */
export async function findSubject(
  store: Pick<Store, 'devices' | 'invoices'>,
  principal: Principal,
  kind: JobKind,
  id: string,
): Promise<JobSubject> {
  if (isAboutInvoices(kind)) {
    const invoice = await findInvoice(store, principal, id)
    const { number, premisesCode, registerMark } = invoice.document
    return { label: printedNumber(number, premisesCode, registerMark), gatewayId: invoice.gatewayId, invoice }
  }
  const device = await findDevice(store, principal, id)
  return { label: device.label, gatewayId: isAboutTags(kind) ? LOCAL_GATEWAY : device.gatewayId, device }
}
