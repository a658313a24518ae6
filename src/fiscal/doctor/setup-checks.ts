import { setImmediate } from 'node:timers/promises'
import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { alike } from '../../domain/texts/both.ts'
import type { ApiKey, Company, Device } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { few, type HealthCheck, skippedAfter } from './doctor.ts'

const COMPANIES = { en: 'companies', hr: 'tvrtke' }
const DEVICES = { en: 'devices', hr: 'uređaji' }
const ISU_NUMBERS = { en: 'ISU numbers', hr: 'ISU brojevi' }
const ISU_REGISTRATION = { en: 'ISU registration', hr: 'prijava ISU brojeva' }
const API_KEYS = { en: 'API keys', hr: 'API ključevi' }
const FURTHER = [ISU_NUMBERS, ISU_REGISTRATION, API_KEYS] as const

/** Devices per query. */
const BATCH = 200

/** Whether everything that a sale needs exists: a company, a device, its ISU number, an API key for its firmware. */
export function setupChecks(
  store: Pick<StoreTransaction, 'apiKeys' | 'companies' | 'devices' | 'gateways' | 'tenants'>,
): HealthCheck[] {
  return [{ name: { en: 'set-up', hr: 'postavljanje' }, run: examine }]

  async function examine(): Promise<Check[]> {
    const companies = (await store.companies.ours()).filter(({ status }) => status === 'active')
    if (companies.length === 0 && (await store.gateways.count()) > 0) {
      const check = fine(COMPANIES, {
        en: 'none of its own: this server collects what its gateways sell',
        hr: 'nema vlastitih tvrtki: ovaj poslužitelj prikuplja račune svojih pristupnika',
      })
      return [check, ...[DEVICES, ...FURTHER].map((name) => skippedAfter(name, COMPANIES))]
    }
    if (companies.length === 0) {
      const fix = alike('sudo fisk init')
      const check = failure(
        COMPANIES,
        {
          en: 'there is no active company: nothing can be sold',
          hr: 'nema nijedne aktivne tvrtke: prodaja nije moguća',
        },
        fix,
      )
      return [check, ...[DEVICES, ...FURTHER].map((name) => skippedAfter(name, COMPANIES))]
    }
    const devices = await activeDevices(companies)
    const company = fine(COMPANIES, { en: `${companies.length} active`, hr: `aktivnih: ${companies.length}` })
    if (devices.length === 0) {
      const fix = alike('fisk device add --company OIB --premises CODE --label LABEL')
      const check = failure(
        DEVICES,
        {
          en: 'there is no active device: nothing can be sold',
          hr: 'nema nijednog aktivnog uređaja: prodaja nije moguća',
        },
        fix,
      )
      return [company, check, ...FURTHER.map((name) => skippedAfter(name, DEVICES))]
    }
    const keys = await liveKeys()
    return [
      company,
      fine(DEVICES, { en: `${devices.length} active`, hr: `aktivnih: ${devices.length}` }),
      numbersCheck(devices),
      registrationCheck(devices.map(({ device }) => device)),
      keysCheck(devices, keys),
    ]
  }

  async function activeDevices(companies: Company[]): Promise<Owned[]> {
    const found: Owned[] = []
    const byId = new Map(companies.map((company) => [company.id, company]))
    const filter = { tenantId: null, mode: null, companyIds: null, ours: true, status: 'active' } as const
    for (let after: { at: number; id: string } | undefined; ; ) {
      const batch = await store.devices.list(filter, { limit: BATCH, after })
      for (const device of batch) {
        const company = byId.get(device.companyId)
        if (company) found.push({ device, company })
      }
      const last = batch.at(-1)
      if (!last || batch.length < BATCH) return found
      after = { at: last.createdAt, id: last.id }
      await setImmediate()
    }
  }

  async function liveKeys(): Promise<ApiKey[]> {
    const keys: ApiKey[] = []
    for (const { id } of await store.tenants.list()) keys.push(...(await store.apiKeys.list(id)))
    return keys.filter(({ revokedAt, scopes }) => revokedAt === null && scopes.includes('invoices:write'))
  }
}

