import type { WiredAll } from '../wired.ts'
import { addCertificate, checkCertificate, listCertificates, revokeCertificate } from './certificates.ts'
import { addCompany, changeCompany, listCompanies } from './companies.ts'
import { importDevices } from './device-import.ts'
import { addDevice, changeDevice, listDevices } from './devices.ts'

/** Companies, devices and certificates, for keys and users that may change them over `/v1`. */
export const REGISTRY = {
  addCompany,
  changeCompany,
  listCompanies,
  addDevice,
  changeDevice,
  listDevices,
  importDevices,
  addCertificate,
  listCertificates,
}
/** For the operator of this machine. */
export const REGISTRY_ADMIN = { checkCertificate, revokeCertificate }
/** For commands of the server, which asks for new premises itself. */
export const REGISTRY_COMMANDS = { addDevice, changeCompany, changeDevice, addCertificate }

export type RegistryUseCases = WiredAll<typeof REGISTRY>
export type RegistryAdmin = WiredAll<typeof REGISTRY_ADMIN>
