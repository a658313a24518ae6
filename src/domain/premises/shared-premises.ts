import { type ConfigLevel, isAttended } from '../sale/config-chain.ts'
import type { Both } from '../texts/both.ts'

/** Self-service machines of one company that have the same premises code. */
export interface SharedPremises {
  premisesCode: string
  labels: string[]
}

/**
 * By law each self-service machine is a premises of its own (NN 89/2025, art. 2/27), with one ISU number from ePorezna:
 * machines that share a code are told of, never refused. Tills of one premises rightly share its code.
 */
export function sharedPremises(
  devices: Iterable<{ label: string; premisesCode: string; deviceConfig: ConfigLevel }>,
  fiscalConfig: ConfigLevel,
): SharedPremises[] {
  const byCode = new Map<string, SharedPremises>()
  for (const { label, premisesCode, deviceConfig } of devices) {
    if (isAttended(deviceConfig, fiscalConfig)) continue
    const premises = byCode.get(premisesCode)
    if (premises) premises.labels.push(label)
    else byCode.set(premisesCode, { premisesCode, labels: [label] })
  }
  for (const { labels } of byCode.values()) labels.sort()
  return [...byCode.values()].filter(({ labels }) => labels.length > 1)
}

const MOST_NAMED = 5

export function sharedPremisesText({ premisesCode, labels }: SharedPremises): Both {
  const named = labels.slice(0, MOST_NAMED).join(', ')
  const more = labels.length - MOST_NAMED
  return {
    en: `${named}${more > 0 ? ` and ${more} more` : ''} have one premises code, ${premisesCode}: by law each self-service machine is a premises of its own, and ePorezna gives one ISU number for each`,
    hr: `${named}${more > 0 ? ` i još ${more}` : ''} imaju istu oznaku poslovnog prostora, ${premisesCode}: po zakonu je svaki samoposlužni uređaj zaseban poslovni prostor, a ePorezna svakom dodjeljuje jedan ISU broj`,
  }
}
