import { randomBytes, randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { companyIdOf } from '../../src/domain/company-id.ts'
import { oibCheckDigit } from '../../src/domain/oib.ts'
import type { GatewayRecord } from '../../src/fiscal/ports/gateways.ts'
import type { SyncRecord, SyncRows } from '../../src/fiscal/ports/outbox.ts'
import { timeOrderedUuid } from '../../src/fiscal/time-ordered-id.ts'
import { DEFAULT_TENANT } from '../../src/store/store.ts'
import { hashOf } from '../../src/sync/server/authenticate.ts'

const GATEWAYS_PER_COMPANY = 50
const NOW = Date.parse('2026-09-21T12:00:00Z')

/** A gateway with what it sells with. */
export interface BenchGateway {
  record: GatewayRecord
  credential: string
  session: string
  company: SyncRows['company']
  certificate: SyncRows['certificate']
  device: SyncRows['device']
  /** The last number it has given out. */
  number: number
  version: number
}

/** A fleet whose machines have one device each, at a premises of its own, some fifty to a company. */
export function fleetOf(count: number): BenchGateway[] {
  const companies = Array.from({ length: Math.ceil(count / GATEWAYS_PER_COMPANY) }, (_, i) => companyOf(i))
  const der = randomBytes(1500)
  return Array.from({ length: count }, (_, i) => {
    const company = companies[Math.floor(i / GATEWAYS_PER_COMPANY)] as SyncRows['company']
    const credential = `fisk_sync_${randomBytes(32).toString('base64url')}`
    const session = randomUUID()
    const record: GatewayRecord = {
      id: randomUUID(),
      tenantId: DEFAULT_TENANT,
      name: `kiosk-${i}`,
      createdAt: NOW,
      tokenHash: null,
      tokenExpiresAt: null,
      credentialHash: hashOf(credential),
      publicKey: null,
      enrolledAt: Date.now(),
      revokedAt: null,
      position: 0,
      heard: 0,
      session,
      sessionBefore: null,
      strikes: 0,
      duplicatedAt: null,
      lastCommand: 0,
      lastSeenAt: null,
      reportedAt: null,
      heartbeat: null,
      companies: null,
    }
    const certificate: SyncRows['certificate'] = {
      id: randomUUID(),
      companyId: company.id,
      label: null,
      subjectOib: company.oib,
      subjectCn: 'FISKAL 1',
      issuer: 'CN=Fina',
      serial: `${i}`,
      notBefore: NOW,
      notAfter: NOW + 1e11,
      certificate: der,
      intermediates: [],
      uploadedAt: NOW,
      supersededAt: null,
      revokedAt: null,
    }
    const device: SyncRows['device'] = {
      id: randomUUID(),
      companyId: company.id,
      premisesCode: `KIOSK${i}`,
      premisesAddress: null,
      label: `Machine ${i}`,
      isuNumber: String(i + 1),
      isuStatus: 'assigned',
      deviceConfig: {},
      status: 'active',
      installedAt: NOW,
      lastSeenAt: NOW,
      lastSuccessAt: NOW,
      createdAt: NOW,
    }
    return { record, credential, session, company, certificate, device, number: 0, version: 3 }
  })
}

function companyOf(i: number): SyncRows['company'] {
  const ten = String(1_000_000_000 + i)
  const oib = `${ten}${oibCheckDigit(ten)}`
  return {
    id: companyIdOf(oib),
    name: `Samoposluga ${i} d.o.o.`,
    oib,
    vatRegistered: true,
    address: { city: 'Zagreb' },
    fiscalConfig: {},
    logo: null,
    mode: 'live',
    status: 'active',
    createdAt: NOW,
  }
}

/** Gateways with several machines each, an entry for each machine: the first is what the gateway came with. */
export function machinesOf(gateways: readonly BenchGateway[], each: number): BenchGateway[] {
  return gateways.flatMap((gateway, i) => [
    gateway,
    ...Array.from({ length: each - 1 }, (_, more) => {
      const [premisesCode, label] = [`${gateway.device.premisesCode}M${more}`, `${gateway.device.label}, ${more + 2}`]
      const isuNumber = String((more + 1) * gateways.length + i + 1)
      return { ...gateway, number: 0, device: { ...gateway.device, id: randomUUID(), premisesCode, label, isuNumber } }
    }),
  ])
}

/** The parents of a gateway's sales. */
export function parentsOf({ company, certificate, device }: BenchGateway): SyncRecord[] {
  return [
    { kind: 'company', id: company.id, version: 1, row: company },
    { kind: 'certificate', id: certificate.id, version: 2, row: certificate },
    { kind: 'device', id: device.id, version: 3, row: device },
  ]
}

/** A sale as its gateway tells it, with what it asked the tax authority or without. */
export interface Sale {
  gateway: BenchGateway
  invoice: Extract<SyncRecord, { kind: 'invoice' }>
  message: Extract<SyncRecord, { kind: 'message' }> | null
}

let made = 0

/**
 * The next sale of a gateway, confirmed, with its one message; what is random in life is random here.
 * @param said request and answer, for which packing takes most of the time
 * @param at when it was sold; a minute after the one before when left out
 */
export function saleOf(
  gateway: BenchGateway,
  said = exchange(),
  at = NOW + (gateway.number + 1) * 60_000,
): [Sale['invoice'], NonNullable<Sale['message']>] {
  const { company, certificate, device } = gateway
  const number = ++gateway.number
  const occurredAt = at
  made++
  const id = `inv_${occurredAt.toString(16).padStart(12, '0')}${made.toString(16).padStart(6, '0')}${hex(7)}`
  const invoice: SyncRows['invoice'] = {
    id,
    companyId: company.id,
    deviceId: device.id,
    certificateId: certificate.id,
    mode: 'live',
    occurredAtText: new Date(occurredAt).toISOString(),
    occurredAt,
    year: new Date(occurredAt).getUTCFullYear(),
    document: {
      companyOib: company.oib,
      vatRegistered: true,
      occurredAt,
      sequenceMark: 'P',
      number: String(number),
      premisesCode: device.premisesCode,
      registerMark: String(device.isuNumber),
      total: '2.50',
      vat: [{ rate: '25.00', base: '2.00', amount: '0.50' }],
      consumptionTax: [],
      otherTaxes: [],
      vatExemptAmount: null,
      marginAmount: null,
      nonTaxableAmount: null,
      fees: [],
      paymentMethod: 'G',
      operatorOib: company.oib,
      zki: hex(16),
      paragonNumber: null,
      specialPurpose: null,
      recipientOib: null,
    },
    receipt: {
      header: [],
      footer: [],
      language: 'hr',
      issuerName: company.name,
      issuerAddress: ['Ilica 1', '10000 Zagreb'],
      premisesAddress: null,
      machine: device.label,
      items: [{ name: 'Kava s mlijekom', quantity: '1', unitPrice: '2.50', amount: '2.50' }],
    },
    numberSupplied: false,
    deadlineAt: occurredAt + 30 * 86_400_000,
    createdAt: occurredAt,
    journalPosition: number,
    seal: hex(32),
    status: 'confirmed',
    jir: randomUUID(),
    lateDelivery: false,
    attempts: 1,
    confirmedAt: occurredAt + 400,
    lastErrorClass: null,
    errorCode: null,
    errorMessage: null,
    deliveryFindings: null,
  }
  const message: SyncRows['message'] = {
    id: timeOrderedUuid(occurredAt),
    invoiceId: id,
    messageUuid: randomUUID(),
    attemptNo: 1,
    httpStatus: 200,
    errorCode: null,
    errorMessage: null,
    durationMs: 400,
    createdAt: occurredAt,
    ...said,
  }
  return [
    { kind: 'invoice', id, version: ++gateway.version, row: invoice },
    { kind: 'message', id: message.id, version: ++gateway.version, row: message },
  ]
}

const hex = (bytes: number) => randomBytes(bytes).toString('hex')

/** A certificate is the same in every message of a company; signatures, digests and ids are not. */
const CERTIFICATE = randomBytes(1500).toString('base64')
const WORDS = '<tns:RacunZahtjev xmlns:tns="http://www.apis-it.hr/fin/2012/types/f73">'.repeat(22)

export function exchange() {
  const said = () =>
    gzipSync(`${WORDS}<X509Certificate>${CERTIFICATE}</X509Certificate>${randomBytes(300).toString('base64')}`)
  return { requestXml: said(), responseXml: said() }
}
