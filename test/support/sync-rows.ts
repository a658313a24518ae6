import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { companyIdOf } from '../../src/domain/company-id.ts'
import type { SyncKind, SyncRecord, SyncRows } from '../../src/fiscal/ports/outbox.ts'
import { OIBS } from './oibs.ts'

const NOW = Date.now() - 86_400_000

let versions = 0

/** Records as the outbox of a gateway gives them; each is newer than those made before it. */
export function record<K extends SyncKind>(kind: K, row: SyncRows[K], version = ++versions): SyncRecord {
  const id = 'copy' in row ? `${row.invoiceId}/${row.copy}` : (row as { id: string }).id
  return { kind, id, version, row } as unknown as SyncRecord
}

/** As a company is stored: by the hash of its logo. */
export const withoutLogo = ({ logo: _logo, ...company }: SyncRows['company']) => company

/** What one gateway sells with: a company, its certificate and a device, and what is sold. */
export function fleet({ oib = OIBS[0] as string, premisesCode = 'KIOSK1', label = 'Lobby 1', isuNumber = '101' } = {}) {
  const companyId = companyIdOf(oib)
  const company: SyncRows['company'] = {
    ...{ id: companyId, name: 'Kava d.o.o.', oib, vatRegistered: true, address: { city: 'Zagreb' }, fiscalConfig: {} },
    ...{ mode: 'test', status: 'active', createdAt: NOW, logo: null },
  }
  const certificate: SyncRows['certificate'] = {
    ...{ id: randomUUID(), companyId, label: null, subjectOib: oib, subjectCn: 'FISKAL 1', issuer: 'Test CA' },
    ...{ serial: '01', notBefore: NOW, notAfter: NOW + 1e11, certificate: Buffer.from('der'), intermediates: [] },
    ...{ uploadedAt: NOW, supersededAt: null, revokedAt: null },
  }
  const device: SyncRows['device'] = {
    ...{ id: randomUUID(), companyId, premisesCode, premisesAddress: null, label, isuNumber, isuStatus: 'assigned' },
    ...{ deviceConfig: {}, status: 'active', installedAt: NOW, lastSeenAt: null, lastSuccessAt: null, createdAt: NOW },
  }
  const invoice = (number: number, changes: Partial<SyncRows['invoice']> = {}): SyncRows['invoice'] => ({
    ...{ id: `inv_${randomUUID().replaceAll('-', '')}`, companyId, deviceId: device.id, certificateId: certificate.id },
    ...{ mode: 'test', occurredAtText: '2026-09-21T16:13:20+02:00', occurredAt: NOW + number, year: 2026 },
    document: {
      ...{ companyOib: oib, vatRegistered: true, occurredAt: NOW, sequenceMark: 'P', number: String(number) },
      ...{ premisesCode, registerMark: '101', vat: [{ rate: '25.00', base: '2.00', amount: '0.50' }] },
      ...{ consumptionTax: [], otherTaxes: [], vatExemptAmount: null, marginAmount: null, nonTaxableAmount: null },
      ...{ fees: [], total: '2.50', paymentMethod: 'G', operatorOib: oib, zki: 'a'.repeat(32) },
      ...{ paragonNumber: null, specialPurpose: null, recipientOib: null },
    },
    ...{ receipt: null, numberSupplied: false, deadlineAt: NOW + 1e9, createdAt: NOW, journalPosition: number },
    ...{ seal: 'seal', status: 'confirmed', jir: randomUUID(), lateDelivery: false, attempts: 1, confirmedAt: NOW },
    ...{ lastErrorClass: null, errorCode: null, errorMessage: null, deliveryFindings: null },
    ...changes,
  })
  const message = (invoiceId: string, changes: Partial<SyncRows['message']> = {}): SyncRows['message'] => ({
    ...{ id: randomUUID(), invoiceId, messageUuid: randomUUID(), attemptNo: 1, httpStatus: 200, errorCode: null },
    ...{
      errorMessage: null,
      durationMs: 100,
      createdAt: NOW,
      requestXml: gzipSync('<a/>'),
      responseXml: gzipSync('<b>č</b>'),
    },
    ...changes,
  })
  const printJob = (invoiceId: string, changes: Partial<SyncRows['print_job']> = {}): SyncRows['print_job'] => ({
    ...{ invoiceId, copy: 0, deviceId: device.id, status: 'queued', createdAt: NOW, expiresAt: NOW + 90_000 },
    ...{ begunAt: null, endedAt: null, detail: null, reason: null },
    ...changes,
  })
  const request = (changes: Partial<SyncRows['request']> = {}): SyncRows['request'] => ({
    ...{ id: randomUUID(), companyId, mode: 'test', premisesCode: device.premisesCode, invoiceId: null },
    ...{ asked: { kind: 'hours_removed', regular: ['2026-12-01'], exceptions: [] }, requestedBy: 'operator' },
    ...{ messageId: randomUUID(), sentAt: NOW, state: 'sent', answeredAt: null, code: null, message: null },
    ...changes,
  })
  const alert = (changes: Partial<SyncRows['alert']> = {}): SyncRows['alert'] => ({
    ...{ id: randomUUID(), kind: 'disk_low', subject: 'disk', detail: {}, raisedAt: NOW },
    ...{ acknowledgedAt: null, acknowledgedBy: null, resolvedAt: null },
    ...changes,
  })
  const parents = () => [record('company', company), record('certificate', certificate), record('device', device)]
  return { companyId, company, certificate, device, invoice, message, printJob, request, alert, parents }
}
export type Fleet = ReturnType<typeof fleet>
