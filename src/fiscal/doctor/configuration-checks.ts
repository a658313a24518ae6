import { type Check, fine, warning } from '../../domain/check.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { HealthCheck } from './doctor.ts'

interface Deps {
  store: Pick<StoreTransaction, 'companies'>
  configuration: { deploymentMode: Mode; unknownVariables: string[] }
}

/** Whether the environment contains mistakes, such as unknown variables. */
export function configurationChecks({ store, configuration }: Deps): HealthCheck[] {
  const { deploymentMode, unknownVariables } = configuration
  return [{ name: 'configuration', run: async () => [variablesCheck(), await modeCheck()] }]

  function variablesCheck(): Check {
    const name = 'configuration'
    if (unknownVariables.length === 0) return fine(name, 'every variable is one of fiskd')
    const names = unknownVariables.join(', ')
    return warning(
      name,
      `no variable of fiskd, without effect: ${names}`,
      'correct the spelling, or remove it: man fiskd',
    )
  }

  async function modeCheck(): Promise<Check> {
    const name = 'deployment mode'
    const companies = (await store.companies.ours()).filter(({ status }) => status === 'active')
    const strangers = companies.length > 0 && companies.every(({ mode }) => mode !== deploymentMode)
    if (!strangers) return fine(name, `${deploymentMode}, which monitoring asks about`)
    const other: Mode = deploymentMode === 'test' ? 'live' : 'test'
    const problem = `it is ${deploymentMode}, so monitoring asks another service than the one that is sold with (${other})`
    return warning(name, problem, `set FISKD_DEPLOYMENT_MODE=${other} and restart fiskd`)
  }
}
