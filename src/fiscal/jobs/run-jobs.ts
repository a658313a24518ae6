import { isDeepStrictEqual } from 'node:util'
import { conflict, FiskError } from '../../domain/errors.ts'
import type { StatedHours } from '../../domain/hours/hours-text.ts'
import { DAY_MS } from '../../domain/instant.ts'
import { withMember } from '../../domain/sale/config-chain.ts'
import type { Principal } from '../access/principal.ts'
import type { Context } from '../context.ts'
import { askedDevice, commandOf } from '../gateways/asked-device.ts'
import { toldError } from '../gateways/told-error.ts'
import { slicesOf } from '../in-slices.ts'
import type { Lease } from '../lease.ts'
import type { TagUseCases } from '../machines/tags.ts'
import type { GatewayCommand } from '../ports/gateway-commands.ts'
import type { Job, JobKind, JobOutcome, JobRefusal, JobRow } from '../ports/jobs.ts'
import { type Device, LOCAL_GATEWAY } from '../ports/model.ts'
import type { AskedRequest } from '../ports/rows/authority-requests.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { type DeviceChanges, findDevice } from '../registry/devices.ts'
import type { Keep } from '../sales/idempotency.ts'
import { findInvoice } from '../sales/read-invoices.ts'
import { requireUnsent } from '../sales/retry-by-hand.ts'
import type { AdminUseCases, UseCases } from '../use-cases.ts'

export interface RunDeps extends Context {
  /** One process at a time does rows. */
  lease: Lease
  /** Who has asked for it, with the rights of now; undefined for a user who was removed. */
  principalOf(job: Job): Promise<Principal | undefined>
  useCases: Pick<UseCases, 'changeDevice' | 'retry'> & Pick<AdminUseCases, 'printCopy' | 'hours'>
  changeTag: TagUseCases['change']
  sendCommand: AdminUseCases['commands']['sendCommand']
}

/** People can still send commands to a gateway that a job is about. */
const MOST_WAITING = 50
const SLICE = 50
const KEPT_MS = 90 * DAY_MS

/** The row was done by another process meanwhile: what this one did is undone. */
class RowTaken extends Error {}

/**
 * Does the rows of all jobs that can be done now, one after the other. Own rows are done here; for rows of gateways a
 * command is queued, a few at a time, and the row is done when its gateway has answered. Each row is finished in the
 * transaction of its effect, so a pass may end at any line.
 * @returns whether there is more to do later
 */
export async function runJobs(deps: RunDeps, signal: AbortSignal): Promise<boolean> {
  const { store, clock, lease } = deps
  const open = await store.jobs.open()
  if (open.length === 0) {
    await store.transaction((tx) => tx.jobs.removeOne(clock.now() - KEPT_MS))
    return false
  }
  for (const job of open) {
    const asked = await deps.principalOf(job)
    const principal = asked && { ...asked, jobId: job.id }
    await finishAnswered(deps, job)
    await doRows(deps, job, principal, signal)
    if (signal.aborted || !(await lease.hold())) return true
    const { todo, waiting } = await store.jobs.counts(job.id)
    if (todo + waiting === 0) await store.jobs.end(job.id, clock.now())
  }
  return true
}

/** Rows whose gateways have answered. */
async function finishAnswered({ store }: RunDeps, job: Job): Promise<void> {
  for await (const rows of slicesOf(SLICE, () => store.jobs.answered(job.id, SLICE))) {
    const ids = rows.flatMap(({ commandId }) => (commandId === null ? [] : [commandId]))
    const commands = new Map((await store.gatewayCommands.withIds(ids)).map((command) => [command.id, command]))
    for (const row of rows) {
      const command = commands.get(row.commandId ?? '')
      if (command) await store.jobs.move(row, 'waiting', outcomeOf(command))
    }
  }
}

