import { CertificateSchema, CompanySchema, DeviceSchema, ImportReportSchema } from '../../contract/v1/fleet.ts'
import { certificateStatus, daysUntil } from '../../domain/certificate.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { CompanyCertificate } from '../../fiscal/doctor/status.ts'
import type { Certificate, Company, Device } from '../../fiscal/ports/model.ts'
import type { ImportReport } from '../../fiscal/registry/device-import.ts'
import { view } from './view.ts'

export const companyView = (company: Company, { status, notAfter }: CompanyCertificate) =>
  view(CompanySchema, { ...company, countryCode: 'HR', certificateStatus: status, certificateExpiresAt: notAfter })

export const deviceView = (device: Device) => view(DeviceSchema, device)

/** Metadata only: key material is never returned. */
export const certificateView = (certificate: Certificate, now: EpochMs) =>
  view(CertificateSchema, {
    ...certificate,
    daysUntilExpiry: daysUntil(certificate.notAfter, now),
    status: certificateStatus(certificate, now),
  })

export const importReportView = ({ shared, ignored, ...report }: ImportReport) =>
  view(ImportReportSchema, {
    ...report,
    object: 'device_import',
    sharedPremises: shared.length > 0 ? shared : undefined,
    ignoredColumns: ignored.length > 0 ? ignored : undefined,
  })
