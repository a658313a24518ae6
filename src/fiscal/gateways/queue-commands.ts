import { companyIdOf } from '../../domain/company-id.ts'
import { conflict, FiskError, notFound, type Reason } from '../../domain/errors.ts'
import { DAY_MS, type EpochMs } from '../../domain/instant.ts'
import type { FiscalErrorCode } from '../../domain/sale/invoice.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, reachesCompany, requireAllCompanies, requireScope } from '../access/principal.ts'
import type { Context } from '../context.ts'
import type { CertificateOpener } from '../ports/certificates.ts'
import type { WatchedClock } from '../ports/clock.ts'
import { COMMANDS, type CommandType, type GatewayCommand } from '../ports/gateway-commands.ts'
import type { GatewayRecord, SealedBoxes } from '../ports/gateways.ts'
import { type Company, type Device, type JsonObject, LOCAL_GATEWAY } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { type CertificateUpload, requireFit } from '../registry/certificates.ts'
import { findCompany } from '../registry/companies.ts'
import { requireSmall } from '../registry/config-limits.ts'
import { deviceChanges } from '../registry/devices.ts'
import { failuresOf } from '../sales/failure-causes.ts'
import type { Keep } from '../sales/idempotency.ts'
import { amongWaiting } from './alike-commands.ts'
import { askedDevice } from './asked-device.ts'
import { findGateway, holdGateway } from './gateways.ts'

/** For commands, which end by a time that is proven. */
export interface CommandContext extends Context {
  clock: WatchedClock
}

export interface GatewayCommandDeps extends CommandContext {
  newUuid: () => string
  /** Wakes a gateway whose poll waits in this process. */
  onCommand: (gatewayId: string) => void
}

export type CertificateToSend = CertificateUpload

export interface SentCommand extends GatewayCommand {
  /** It had been asked for before and waits: nothing was queued. */
  isRepeated: boolean
  /** The ids of commands that it has replaced. */
  replaced: readonly string[]
}

/** A gateway that was away for longer refuses the command. */
const GOOD_FOR_MS = 7 * DAY_MS
/** More commands than an operator would send to a gateway that does not answer. */
const MOST_WAITING = 100

/**
 * Queues a command, which the gateway gets with its next poll; where the same waits already, that one is returned. What
 * was asked for before of the same object, and was not sent yet, is withdrawn.
 * @throws FiskError 404 for an unknown gateway, device, invoice or company there; 409 when it cannot get commands now;
 *   `premises_owned_by_gateway` when another seller holds the premises of a new device
 */
export async function sendCommand(
  deps: GatewayCommandDeps,
  principal: Principal,
  gatewayRef: string,
  { type, body }: { type: Exclude<CommandType, 'certificate.add'>; body: JsonObject },
  keep?: Keep<GatewayCommand>,
): Promise<SentCommand> {
  requireScope(principal, COMMANDS[type].scope)
  if (Object.keys(rowsIn(body)).length === 0) requireAllCompanies(principal)
  const gateway = await findReachable(deps.store, principal, gatewayRef)
  const { device_config, value } = body as Record<string, JsonObject | undefined>
  requireSmall({ device_config, value })
  const company = await requireOfGateway(deps.store, principal, gateway, body)
  if (company && company.status !== 'active' && type === 'device.add') {
    throw conflict('company_id', `${company.name} is ${company.status} on this server: activate it first`)
  }
  const known = company ? { ...body, company_id: companyIdOf(company.oib) } : body
  return add(deps, principal, gateway, { id: deps.newUuid(), type, body: known }, keep)
}

/** Only the gateway can open the certificate. @throws FiskError as `sendCommand`, for the file as `addCertificate` */
export async function sendCertificate(
  deps: GatewayCommandDeps & { opener: CertificateOpener; boxes: SealedBoxes },
  principal: Principal,
  gatewayRef: string,
  { companyId, file, passphrase, label, signal }: CertificateUpload,
  keep?: Keep<GatewayCommand>,
): Promise<SentCommand> {
  requireScope(principal, COMMANDS['certificate.add'].scope)
  const { store, clock, opener, boxes, newUuid } = deps
  const gateway = await findReachable(store, principal, gatewayRef)
  const company = await findCompany(store, principal, companyId)
  requireSetUpFor(gateway, company)
  const opened = await opener.open(file, passphrase, { requestedBy: principal.id, signal })
  opened.privateKey.fill(0)
  requireFit(opened, company, clock.now())
  const id = newUuid()
  const secret = Buffer.from(JSON.stringify({ file: file.toString('base64'), passphrase, label }), 'utf8')
  const box = boxes.seal(gateway.publicKey, secret, sealContext(gateway.id, id))
  secret.fill(0)
  const body = { company_id: companyIdOf(company.oib), sealed: box.toString('base64url') }
  return add(deps, principal, gateway, { id, type: 'certificate.add', body }, keep)
}

