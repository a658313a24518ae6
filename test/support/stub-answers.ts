import type { PrinterView } from '../../src/contract/admin/printers.ts'
import type { CertificateView, CompanyView } from '../../src/contract/v1/fleet.ts'
import type { InvoiceView, SaleView } from '../../src/contract/v1/invoice.ts'

/** A sale that waits for its JIR, as a retry is answered. */
export const SALE: SaleView = {
  id: 'inv_01',
  status: 'retrying',
  jir: null,
  zki: 'e4d909c290d0fb1ca068ffaddf22cbd0',
  qr_payload: 'https://porezna.gov.hr/rn?zki=e4d909c290d0fb1ca068ffaddf22cbd0&datv=20261025_0230&izn=250',
  number: '7',
  occurred_at: '2026-10-25T02:30:00+01:00',
  total: '2.50',
  currency: 'EUR',
  fiscal_error: { code: 'upstream_unavailable', message: 'No answer within 4 s.', retry_scheduled: true },
}

/** The same as GET shows it. */
export const INVOICE: InvoiceView = {
  ...SALE,
  company_id: '0f2b6d3e-52f6-5c43-9a3c-1a8a6d1f5b10',
  device_id: '5f0c8a52-6f0e-4a5c-9d0e-3f3f9f3c1b2a',
  payment_method: 'K',
  mode: 'test',
  attempts: 1,
  late_delivery: false,
  deadline_at: '2026-11-24T01:30:00.000Z',
  confirmed_at: null,
  created_at: '2026-10-25T01:30:00.000Z',
  last_error_class: 'transient',
  country_data: { premises_code: 'POSL1', sequence_mark: 'N', register_mark: '12345', receipt_number: '7/POSL1/12345' },
  receipt_print: null,
}

export const COMPANY: CompanyView = {
  id: INVOICE.company_id,
  name: 'Kava d.o.o.',
  oib: '02994650199',
  country_code: 'HR',
  vat_registered: true,
  address: {},
  fiscal_config: {},
  mode: 'test',
  status: 'active',
  certificate_status: 'missing',
  certificate_expires_at: null,
  created_at: '2026-07-20T08:00:00.000Z',
  logo_hash: null,
}

export const CERTIFICATE: CertificateView = {
  id: '7d1f0a7e-0b46-4c1e-9a5e-6b7f0c2d3e4f',
  company_id: COMPANY.id,
  label: null,
  subject_oib: COMPANY.oib,
  subject_cn: 'FISKAL 1',
  issuer: 'CN=Fina Demo CA 2020,O=Financijska agencija,C=HR',
  serial: '5FA1',
  not_before: '2026-01-01T00:00:00.000Z',
  not_after: '2028-11-19T11:00:00.000Z',
  days_until_expiry: 729,
  status: 'valid',
  uploaded_at: '2026-11-21T12:00:00.000Z',
}

export const PRINTER: PrinterView = {
  device: { id: INVOICE.device_id, label: 'Lobby 1', premises_code: 'POSL1' },
  line: 'tcp:10.0.0.9:9100',
  profile: 'generic',
  tested_with: 'the virtual printer',
  expire_after_s: 300,
  settings: { columns: 48 },
  overridden: [],
  condition: { state: 'ready', paper: 'ok', cover: 'closed', error: false, reason: null, detail: null, fix: null },
  roll: null,
  last_receipt: null,
}
