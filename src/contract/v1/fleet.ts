import * as Type from 'typebox'
import { CERTIFICATE_STATUSES } from '../../domain/certificate.ts'
import { ISU_STATUSES } from '../../domain/statuses.ts'
import { ActiveStatus, Closed, Free, Id, Instant, Mode, Nullable, Rows, Text, Titled, TitledClosed } from '../common.ts'
import { ALL_TENANTS, ListOf, PAGE } from '../list.ts'
import { API_BOUNDS } from './bounds.ts'

const isuNumber = Type.String({ format: 'mark', description: 'As the portal of the tax authority issued it' })
const label = Text(1, API_BOUNDS.deviceLabel.most, 'Unique within the company')
const premisesCode = Type.String({ format: 'premises-code', description: 'As registered with the tax authority' })
const premisesAddress = Text(0, API_BOUNDS.premisesAddress.most, 'For people; never sent to the tax authority')
const name = Text(1, API_BOUNDS.companyName.most, 'Name of the issuer')
const address = Free('`street`, `city`, `postal_code`, `country`')
const DEFAULTS =
  'Defaults for sales by the names of their fields (`payment_method`, `vat`, `special_purpose`, ...) and `default_vat_rate`'
const REFUSED = 'A value that no sale can have is refused; keys that no sale reads are stored'
const fiscalConfig = Free(`${DEFAULTS}; \`sequence_mode\`: \`P\` or \`N\` for attended sales. ${REFUSED}`)

export const CompanyBody = TitledClosed('NewCompany', {
  name,
  oib: Type.String({ description: '11 digits with a correct check digit', examples: ['02994650199'] }),
  vat_registered: Type.Optional(Type.Boolean({ description: 'Default: true' })),
  address: Type.Optional(address),
  fiscal_config: Type.Optional(fiscalConfig),
  mode: Type.Optional(Mode),
})

export const CompanyChangesBody = TitledClosed('CompanyChanges', {
  name: Type.Optional(name),
  vat_registered: Type.Optional(Type.Boolean()),
  address: Type.Optional(Free('Replaces the stored one as a whole')),
  fiscal_config: Type.Optional(Free('Replaces the stored one as a whole')),
  mode: Type.Optional(Mode),
  status: Type.Optional(ActiveStatus),
})

export const CompaniesQuery = Closed({ status: Type.Optional(ActiveStatus), ...PAGE, ...ALL_TENANTS })

/** A company (docs/spec/interface.md, Company). */
export const CompanySchema = Titled('Company', {
  id: Id('UUIDv5 of the OIB'),
  name: Type.String(),
  oib: Type.String({ pattern: '^[0-9]{11}$' }),
  country_code: Type.Literal('HR'),
  vat_registered: Type.Boolean(),
  address,
  fiscal_config: fiscalConfig,
  mode: Mode,
  status: ActiveStatus,
  certificate_status: Type.Enum(['missing', 'valid', 'expiring', 'expired'], {
    description: 'Of the certificate it signs with, as it is now; `expiring` means under 60 days',
  }),
  certificate_expires_at: Nullable(Instant('When all its devices stop being able to fiscalize')),
  created_at: Instant('When it was made'),
  logo_hash: Nullable(
    Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the logo on its receipts; null for none' }),
  ),
})
export type CompanyView = Type.Static<typeof CompanySchema>

export const LogoForm = TitledClosed('LogoForm', {
  file: Type.String({ format: 'binary', description: 'PNG, at most 256 KB, 2000 dots to a side and 1,000,000 in all' }),
  width_mm: Type.Optional(
    Type.String({ format: 'logo-width', description: 'How wide it is printed; default: at most 15 mm high' }),
  ),
})

export const LOGO_CONTENT = { 'image/png': { schema: Type.String({ format: 'binary' }) } }

export const CompanyList = ListOf(CompanySchema, 'CompanyList')

export const DeviceBody = TitledClosed('NewDevice', {
  company_id: Id('The company that sells'),
  premises_code: premisesCode,
  premises_address: Type.Optional(Nullable(premisesAddress)),
  label,
  isu_number: Type.Optional(Nullable(isuNumber)),
  device_config: Type.Optional(Free(`${DEFAULTS}; they go before those of the company. ${REFUSED}`)),
})

export const DeviceChangesBody = TitledClosed('DeviceChanges', {
  label: Type.Optional(label),
  premises_address: Type.Optional(Nullable(premisesAddress)),
  isu_number: Type.Optional(Nullable(isuNumber)),
  device_config: Type.Optional(Free('Replaces the stored one as a whole')),
  status: Type.Optional(ActiveStatus),
})

