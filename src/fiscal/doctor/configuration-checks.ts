import { type Check, fine, warning } from '../../domain/check.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { MODE_HR } from '../../domain/texts/both.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { HealthCheck } from './doctor.ts'

interface Deps {
  store: StoreTransaction
  configuration: { deploymentMode: Mode; unknownVariables: string[] }
}

const NAME = { en: 'configuration', hr: 'konfiguracija' }

export function configurationChecks({ store, configuration }: Deps): HealthCheck[] {
  const { deploymentMode, unknownVariables } = configuration
  return [{ name: NAME, run: async () => [variablesCheck(), await modeCheck()] }]

  function variablesCheck(): Check {
    if (unknownVariables.length === 0)
      return fine(NAME, { en: 'every variable is one of fiskd', hr: 'sve su varijable poznate' })
    const names = unknownVariables.join(', ')
    const detail = {
      en: `no variable of fiskd, without effect: ${names}`,
      hr: `nepoznate varijable, bez učinka: ${names}`,
    }
    return warning(NAME, detail, {
      en: 'correct the spelling, or remove it: man fiskd',
      hr: 'ispravite naziv ili uklonite varijablu: man fiskd',
    })
  }

  async function modeCheck(): Promise<Check> {
    const name = { en: 'deployment mode', hr: 'način rada za nadzor' }
    const companies = (await store.companies.ours()).filter(({ status }) => status === 'active')
    const strangers = companies.length > 0 && companies.every(({ mode }) => mode !== deploymentMode)
    if (!strangers)
      return fine(name, {
        en: `${deploymentMode}, which monitoring asks about`,
        hr: `${MODE_HR[deploymentMode]} rad, što provjerava i nadzor`,
      })
    const other: Mode = deploymentMode === 'test' ? 'live' : 'test'
    const problem = {
      en: `it is ${deploymentMode}, so monitoring asks another service than the one that is sold with (${other})`,
      hr: `postavljen je ${MODE_HR[deploymentMode]} rad, pa nadzor ne provjerava uslugu s kojom se prodaje (${MODE_HR[other]} rad)`,
    }
    return warning(name, problem, {
      en: `set FISKD_DEPLOYMENT_MODE=${other} and restart fiskd`,
      hr: `postavite FISKD_DEPLOYMENT_MODE=${other} i ponovno pokrenite fiskd`,
    })
  }
}
