import { companyIdOf } from '../../domain/company-id.ts'
import { FiskError } from '../../domain/errors.ts'
import { type Company, LOCAL_GATEWAY } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { changeCompany } from '../registry/companies.ts'
import type { Wired } from '../wired.ts'
import { type GatewayCommandDeps, queue } from './queue-commands.ts'

type ChangeCompany = Wired<typeof changeCompany>

/**
 * Changes a company, and sends its status to every gateway that sells for it, in one transaction. A gateway that gets no
 * commands, or for which too many wait, is left out: the page of the company names it.
 */
export const changingSellers =
  ({ clock, newUuid, onCommand }: GatewayCommandDeps, change: ChangeCompany): ChangeCompany =>
  async (principal, id, wanted, keep, seen) => {
    const told: string[] = []
    const changed = await change(
      principal,
      id,
      wanted,
      async (tx, company) => {
        const { status } = wanted
        if (status !== undefined) {
          const body = { company_id: companyIdOf(company.oib), status }
          for (const gatewayId of await sellersOf(tx, company)) {
            const seller = await tx.gateways.get(gatewayId)
            if (!seller) continue
            const order = { id: newUuid(), type: 'company.set_status', body } as const
            try {
              await queue(tx, clock, principal, seller, order)
              told.push(gatewayId)
            } catch (error) {
              if (!(error instanceof FiskError)) throw error
            }
          }
        }
        await keep?.(tx, company)
      },
      seen,
    )
    for (const gatewayId of told) onCommand(gatewayId)
    return changed
  }

/** In one order everywhere. */
async function sellersOf({ devices }: Pick<StoreTransaction, 'devices'>, { id }: Company): Promise<string[]> {
  const ids = (await devices.counts(id)).map(({ gatewayId }) => gatewayId)
  return [...new Set(ids)].filter((one) => one !== LOCAL_GATEWAY).sort()
}