export const DevicesQuery = Closed({
  company_id: Type.Optional(Id('Of this company')),
  premises_code: Type.Optional(Type.String({ description: 'At this premises' })),
  isu_status: Type.Optional(Type.Enum(ISU_STATUSES)),
  status: Type.Optional(ActiveStatus),
  ...PAGE,
  ...ALL_TENANTS,
})

/** A device (docs/spec/interface.md, Device). */
export const DeviceSchema = Titled('Device', {
  id: Id('What a sale names'),
  company_id: Id('Never changes'),
  premises_code: Type.String({ description: 'Never changes' }),
  premises_address: Nullable(Type.String()),
  label: Type.String(),
  isu_number: Nullable(Type.String()),
  isu_status: Type.Enum(ISU_STATUSES, { description: 'A device without a number cannot fiscalize' }),
  device_config: Free(`${DEFAULTS}; they go before those of the company`),
  status: ActiveStatus,
  installed_at: Instant('When it was registered'),
  last_seen_at: Nullable(Instant('Its last sale, successful or not')),
  last_success_at: Nullable(Instant('Its last sale with a JIR')),
  created_at: Instant('When it was made'),
})
export type DeviceView = Type.Static<typeof DeviceSchema>

export const DeviceList = ListOf(DeviceSchema, 'DeviceList')

/** A row of the file, with the rules of a device that is registered by hand. */
export const ImportRowSchema = Closed({ label, premises_code: premisesCode, isu_number: Type.Optional(isuNumber) })

export const ImportForm = TitledClosed('DeviceImportForm', {
  company_id: Id('All rows belong to this company'),
  file: Type.String({ format: 'binary', description: 'CSV in UTF-8 with a header, at most 1 MB and 5000 rows' }),
  dry_run: Type.Optional(Type.Enum(['true', 'false'], { description: '`true` writes nothing' })),
})

/** What came of an import (docs/spec/interface.md, POST /v1/devices/import). */
export const ImportReportSchema = Titled('DeviceImport', {
  object: Type.Literal('device_import'),
  dry_run: Type.Boolean(),
  processed: Type.Integer(),
  created: Type.Integer(),
  updated: Type.Integer(),
  failed: Type.Integer(),
  errors: Rows({
    row: Type.Integer({ description: 'The line where the row begins; the header is line 1' }),
    label: Type.String(),
    code: Type.String(),
    message: Type.String(),
    param: Nullable(Type.String()),
  }),
  shared_premises: Type.Optional(
    Type.Array(Type.Object({ premises_code: Type.String(), labels: Type.Array(Type.String()) }), {
      description: 'Unattended devices with one premises code, absent when there are none: each should have its own',
    }),
  ),
  ignored_columns: Type.Optional(
    Type.Array(Type.String(), { description: 'Columns that nothing was read from, absent when there are none' }),
  ),
})
export type ImportReportView = Type.Static<typeof ImportReportSchema>

export const CertificateForm = TitledClosed('CertificateForm', {
  company_id: Id('The company that signs with it'),
  file: Type.String({ format: 'binary', description: 'PKCS#12, at most 256 KB' }),
  passphrase: Type.String({ description: 'Used once, never stored' }),
  label: Type.Optional(Text(0, API_BOUNDS.certificateLabel.most, 'For people')),
})

export const CertificatesQuery = Closed({
  company_id: Type.Optional(Id('Of this company')),
  status: Type.Optional(Type.Enum(CERTIFICATE_STATUSES)),
})

/** Metadata of a certificate (docs/spec/interface.md, Certificate). */
export const CertificateSchema = Titled('Certificate', {
  id: Id('Of this certificate'),
  company_id: Id('Whose it is'),
  label: Nullable(Type.String()),
  subject_oib: Type.String(),
  subject_cn: Type.String(),
  issuer: Type.String(),
  serial: Type.String(),
  not_before: Instant('Valid from'),
  not_after: Instant('Valid until'),
  days_until_expiry: Type.Integer({ description: 'Negative once it has expired' }),
  status: Type.Enum(CERTIFICATE_STATUSES),
  uploaded_at: Instant('When it was uploaded'),
})
export type CertificateView = Type.Static<typeof CertificateSchema>

/** Whether the company signs with what is in a file (`/admin`). */
export const CertificateCheckSchema = Type.Object({ in_use: Type.Boolean() }, { title: 'CertificateCheck' })

export const CertificateList = ListOf(CertificateSchema, 'CertificateList')
