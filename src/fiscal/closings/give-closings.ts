import { conflict } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { PrinterSettings } from '../../domain/printer.ts'
import type { ClosingDocument, ClosingPaper } from '../../domain/sale/closing.ts'
import { receiptStyle } from '../../domain/sale/receipt-style.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, reachesCompany, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import type { OfficeMailing, WantedMail } from '../mail/office-mail.ts'
import type { Clock } from '../ports/clock.ts'
import type { OfficeMail } from '../ports/mail.ts'
import type { Device } from '../ports/model.ts'
import type { PrintOutcome, ReceiptDrawing, Spool } from '../ports/printing.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { NO_PRINTER } from '../printing/receipts.ts'
import { findDevice } from '../registry/devices.ts'
import type { Keep } from '../sales/idempotency.ts'
import type { ClosedPeriod, ClosingsWanted, ClosingUseCases } from './closings.ts'

export type ClosingPrint = PrintOutcome & { device: Device }

interface Deps extends Context {
  spool: Pick<Spool, 'condition' | 'printClosing'>
  drawing: Pick<ReceiptDrawing, 'settingsOf' | 'closingText'>
  closings: Pick<ClosingUseCases, 'get'>
}

export function createClosingReceipts({ store, clock, spool, drawing, closings }: Deps) {
  /** Those that this process prints on, the ready one first. */
  async function printersAt({ company, premisesCode }: ClosingDocument): Promise<Device[]> {
    const devices: Device[] = []
    for (const { deviceId } of await store.printers.all()) {
      const device = await store.devices.get(deviceId)
      if (device?.companyId !== company.id || device.premisesCode !== premisesCode) continue
      const state = spool.condition(deviceId)?.state
      if (state === 'ready') devices.unshift(device)
      else if (state) devices.push(device)
    }
    return devices
  }

  async function printerNamed(principal: Principal, deviceId: string): Promise<Device> {
    const device = await findDevice(store, principal, deviceId, 'device_id')
    if (spool.condition(deviceId)) return device
    throw conflict('device_id', 'the device has no printer: set one with fisk printer set')
  }

  async function paperOf({ document }: ClosedPeriod, device: Device | undefined): Promise<ClosingPaper> {
    const company = await store.companies.get(document.company.id)
    const levels = [device?.deviceConfig, company?.fiscalConfig].filter((level) => level !== undefined)
    const { header, language } = receiptStyle(levels)
    return { closing: document, header, language: language === 'both' ? 'hr' : language }
  }

  const printerOf = async ({ document }: ClosedPeriod) => (await printersAt(document))[0]

  return {
    /** @param columns a different paper width than the printer's */
    async text(closing: ClosedPeriod, columns?: PrinterSettings['columns']): Promise<string> {
      const device = await printerOf(closing)
      const printer = device && (await store.printers.get(device.id))
      const { profile, overrides } = printer ?? NO_PRINTER
      const settings = drawing.settingsOf(profile, { ...overrides, ...(columns && { columns }) })
      return drawing.closingText(await paperOf(closing, device), settings)
    },
    /** The device of the closing's premises whose printer is attached here; undefined without one. */
    printerOf,
    /**
     * Prints a stored closing and waits for it, at `deviceId` or at one of the premises; a failed print is done again.
     * @throws FiskError 404 for an unknown closing or device, 409 when there is no printer
     */
    async print(principal: Principal, id: string, deviceId?: string, keep?: Keep<ClosingPrint | null>) {
      requireScope(principal, 'invoices:write')
      const closing = await closings.get(principal, id)
      const device = deviceId === undefined ? await printerOf(closing) : await printerNamed(principal, deviceId)
      if (!device) throw conflict('device_id', 'no device of this premises has a printer here')
      const { unit, starts, premisesCode } = closing.document
      await store.transaction(async (tx) => {
        const detail = { id, unit, starts, premises_code: premisesCode, device_id: device.id }
        await audit(tx, principal, clock.now(), 'closing.printed', detail)
        await keep?.(tx, null)
      })
      return { ...(await spool.printClosing(device.id, await paperOf(closing, device))), device }
    },
  }
}

export type ClosingLetter = Pick<WantedMail, 'to' | 'subject' | 'text' | 'html' | 'files'>

/** What a mail is about: the wanted closings, or one of them. */
type MailedClosings = ClosingsWanted & { closingId?: string }

export function createClosingMails({ mails, clock }: { mails: OfficeMailing; clock: Clock }) {
  return {
    isSet: mails.isSet,
    /**
     * Stores a mail with closings, which is sent within seconds. What is in it was read as the same principal.
     * @throws FiskError `insufficient_scope`, and what `OfficeMailing.queue` throws
     */
    async send(principal: Principal, closings: MailedClosings, letter: ClosingLetter, keep?: Keep<OfficeMail>) {
      requireScope(principal, 'invoices:write')
      return mails.queue(principal, { ...letter, ...subjectOf(closings) }, async (tx, mail) => {
        await auditMailed(tx, principal, clock.now(), closings, letter)
        await keep?.(tx, mail)
      })
    },
    /** The mails about them that the principal may see: its own, and those about one of its companies. */
    async sent(principal: Principal, closings: MailedClosings): Promise<OfficeMail[]> {
      requireScope(principal, 'invoices:read')
      const found = await mails.about(principal, subjectOf(closings).about)
      return found.filter(
        ({ companyId, requestedBy }) => requestedBy === principal.id || reachesCompany(principal, companyId),
      )
    },
  }
}

export function subjectOf({ unit, starts, mode, companyId, closingId }: MailedClosings) {
  const about = closingId === undefined ? `closings ${mode} ${unit} ${starts}` : `closing ${closingId}`
  return { kind: 'closings', about, companyId: companyId ?? null }
}

export async function auditMailed(
  tx: StoreTransaction,
  by: Pick<Principal, 'id' | 'tenantId'>,
  at: EpochMs,
  { unit, starts, mode, companyId }: MailedClosings,
  { to, scheduleId }: { to: string; scheduleId?: string },
): Promise<void> {
  const detail = { unit, starts, mode, company_id: companyId ?? null, to }
  await audit(tx, by, at, 'closings.mailed', {
    ...detail,
    ...(scheduleId !== undefined && { schedule_id: scheduleId }),
  })
}