/** The sealed certificate opens only for this command of this gateway. */
export const sealContext = (gatewayId: string, commandId: string): string => `certificate.add ${gatewayId} ${commandId}`

async function add(
  { store, clock, onCommand }: GatewayCommandDeps,
  principal: Principal,
  found: GatewayRecord,
  wanted: WantedCommand,
  keep: Keep<GatewayCommand> | undefined,
): Promise<SentCommand> {
  const command = await store.transaction(async (tx) => {
    const queued = await queue(tx, clock, principal, found, wanted)
    const { isRepeated: _repeated, replaced: _replaced, ...stored } = queued
    await keep?.(tx, stored)
    return queued
  })
  if (!command.isRepeated) onCommand(found.id)
  return command
}

type WantedCommand = Pick<GatewayCommand, 'id' | 'type' | 'body'>

/** Queues a command in a transaction that may do more. @throws FiskError 409 before anything is written */
export async function queue(
  tx: StoreTransaction,
  clock: WatchedClock,
  principal: Principal,
  found: GatewayRecord,
  { id, type, body }: WantedCommand,
): Promise<SentCommand> {
  const gateway = requireReachable(
    await holdGateway(tx, found, ...(type === 'device.add' ? (['premises'] as const) : [])),
  )
  await tx.gatewayCommands.expire(clock.proven())
  const waiting = await tx.gatewayCommands.waiting(gateway.id, MOST_WAITING)
  const { same, replaced } = amongWaiting(waiting, { type, body })
  if (same) return { ...same, isRepeated: true, replaced: [] }
  if (waiting.length - replaced.length >= MOST_WAITING) {
    const message = `${MOST_WAITING} commands wait for ${gateway.name} already: it has to take them first`
    throw conflict('gateway', message, 'gateway_busy')
  }
  const issuedAt = clock.now()
  if (type === 'device.add') await claimPremises(tx, gateway, body, issuedAt)
  const stored = await tx.gatewayCommands.add({
    id,
    gatewayId: gateway.id,
    type,
    body,
    issuedBy: principal.id,
    issuedAt,
    expiresAt: issuedAt + GOOD_FOR_MS,
  })
  const withdrawn = replaced.map((one) => one.id)
  await tx.gatewayCommands.withdraw(withdrawn, id)
  const about = { gateway: gateway.name, gateway_id: gateway.id, id, number: stored.number, type }
  const instead = withdrawn.length > 0 ? { replaced: withdrawn } : {}
  const subject = await subjectOf(tx, stored)
  await audit(tx, principal, issuedAt, 'gateway.commanded', { ...about, ...subject, ...instead })
  return { ...stored, isRepeated: false, replaced: withdrawn }
}

/** The ids of the objects in a command, and what changes of a device, as this database knows it. */
async function subjectOf({ devices }: Pick<StoreTransaction, 'devices'>, command: GatewayCommand): Promise<JsonObject> {
  const { device_id, invoice_id, company_id, premises_code, code, status, id: key_id } = command.body
  const device = typeof device_id === 'string' ? await devices.get(device_id) : undefined
  const known = device && { label: device.label, changed: deviceChanges(device, askedDevice(device, [command])) }
  const ids = { device_id, invoice_id, company_id: company_id ?? device?.companyId, premises_code, code, key_id }
  const named = Object.entries({ ...ids, ...(device ? known : { status }) })
  return Object.fromEntries(named.filter(([, value]) => value !== undefined)) as JsonObject
}

/** Claims the premises before the gateway sells there: two sellers at one premises would give out the same number. */
async function claimPremises(
  tx: Pick<StoreTransaction, 'companies' | 'gateways'>,
  gateway: GatewayRecord,
  body: JsonObject,
  at: EpochMs,
) {
  const companyId = await tx.companies.idWithin(gateway.tenantId, String(body.company_id))
  const premises = { companyId, premisesCode: String(body.premises_code) }
  const holders = await tx.gateways.claims.holders([premises], gateway.tenantId)
  const other = holders.find(({ gatewayId }) => gatewayId !== gateway.id)
  if (other) {
    const who = other.gatewayId === LOCAL_GATEWAY ? 'this server' : (await tx.gateways.get(other.gatewayId))?.name
    const message = `the receipts of premises ${premises.premisesCode} are numbered by ${who ?? 'another gateway'}`
    throw new FiskError('premises_owned_by_gateway', message, { param: 'premises_code' })
  }
  await tx.gateways.claims.add([premises], gateway.id, at)
}

