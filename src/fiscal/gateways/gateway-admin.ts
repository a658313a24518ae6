import { companyIdOf } from '../../domain/company-id.ts'
import { conflict, FiskError, notFound } from '../../domain/errors.ts'
import type { JsonObject } from '../../domain/json-object.ts'
import { isOib } from '../../domain/oib.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, requireAllCompanies, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import { ACCEPTED, OUT_OF_REACH } from '../ports/enrolment.ts'
import type { GatewayCommand } from '../ports/gateway-commands.ts'
import type { GatewayRecord } from '../ports/gateways.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'
import type { WiredAll } from '../wired.ts'
import {
  commandsWith,
  findAttachment,
  findCommand,
  latestAbout,
  listCommands,
  ownerOf,
  waitingAt,
} from './command-list.ts'
import { addGateway, findGateway, holdGateway, listGateways, revokeGateway, showGateway } from './gateways.ts'
import { requeueFailed, type SentCommand, sendCertificate } from './queue-commands.ts'

export const GATEWAYS = {
  addGateway,
  setGatewayCompanies,
  listGateways,
  showGateway,
  revokeGateway,
  acceptInvoice,
}
export const GATEWAY_COMMANDS = {
  sendCertificate,
  requeueFailed,
  waitingAt,
  commandsWith,
  latestAbout,
  listCommands,
  findCommand,
  findAttachment,
  ownerOf,
}

export type AdminGateways = WiredAll<typeof GATEWAYS>

export interface AdminCommands extends WiredAll<typeof GATEWAY_COMMANDS> {
  /** @throws FiskError also for an unknown type, and for a body of the wrong shape */
  sendCommand(
    principal: Principal,
    gatewayRef: string,
    command: { type: string; body: JsonObject },
    keep?: Keep<GatewayCommand>,
  ): Promise<SentCommand>
}

/** An operator's decision about an invoice that was refused because of its number. */
interface AcceptedInvoice {
  gateway: Pick<GatewayRecord, 'id' | 'name'>
  invoiceId: string
  /** Whether counting continues from its number. */
  follow: boolean
}

/**
 * Accepts an invoice whose number is out of reach. It is stored when its gateway sends it again: within a day, or at
 * once with `fisk sync now` there. A later call replaces the decision.
 * @throws FiskError 404 when no such invoice of the gateway was refused, 409 when it was refused for another reason
 */
async function acceptInvoice(
  { store, clock }: Context,
  principal: Principal,
  ref: string,
  { invoiceId, follow }: { invoiceId: string; follow: boolean },
  keep?: Keep<AcceptedInvoice>,
): Promise<AcceptedInvoice> {
  requireScope(principal, 'fleet:write')
  requireAllCompanies(principal)
  return keeping(store, keep, async (tx) => {
    const gateway = await findGateway(tx, principal, ref)
    const [refusal] = await tx.gateways.refusals.ofInvoices(gateway.id, [invoiceId])
    if (!refusal) {
      throw notFound(
        'invoice',
        `${gateway.name} told of no invoice ${invoiceId} that was refused: see fisk gateway show`,
      )
    }
    if (![OUT_OF_REACH, ACCEPTED.aside, ACCEPTED.counted].includes(refusal.code)) {
      throw conflict('invoice', `it was refused for something else than its number: ${refusal.message}`)
    }
    const now = clock.now()
    const message = `an operator has accepted it: it is stored when the gateway tells of it again${follow ? ', and counting follows it' : ''}`
    const code = ACCEPTED[follow ? 'counted' : 'aside']
    await tx.gateways.refusals.put(gateway.id, [{ ...refusal, code, message, refusedAt: now }])
    const { id, name } = gateway
    await audit(tx, principal, now, 'gateway.invoice_accepted', { id, name, invoice_id: invoiceId, follow })
    return { gateway: { id, name }, invoiceId, follow }
  })
}

/**
 * Sets the companies of its tenant that a gateway may sell for (OIBs, also of companies not stored yet; null for all).
 * Its premises of other companies become free, and their rows from this gateway are refused from now on.
 * @throws FiskError 404 for an unknown gateway, `hr.invalid_oib`
 */
export async function setGatewayCompanies(
  { store, clock }: Context,
  principal: Principal,
  ref: string,
  companies: readonly string[] | null,
): Promise<GatewayRecord> {
  requireScope(principal, 'fleet:write')
  requireAllCompanies(principal)
  requireOibs(companies)
  const found = await findGateway(store, principal, ref)
  return store.transaction(async (tx) => {
    const gateway = await holdGateway(tx, found, 'premises')
    const now = clock.now()
    await tx.gateways.update(gateway.id, { companies })
    if (companies !== null) {
      const kept: string[] = []
      for (const oib of companies) kept.push(await tx.companies.idWithin(gateway.tenantId, companyIdOf(oib)))
      await tx.gateways.claims.release(gateway.id, now, kept)
    }
    await audit(tx, principal, now, 'gateway.companies_set', { id: gateway.id, name: gateway.name, companies })
    return { ...gateway, companies }
  })
}

/** @throws FiskError `hr.invalid_oib` */
function requireOibs(companies: readonly string[] | null): void {
  const wrong = companies?.find((oib) => !isOib(oib))
  if (wrong === undefined) return
  throw new FiskError('hr.invalid_oib', `${wrong} is not an OIB: 11 digits with a correct check digit`, {
    param: 'companies',
  })
}
