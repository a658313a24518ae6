import { type Check, warning } from '../../domain/check.ts'
import type { ConfigLevel, LevelName } from '../../domain/sale/config-chain.ts'
import { settingFaults, unreadSettings } from '../../domain/sale/configured-values.ts'
import { shellWord } from '../../domain/shell-word.ts'
import { alike, type Both, together } from '../../domain/texts/both.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { ownMachines } from '../registry/active-devices.ts'
import { type Blocker, forTenant } from './blockers/blocker.ts'
import { few, type HealthCheck, orFine } from './doctor.ts'

const SETTINGS = { en: 'settings of sales', hr: 'postavke prodaje' }

/** Whether sales read all that companies and devices are configured with. */
export function settingChecks(store: StoreTransaction): HealthCheck[] {
  return [{ name: SETTINGS, run: () => examine(store) }]
}

/** Settings that no sale reads, because their key is spelled nearly like another one. */
export async function misspeltSettings(store: StoreTransaction, deviceId?: string): Promise<Blocker[]> {
  const found: Blocker[] = []
  for await (const { level, config, name, command, tenantId, id } of configurations(store)) {
    if (deviceId !== undefined && level === 'device_config' && id !== deviceId) continue
    for (const { key, near } of unreadSettings(level, config)) {
      if (near === undefined) continue
      const fix = forTenant(tenantId, `${command} --unset ${shellWord(key)} --config ${near}=VALUE`)
      // With a count it is no reason why one of the machines cannot sell.
      const about = { cause: 'setting_misspelt', count: 1 } as const
      found.push({
        ...about,
        subject: `${name}, ${key}`,
        problem: `no sale reads this setting: is ${near} meant?`,
        fix,
      })
    }
  }
  return found
}

async function examine(store: StoreTransaction): Promise<Check[]> {
  const checks: Check[] = []
  for await (const { level, config, name, command, tenantId } of configurations(store)) {
    const unread = unreadSettings(level, config).map(({ key, near }) => unreadText(`${level}.${key}`, near))
    const faults = settingFaults(level, config).map(
      ({ path, say, isIgnored }) => together`${level}.${path} ${say}: ${isIgnored ? IGNORED : REFUSES}`,
    )
    const found = [...faults, ...unread]
    const fix = alike(forTenant(tenantId, `${command} --config KEY=VALUE, or --unset KEY`))
    if (found.length > 0) checks.push(warning(SETTINGS, together`${name}: ${few(found)}`, fix))
  }
  return orFine(checks, SETTINGS, { en: 'sales read all of them', hr: 'pri prodaji se koriste sve' })
}

const IGNORED: Both = { en: 'it is ignored', hr: 'ne koristi se' }
const REFUSES: Both = { en: 'sales that send none are refused', hr: 'prodaja koja ga ne šalje se odbija' }

const unreadText = (path: string, near: string | undefined): Both =>
  near === undefined
    ? { en: `no sale reads ${path}`, hr: `${path} ne koristi se pri prodaji` }
    : {
        en: `no sale reads ${path}: ${near} is meant?`,
        hr: `${path} ne koristi se pri prodaji: treba li biti ${near}?`,
      }

interface Configuration {
  level: LevelName
  config: ConfigLevel
  /** Of the company or device, and the command that changes it. */
  name: string
  command: string
  tenantId: string
  id: string
}

async function* configurations(store: StoreTransaction): AsyncGenerator<Configuration> {
  for (const { id, name, oib, tenantId, status, fiscalConfig: config } of await store.companies.ours())
    if (status === 'active')
      yield { id, level: 'fiscal_config', config, name, command: `fisk company set ${oib}`, tenantId }
  for await (const { device } of ownMachines(store)) {
    const { id, label: name, tenantId, deviceConfig: config } = device
    yield { id, level: 'device_config', config, name, command: `fisk device set ${shellWord(name)}`, tenantId }
  }
}
