import { type Check, warning } from '../../domain/check.ts'
import { type FindingCode, type FindingSubject, subjectOf } from '../../domain/sale/findings.ts'
import { HOURS_LATE_FIX, hoursLateText } from '../../domain/sale/slipped-hours.ts'
import { alike, type Both, together } from '../../domain/texts/both.ts'
import { findingText } from '../../domain/texts/finding-texts.ts'
import type { Company } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { ownMachines } from '../registry/active-devices.ts'
import { recentFindings } from '../sales/recent-findings.ts'
import { few, type HealthCheck, orFine } from './doctor.ts'

const FINDINGS = { en: 'findings', hr: 'nalazi' }

/** What the tax authority would find in the latest sales of each machine (docs/spec/cis.md, Findings). */
export function findingChecks(store: StoreTransaction): HealthCheck[] {
  return [{ name: FINDINGS, run: () => examine(store) }]
}

async function examine(store: StoreTransaction): Promise<Check[]> {
  const found = new Map<FindingCode, string[]>()
  const overtaxing = new Set<Company>()
  const late = new Map<number, string[]>()
  for await (const machine of ownMachines(store)) {
    const { sales, counts, overtaxed, hoursLate } = await recentFindings(store, machine)
    for (const [code, count] of counts) {
      found.set(code, [...(found.get(code) ?? []), `${machine.device.label} (${count}/${sales})`])
    }
    if (overtaxed > 0) overtaxing.add(machine.company)
    if (hoursLate > 0) late.set(hoursLate, [...(late.get(hoursLate) ?? []), machine.device.label])
  }
  const checks = [...found].sort().map(([code, machines]) => findingCheck(code, machines))
  checks.push(...[...overtaxing].map(vatBaseCheck))
  for (const [hours, labels] of late)
    checks.push(warning(FINDINGS, together`${few(labels)}: ${hoursLateText(hours)}`, HOURS_LATE_FIX))
  return orFine(checks, FINDINGS, {
    en: 'none in the latest sales of any device',
    hr: 'nema ih u posljednjim računima uređaja',
  })
}

/** @param machines each with how many of how many sales have it */
function findingCheck(code: FindingCode, machines: string[]): Check {
  const where = { en: 'in the latest sales of', hr: 'u posljednjim računima, uređaj' }
  return warning(FINDINGS, together`${code} ${where} ${few(machines)}: ${findingText(code)}`, FIXES[subjectOf(code)])
}

const FIXES: Record<FindingSubject, Both> = {
  content: {
    en: 'see one with fisk invoice show ID; correct what the firmware sends or what is configured (docs/firmware.md, Findings)',
    hr: 'pogledajte jedan: fisk invoice show ID; ispravite ono što šalje firmware ili što je postavljeno (docs/firmware.md, Findings)',
  },
  clock: {
    en: 'check the clocks of the machine and of this computer',
    hr: 'provjerite sat uređaja i sat ovog računala',
  },
  delay: {
    en: 'nothing is to be corrected in them; see why one was late: fisk invoice show ID',
    hr: 'na njima nema što ispravljati; pogledajte zašto je jedan kasnio: fisk invoice show ID',
  },
}

function vatBaseCheck({ name, oib }: Company): Check {
  return warning(
    FINDINGS,
    {
      en: `${name} sells with fees or other amounts without VAT, and its VAT is taken out of the whole total: default_vat_base is not "taxable"`,
      hr: `${name} prodaje s naknadama ili drugim iznosima bez PDV-a, a PDV se računa od cijelog iznosa: default_vat_base nije "taxable"`,
    },
    alike(`fisk company set ${oib} --config default_vat_base=taxable`),
  )
}