interface Owned {
  device: Device
  company: Company
}

function numbersCheck(devices: Owned[]): Check {
  const attended = ({ device, company }: Owned) =>
    (device.deviceConfig.sale_type ?? company.fiscalConfig.sale_type) === 'attended'
  const without = devices.filter((owned) => owned.device.isuNumber === null && !attended(owned))
  if (without.length === 0)
    return fine(ISU_NUMBERS, { en: 'every device that needs one has one', hr: 'ima ga svaki uređaj kojem je potreban' })
  const fix = {
    en:
      'register the premises of the device in the portal of the tax authority (ePorezna), which gives the number; ' +
      'then: fisk isu set LABEL NUMBER',
    hr: 'prijavite poslovni prostor uređaja u ePoreznoj, koja dodjeljuje broj; zatim: fisk isu set LABEL ' + 'NUMBER',
  }
  const labels = few(without.map(({ device }) => device.label))
  if (without.length === devices.length) {
    const detail = {
      en: `no device can sell, all lack theirs: ${labels.en}`,
      hr: `prodaja nije moguća ni na jednom uređaju jer nemaju ISU broj: ${labels.hr}`,
    }
    return failure(ISU_NUMBERS, detail, fix)
  }
  const detail = {
    en: `cannot sell for want of theirs: ${labels.en}`,
    hr: `prodaja nije moguća jer nemaju ISU broj: ${labels.hr}`,
  }
  return warning(ISU_NUMBERS, detail, fix)
}

function registrationCheck(devices: Device[]): Check {
  const refused = devices.filter(({ isuStatus }) => isuStatus === 'mismatch')
  if (refused.length === 0)
    return fine(ISU_REGISTRATION, { en: 'CIS has objected to none', hr: 'CIS nije osporio nijedan' })
  const which = refused.map((device) => ({
    en: `${device.label} (premises ${device.premisesCode}, ISU ${device.isuNumber})`,
    hr: `${device.label} (poslovni prostor ${device.premisesCode}, ISU broj ${device.isuNumber})`,
  }))
  const detail = {
    en: `CIS knows other data (codes 182 to 184) of ${few(which).en}`,
    hr: `CIS ima druge podatke (šifre 182 do 184): ${few(which).hr}`,
  }
  return failure(ISU_REGISTRATION, detail, {
    en:
      'compare premises code and ISU number with the portal of the tax authority (ePorezna), correct what is wrong, and ' +
      'enter the right number: fisk isu set LABEL NUMBER; a sale that was refused keeps what it was made with: if the ' +
      'portal was wrong, then: fisk invoice retry --failed --code upstream_rejected',
    hr:
      'usporedite oznaku poslovnog prostora i ISU broj s podacima u ePoreznoj, ispravite što je ' +
      'pogrešno i upišite točan broj: fisk isu set LABEL NUMBER; odbijeni račun zadržava svoje podatke: ' +
      'ako je pogrešna bila prijava u ePoreznoj, zatim: fisk invoice retry --failed --code ' +
      'upstream_rejected',
  })
}

function keysCheck(devices: Owned[], keys: ApiKey[]): Check {
  // A fleet has as many keys as machines, so look up each machine instead of comparing it with all keys.
  const places = new Set(keys.map(({ tenantId, mode, deviceId }) => JSON.stringify([tenantId, mode, deviceId])))
  const hasKey = ({ device, company }: Owned) =>
    [null, device.id].some((id) => places.has(JSON.stringify([device.tenantId, company.mode, id])))
  const without = devices.filter((owned) => !hasKey(owned))
  if (without.length === 0) return fine(API_KEYS, { en: 'there is one for every device', hr: 'ima ga svaki uređaj' })
  const modes = [...new Set(without.map(({ company }) => company.mode))]
  const labels = few(without.map(({ device }) => device.label))
  const fix = alike(modes.map((mode) => `fisk key create --mode ${mode}`).join(', '))
  const detail = {
    en: `no key lets the firmware of these sell: ${labels.en}`,
    hr: `nema ključa s kojim bi mogli prodavati: ${labels.hr}`,
  }
  return warning(API_KEYS, detail, fix)
}
