import { type Check, warning } from '../../domain/check.ts'
import { settingFaults, unreadSettings } from '../../domain/sale/configured-values.ts'
import { commandFor, shellWord } from '../../domain/shell-word.ts'
import { alike, type Both, together } from '../../domain/texts/both.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { ReceiptLinks } from '../receipt-links/links.ts'
import { ownMachines } from '../registry/active-devices.ts'
import { type Blocker, forTenant } from './blockers/blocker.ts'
import { few, type HealthCheck, orFine } from './doctor.ts'

const SETTINGS = { en: 'settings of sales', hr: 'postavke prodaje' }

export function settingChecks(store: StoreTransaction, links: ReceiptLinks): HealthCheck[] {
  return [{ name: SETTINGS, run: () => examine(store, links) }]
}

/** Settings that no sale reads, because their key is spelled nearly like another one. */
export async function misspeltSettings(store: StoreTransaction): Promise<Blocker[]> {
  const found: Blocker[] = []
  for await (const { level, config, name, command } of configurations(store)) {
    for (const { key, near } of unreadSettings(level, config)) {
      const fix = command(` --unset ${shellWord(key)} --config ${near}=VALUE`)
      const problem = `no sale reads this setting: is ${near} meant?`
      // With a count it is no reason why a machine cannot sell.
      if (near) found.push({ cause: 'setting_misspelt', count: 1, subject: `${name}, ${key}`, problem, fix })
    }
  }
  return found
}

async function examine(store: StoreTransaction, links: ReceiptLinks): Promise<Check[]> {
  const checks: Check[] = []
  const isShown = (await links.maker()) !== null
  for await (const { level, config, name, command } of configurations(store)) {
    const faults = settingFaults(level, config).map(
      ({ error, isIgnored }) => together`${error.message}: ${isIgnored ? IGNORED : REFUSES}`,
    )
    const unread = unreadSettings(level, config).map(
      ({ key, near }) => together`${NOT_READ} ${level}.${key}${near ? ` (${near}?)` : ''}`,
    )
    const found = [...faults, ...unread]
    const fix = alike(command(' --config KEY=VALUE, --unset KEY'))
    if (!isShown && config.receipt_link === 'on') checks.push(warning(SETTINGS, together`${name}: ${NO_LINKS}`, SHOW))
    if (found.length > 0) checks.push(warning(SETTINGS, together`${name}: ${few(found)}`, fix))
  }
  return orFine(checks, SETTINGS, { en: 'sales read all of them', hr: 'pri prodaji se koriste sve' })
}

const IGNORED: Both = { en: 'it is ignored', hr: 'ne koristi se' }
const REFUSES: Both = { en: 'sales that send none are refused', hr: 'prodaja koja ga ne šalje odbija se' }
const NO_LINKS: Both = {
  en: 'receipt_link is on, and sales get no link: no central server shows their receipts',
  hr: 'receipt_link je uključen, a prodaje nemaju poveznicu: nijedan središnji poslužitelj ne prikazuje račune',
}
const SHOW: Both = {
  en: 'on the central server set FISKD_RECEIPTS_URL and FISKD_RECEIPTS_LISTEN; where there is no server (fisk sync status): --config receipt_link=off',
  hr: 'na središnjem poslužitelju postavite FISKD_RECEIPTS_URL i FISKD_RECEIPTS_LISTEN; ako poslužitelja nema (fisk sync status): --config receipt_link=off',
}
const NOT_READ: Both = { en: 'no sale reads', hr: 'pri prodaji se ne koristi' }

/** Of the active companies and machines, with the command that changes each. */
async function* configurations(store: StoreTransaction) {
  for (const { name, oib, tenantId, status, fiscalConfig: config } of await store.companies.ours()) {
    const command = (options: string) => forTenant(tenantId, `fisk company set ${oib}${options}`)
    if (status === 'active') yield { level: 'fiscal_config' as const, config, name, command }
  }
  for await (const { device } of ownMachines(store)) {
    const { label: name, tenantId, deviceConfig: config } = device
    const command = (options: string) => forTenant(tenantId, commandFor('fisk device set', name, { options }))
    yield { level: 'device_config' as const, config, name, command }
  }
}
