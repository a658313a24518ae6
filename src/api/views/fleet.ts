import type { CertificateView, CompanyView, DeviceView, ImportReportView } from '../../contract/v1/fleet.ts'
import { certificateStatus, daysUntil } from '../../domain/certificate.ts'
import { type EpochMs, formatInstant } from '../../domain/instant.ts'
import type { CompanyCertificate } from '../../fiscal/doctor/status.ts'
import type { Certificate, Company, Device } from '../../fiscal/ports/model.ts'
import type { ImportReport } from '../../fiscal/registry/device-import.ts'
import { moment } from './moment.ts'

export function companyView(company: Company, certificate: CompanyCertificate): CompanyView {
  return {
    id: company.id,
    name: company.name,
    oib: company.oib,
    country_code: 'HR',
    vat_registered: company.vatRegistered,
    address: company.address,
    fiscal_config: company.fiscalConfig,
    mode: company.mode,
    status: company.status,
    certificate_status: certificate.status,
    certificate_expires_at: moment(certificate.notAfter),
    created_at: formatInstant(company.createdAt),
    logo_hash: company.logoHash,
  }
}

export function deviceView(device: Device): DeviceView {
  return {
    id: device.id,
    company_id: device.companyId,
    premises_code: device.premisesCode,
    premises_address: device.premisesAddress,
    label: device.label,
    isu_number: device.isuNumber,
    isu_status: device.isuStatus,
    device_config: device.deviceConfig,
    status: device.status,
    installed_at: formatInstant(device.installedAt),
    last_seen_at: moment(device.lastSeenAt),
    last_success_at: moment(device.lastSuccessAt),
    created_at: formatInstant(device.createdAt),
  }
}

/** Metadata only: key material is never returned. */
export function certificateView(certificate: Certificate, now: EpochMs): CertificateView {
  return {
    id: certificate.id,
    company_id: certificate.companyId,
    label: certificate.label,
    subject_oib: certificate.subjectOib,
    subject_cn: certificate.subjectCn,
    issuer: certificate.issuer,
    serial: certificate.serial,
    not_before: formatInstant(certificate.notBefore),
    not_after: formatInstant(certificate.notAfter),
    days_until_expiry: daysUntil(certificate.notAfter, now),
    status: certificateStatus(certificate, now),
    uploaded_at: formatInstant(certificate.uploadedAt),
  }
}

export function importReportView({
  dryRun,
  processed,
  created,
  updated,
  failed,
  errors,
}: ImportReport): ImportReportView {
  const told = errors.map(({ row, label, code, message, param }) => ({ row, label, code, message, param }))
  return { object: 'device_import', dry_run: dryRun, processed, created, updated, failed, errors: told }
}
