import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { sharedPremises, sharedPremisesText } from '../../domain/premises/shared-premises.ts'
import { isAttended } from '../../domain/sale/config-chain.ts'
import { alike } from '../../domain/texts/both.ts'
import type { ApiKey, Company, Device } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { type Machine, ownMachines } from '../registry/active-devices.ts'
import { few, type HealthCheck, skippedAfter } from './doctor.ts'

const COMPANIES = { en: 'companies', hr: 'tvrtke' }
const DEVICES = { en: 'devices', hr: 'uređaji' }
const ISU_NUMBERS = { en: 'ISU numbers', hr: 'ISU brojevi' }
const ISU_REGISTRATION = { en: 'ISU registration', hr: 'prijava ISU brojeva' }
const PREMISES = { en: 'premises', hr: 'poslovni prostori' }
const API_KEYS = { en: 'API keys', hr: 'API ključevi' }
const FURTHER = [PREMISES, ISU_NUMBERS, ISU_REGISTRATION, API_KEYS] as const

/** Whether everything that a sale needs exists: a company, a device, its ISU number, an API key for its firmware. */
export function setupChecks(store: StoreTransaction, role: 'gateway' | 'server' = 'gateway'): HealthCheck[] {
  return [{ name: { en: 'set-up', hr: 'postavljanje' }, run: examine }]

  async function examine(): Promise<Check[]> {
    const companies = (await store.companies.ours()).filter(({ status }) => status === 'active')
    if (companies.length === 0) {
      const none = {
        en: 'there is no active company: nothing can be sold',
        hr: 'nema nijedne aktivne tvrtke: prodaja nije moguća',
      }
      const collects = {
        en: 'none of its own: this server collects what its gateways sell',
        hr: 'nema vlastitih tvrtki: ovaj poslužitelj prikuplja račune svojih pristupnika',
      }
      const hasGateways = (await store.gateways.count()) > 0
      const waits = {
        en: 'none of its own: this server waits for its first gateway (sudo fisk gateway add NAME)',
        hr: 'nema vlastitih tvrtki: ovaj poslužitelj čeka prvi pristupnik (sudo fisk gateway add NAZIV)',
      }
      const isServer = hasGateways || role === 'server'
      const check = isServer
        ? fine(COMPANIES, hasGateways ? collects : waits)
        : failure(COMPANIES, none, alike('sudo fisk init'))
      return [check, ...[DEVICES, ...FURTHER].map((name) => skippedAfter(name, COMPANIES))]
    }
    const devices: Machine[] = []
    for await (const machine of ownMachines(store)) devices.push(machine)
    const company = fine(COMPANIES, { en: `${companies.length} active`, hr: `aktivnih: ${companies.length}` })
    if (devices.length === 0) {
      const fix = alike('fisk device add --company OIB --premises CODE --label LABEL')
      const none = {
        en: 'there is no active device: nothing can be sold',
        hr: 'nema nijednog aktivnog uređaja: prodaja nije moguća',
      }
      const check = failure(DEVICES, none, fix)
      return [company, check, ...FURTHER.map((name) => skippedAfter(name, DEVICES))]
    }
    const keys = await liveKeys()
    return [
      company,
      fine(DEVICES, { en: `${devices.length} active`, hr: `aktivnih: ${devices.length}` }),
      premisesCheck(companies, devices),
      numbersCheck(devices),
      registrationCheck(devices.map(({ device }) => device)),
      keysCheck(devices, keys),
    ]
  }

  async function liveKeys(): Promise<ApiKey[]> {
    const keys: ApiKey[] = []
    for (const { id } of await store.tenants.list()) keys.push(...(await store.apiKeys.list(id)))
    return keys.filter(({ revokedAt, scopes }) => revokedAt === null && scopes.includes('invoices:write'))
  }
}

function premisesCheck(companies: Company[], devices: Machine[]): Check {
  const shared = companies.flatMap(({ id, fiscalConfig }) => {
    const own = devices.filter(({ company }) => company.id === id).map(({ device }) => device)
    return sharedPremises(own, fiscalConfig)
  })
  if (shared.length === 0)
    return fine(PREMISES, {
      en: 'every self-service machine has one of its own',
      hr: 'svaki samoposlužni uređaj ima svoj',
    })
  return warning(PREMISES, few(shared.map(sharedPremisesText)), {
    en: 'register each machine in ePorezna as a premises of its own, add it with that code (fisk device add) and archive the old one',
    hr: 'prijavite svaki uređaj u ePoreznoj kao zaseban poslovni prostor, dodajte ga s tom oznakom (fisk device add) i arhivirajte stari',
  })
}

function numbersCheck(devices: Machine[]): Check {
  const without = devices.filter(
    ({ device, company }) => device.isuNumber === null && !isAttended(device.deviceConfig, company.fiscalConfig),
  )
  if (without.length === 0)
    return fine(ISU_NUMBERS, { en: 'every device that needs one has one', hr: 'ima ga svaki uređaj kojem je potreban' })
  const fix = {
    en:
      'register the premises of the device in the portal of the tax authority (ePorezna), which gives the number; ' +
      'then: fisk isu set LABEL NUMBER',
    hr: 'prijavite uređaj kao poslovni prostor u ePoreznoj, koja dodjeljuje broj; zatim: fisk isu set LABEL NUMBER',
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

function keysCheck(devices: Machine[], keys: ApiKey[]): Check {
  // A fleet has as many keys as machines, so look up each machine instead of comparing it with all keys.
  const usable = new Set(keys.map(({ tenantId, mode, deviceId }) => JSON.stringify([tenantId, mode, deviceId])))
  const hasKey = ({ device, company }: Machine) =>
    [null, device.id].some((id) => usable.has(JSON.stringify([device.tenantId, company.mode, id])))
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