/** The rows that a command is about; without any it is about the whole gateway. */
function rowsIn({ device_id, invoice_id, company_id }: JsonObject) {
  const named = Object.entries({ device_id, invoice_id, company_id })
  return Object.fromEntries(named.filter(([, value]) => typeof value === 'string'))
}

/** @returns the named company; gateways use the id derived from its OIB */
async function requireOfGateway(
  store: Pick<StoreTransaction, 'companies' | 'devices' | 'invoices'>,
  principal: Principal,
  gateway: GatewayRecord,
  body: JsonObject,
): Promise<Company | undefined> {
  const { device_id: deviceId, invoice_id: invoiceId, company_id: companyId } = rowsIn(body)
  const isTold = (row: Pick<Device, 'tenantId' | 'companyId' | 'gatewayId'> | undefined) =>
    row?.tenantId === principal.tenantId && row.gatewayId === gateway.id && reachesCompany(principal, row.companyId)
  if (typeof deviceId === 'string' && !isTold(await store.devices.get(deviceId))) {
    throw notFound('device_id', `${gateway.name} has told of no such device`)
  }
  if (typeof invoiceId === 'string' && !isTold(await store.invoices.get(invoiceId))) {
    throw notFound('invoice_id', `${gateway.name} has told of no such invoice`)
  }
  if (typeof companyId !== 'string') return undefined
  const company = await findCompany(store, principal, companyId)
  requireSetUpFor(gateway, company)
  return company
}

/** @throws FiskError 409 for a company that the gateway may not sell for */
function requireSetUpFor({ name, companies }: GatewayRecord, { oib }: Company): void {
  if (companies === null || companies.includes(oib)) return
  throw conflict('company_id', `${name} is not set up to sell for this company: see fisk gateway set`)
}

type ReachableGateway = GatewayRecord & { publicKey: string }

/** Finds a gateway by name or id. @throws FiskError 404 for another tenant's, 409 for one that is not enrolled */
async function findReachable(
  store: Pick<StoreTransaction, 'gateways'>,
  principal: Principal,
  ref: string,
): Promise<ReachableGateway> {
  return requireReachable(await findGateway(store, principal, ref))
}

/** @throws FiskError 409 for one that fetches no commands: it was revoked, has left, or is not enrolled yet */
export function requireReachable(gateway: GatewayRecord): ReachableGateway {
  const { publicKey, credentialHash, revokedAt, name } = gateway
  const refuse = (why: string, reason: Reason) => conflict('gateway', `${name} ${why}`, reason)
  if (revokedAt !== null) throw refuse('was revoked: it asks for nothing any more', 'gateway_revoked')
  if (publicKey === null) {
    throw refuse('is not enrolled yet: use its token with fisk sync enroll', 'gateway_not_enrolled')
  }
  if (credentialHash === null) throw refuse('has left this server: it asks for nothing any more', 'gateway_left')
  return { ...gateway, publicKey }
}

/**
 * Lets the gateways requeue their failed invoices with a code, or with any code: only they can send them. Left out are
 * gateways with an unanswered request and those that cannot get commands. A gateway requeues for all its companies, so
 * a limited principal asks none.
 * @returns how many gateways will requeue with their next poll @throws FiskError `insufficient_scope`
 */
export async function requeueFailed(
  deps: GatewayCommandDeps,
  principal: Principal,
  code?: FiscalErrorCode,
): Promise<number> {
  if (principal.companyIds !== null) return 0
  const asked = new Set<string>()
  for (const cause of await failuresOf(deps.store, principal)) {
    if (cause.code === null || (code !== undefined && cause.code !== code)) continue
    for (const gatewayId of cause.gatewayIds) {
      const command = { type: 'invoices.requeue', body: { code: cause.code } } as const
      await sendCommand(deps, principal, gatewayId, command).then(
        () => asked.add(gatewayId),
        (error: unknown) => {
          if (!(error instanceof FiskError) || error.status !== 409) throw error
        },
      )
    }
  }
  return asked.size
}