/** What a command has brought about. What the gateway says is not certain to be well-formed. */
function outcomeOf({ type, status, body, result }: GatewayCommand): JobOutcome {
  if (status === 'done' && type === 'device.set_setting' && result?.unchanged === true) return { state: 'unchanged' }
  if (status === 'done' && type === 'hours.set') return outcomeOfHours(result ?? {}, body as unknown as StatedHours)
  const isWell = type !== 'invoice.retry' || result?.status === 'confirmed'
  if (status === 'done' && isWell) return { state: 'done' }
  const { code, message } = toldError(result)
  const reason = status === 'done' ? 'not_confirmed' : code === 'command_unknown' ? code : status
  return refused({ code: 'command', reason, about: null, message })
}

/** @param answer of the tax authority; what a gateway says of it is not certain to be well-formed */
function outcomeOfHours(
  answer: { state?: unknown; code?: unknown; message?: unknown },
  stated: StatedHours,
): JobOutcome {
  const { state, code, message } = answer
  if (state === 'done') return { state: 'done' }
  // The very same hours are there already, and the message had no others.
  const isThere = (code === 's107' || code === 's122') && stated.regular.length + stated.exceptions.length === 1
  if (isThere) return { state: 'unchanged' }
  const about = typeof code === 'string' ? code : null
  return refused({ code: 'hours', reason: 'hours_refused', about, message: String(message ?? '') })
}

async function doRows(deps: RunDeps, job: Job, principal: Principal | undefined, signal: AbortSignal): Promise<void> {
  const { store, lease } = deps
  const full = new Set<string>()
  for await (const rows of slicesOf(SLICE, () => store.jobs.todo(job.id, [...full], SLICE))) {
    for (const row of rows) {
      if (signal.aborted || !(await lease.hold())) return
      const { gatewayId } = row
      if (full.has(gatewayId)) continue
      const isOwn = gatewayId === LOCAL_GATEWAY
      // Others send commands meanwhile, too.
      const queue = isOwn ? [] : await store.gatewayCommands.waiting(gatewayId, MOST_WAITING)
      if (queue.length >= MOST_WAITING) full.add(gatewayId)
      else await doRow(deps, { job, row, queue }, principal, () => full.add(gatewayId))
    }
  }
}

interface Work {
  job: Job
  row: JobRow
  /** The unanswered commands of its gateway. */
  queue: GatewayCommand[]
}

type Does = (deps: RunDeps, work: Work, principal: Principal) => Promise<void>

const DOES: Record<JobKind, Does> = {
  retry: doInvoice,
  copies: doInvoice,
  isu_numbers: doDevice,
  status: doDevice,
  tag: doTag,
  untag: doTag,
  settings: doSetting,
  hours: doHours,
}

async function doRow(deps: RunDeps, work: Work, principal: Principal | undefined, onBusy: () => void): Promise<void> {
  const { job, row } = work
  try {
    if (principal === undefined) throw new FiskError('insufficient_scope', 'the user was removed')
    await DOES[job.kind](deps, work, principal)
  } catch (error) {
    if (error instanceof RowTaken) return
    if (!(error instanceof FiskError) || error.status >= 500) throw error
    // Those that wait for the same are tried later, too.
    if (error.reason === 'gateway_busy' || error.reason === 'authority_silent') return onBusy()
    const { code, reason, about, message } = error
    await deps.store.jobs.move(row, 'todo', refused({ code, reason, about, message }))
  }
}

async function doTag(deps: RunDeps, { job, row }: Work, principal: Principal): Promise<void> {
  const tag = String(job.parameters.tag)
  const change = job.kind === 'tag' ? { add: tag } : { remove: tag }
  const isChanged = await deps.changeTag(principal, row.subjectId, change, done(row))
  if (!isChanged) await leave(deps, row)
}

async function doDevice(deps: RunDeps, { job, row, queue }: Work, principal: Principal): Promise<void> {
  const device = await findDevice(deps.store, principal, row.subjectId)
  const asked = askedDevice(device, queue)
  const changes = wantedChanges(job, row)
  const isSo = (one: Device) =>
    Object.entries(changes).every(([key, value]) => isDeepStrictEqual(one[key as keyof Device], value))
  if (isSo(device) && isSo(asked)) return leave(deps, row)
  if (device.gatewayId === LOCAL_GATEWAY) {
    await deps.useCases.changeDevice(principal, device.id, changes, done(row))
    return
  }
  await deps.sendCommand(principal, device.gatewayId, commandOf(device.id, changes), waits(row))
}

function wantedChanges({ kind, parameters }: Job, { input }: JobRow): DeviceChanges {
  if (kind === 'isu_numbers') return { isuNumber: input }
  return { status: parameters.status as NonNullable<DeviceChanges['status']> }
}

/** One setting, among those that the device has when it is stored. */
async function doSetting(deps: RunDeps, { job, row }: Work, principal: Principal): Promise<void> {
  const device = await findDevice(deps.store, principal, row.subjectId)
  const { parameters } = job
  if (device.gatewayId !== LOCAL_GATEWAY) {
    // The settings known here may be older than those of the gateway, which therefore says whether it was so already.
    const command = { type: 'device.set_setting', body: { device_id: device.id, ...parameters } }
    await deps.sendCommand(principal, device.gatewayId, command, waits(row))
    return
  }
  const change = ({ deviceConfig }: Device) => ({
    deviceConfig: withMember(deviceConfig, String(parameters.setting), parameters.value),
  })
  if (isDeepStrictEqual(change(device).deviceConfig, device.deviceConfig)) return leave(deps, row)
  await deps.useCases.changeDevice(principal, device.id, change, done(row))
}

/** Hours of a premises: what the tax authority has answered is stored with the row, so none is sent twice. */
async function doHours(deps: RunDeps, { job, row }: Work, principal: Principal): Promise<void> {
  const device = await findDevice(deps.store, principal, row.subjectId)
  const stated = JSON.parse(row.input ?? '{}') as StatedHours
  if (device.gatewayId !== LOCAL_GATEWAY) {
    const command = { type: 'hours.set', body: { device_id: device.id, ...stated } }
    await deps.sendCommand(principal, device.gatewayId, command, waits(row))
    return
  }
  const place = { deviceId: device.id }
  const keep: Keep<AskedRequest> = async (tx, asked) => {
    if (asked.state !== 'unknown') await tx.jobs.move(row, 'todo', outcomeOfHours(asked, stated))
  }
  const asked = await deps.useCases.hours.change(principal, place, { set: stated }, keep, `${job.id}/${row.position}`)
  if (asked.state === 'unknown') throw conflict('hours', asked.message ?? '', 'authority_silent')
}

async function doInvoice(deps: RunDeps, { job, row }: Work, principal: Principal): Promise<void> {
  const invoice = await findInvoice(deps.store, principal, row.subjectId)
  const isRetry = job.kind === 'retry'
  if (isRetry && invoice.status === 'confirmed') return leave(deps, row)
  if (isRetry) requireUnsent(invoice)
  if (invoice.gatewayId !== LOCAL_GATEWAY) {
    const type = isRetry ? 'invoice.retry' : 'receipt.copy'
    const command = { type, body: { invoice_id: invoice.id } }
    await deps.sendCommand(principal, row.gatewayId, command, waits(row))
  } else if (isRetry) {
    await deps.useCases.retry(principal, invoice.id, async (tx, { jir, errorMessage }) => {
      const why = { code: 'retry', reason: 'not_confirmed', about: null, message: errorMessage ?? '' }
      // What the tax authority has answered is stored in any case.
      await tx.jobs.move(row, 'todo', jir === null ? refused(why) : { state: 'done' })
    })
  } else {
    await deps.useCases.printCopy(principal, invoice.id, done(row))
  }
}

/** What was asked for was so already. */
async function leave({ store }: RunDeps, row: JobRow): Promise<void> {
  await store.jobs.move(row, 'todo', { state: 'unchanged' })
}

const refused = (refusal: JobRefusal): JobOutcome => ({ state: 'refused', refusal })

const done = (row: JobRow) => (tx: StoreTransaction) => finishRow(tx, row, { state: 'done' })

const waits =
  (row: JobRow): Keep<GatewayCommand> =>
  (tx, { id }) =>
    finishRow(tx, row, { state: 'waiting', commandId: id })

async function finishRow(tx: StoreTransaction, row: JobRow, outcome: JobOutcome): Promise<void> {
  if (!(await tx.jobs.move(row, 'todo', outcome))) throw new RowTaken('another process has done this row')
}
