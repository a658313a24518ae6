import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { FiskError, invalidRequest } from '../../domain/errors.ts'
import type { HoursDates } from '../../domain/hours/hours.ts'
import type { StatedHours } from '../../domain/hours/hours-text.ts'
import { type EpochMs, formatInstant, MINUTE_MS } from '../../domain/instant.ts'
import { withMember } from '../../domain/sale/config-chain.ts'
import type { FiscalErrorCode } from '../../domain/sale/invoice.ts'
import { type Principal, type Scope, UNLIMITED } from '../access/principal.ts'
import type { CommandExecutor, CommandExecutors, Execution } from '../ports/command-execution.ts'
import type { SealedBoxes } from '../ports/gateways.ts'
import type { ApiKey, Certificate, Company, Device, Invoice, JsonObject, PrintJob } from '../ports/model.ts'
import type { AskedRequest } from '../ports/rows/authority-requests.ts'
import type { AuthorityAnswer } from '../ports/tax-authority.ts'
import type { CertificateUpload } from '../registry/certificates.ts'
import type { DeviceChanges, NewDevice } from '../registry/devices.ts'
import { type CorrectionBody, correctionIn } from '../requests/correct-invoice.ts'
import type { Keep } from '../sales/idempotency.ts'
import type { AdminUseCases, UseCases } from '../use-cases.ts'
import { changesIn } from './asked-device.ts'
import { sealContext } from './queue-commands.ts'

/** The use cases that a server may have done, already wired: every rule that holds for others holds for it. */
export interface CommandUseCases
  extends Pick<UseCases, 'changeCompany' | 'changeDevice' | 'addDevice' | 'addCertificate' | 'retry'>,
    Pick<AdminUseCases, 'revokeApiKey' | 'printCopy' | 'doctor' | 'hours' | 'corrections'> {
  /** @returns how many are back in the queue */
  requeueFailed(by: Principal, code: FiscalErrorCode): Promise<number>
}

/** How `/v1` shows what a command has brought about. */
export interface CommandViews {
  device(device: Device): object
  certificate(certificate: Certificate, now: EpochMs): object
  request(request: AskedRequest): object
  hours(answer: AuthorityAnswer): object
}

export interface CommandExecutorDeps {
  useCases: CommandUseCases
  views: CommandViews
  boxes: SealedBoxes
  /** The gateway's own X25519 key, PKCS#8 DER. */
  gatewayKey(): Promise<Buffer>
  /** The archive of `fisk support-bundle`. */
  supportBundle(signal: AbortSignal): Promise<Buffer>
  now(): EpochMs
}

const SECOND_MS = 1000

export function createCommandExecutors(deps: CommandExecutorDeps): CommandExecutors {
  const { useCases, views, boxes, gatewayKey, supportBundle, now } = deps
  const changed = (execution: Execution, id: string, changes: DeviceChanges) =>
    keeping(execution, 'fleet:write', views.device, (by, keep) => useCases.changeDevice(by, id, changes, keep))

  /** A message to the tax authority; what that has answered is stored, however long it took. */
  const asking = <T>(view: (result: T) => object, work: (execution: Execution, keep: Keep<T>) => Promise<T>) =>
    within(MINUTE_MS, async (execution) => {
      const keep: Keep<T> = (tx, result) => execution.note(tx, { ...view(result) })
      return { ...view(await work(execution, keep)) }
    })

  return {
    'device.set_isu': quick((execution) => {
      const { device_id, isu_number } = execution.body as { device_id: string; isu_number: string | null }
      return changed(execution, device_id, { isuNumber: isu_number })
    }),

    'device.change': quick((execution) => {
      const { device_id } = execution.body as { device_id: string }
      return changed(execution, device_id, changesIn(execution.body))
    }),

    'device.set_setting': quick((execution) => {
      const { device_id, setting, value } = execution.body as SettingBody
      let unchanged = false
      const change = ({ deviceConfig: present }: Device) => {
        const deviceConfig = withMember(present, setting, value)
        unchanged = isDeepStrictEqual(deviceConfig, present)
        return { deviceConfig }
      }
      const view = (device: Device) => ({ ...views.device(device), unchanged })
      return keeping(execution, 'fleet:write', view, (by, keep) => useCases.changeDevice(by, device_id, change, keep))
    }),

    'device.add': quick((execution) => {
      const { company_id, premises_code, premises_address, label, isu_number, device_config } =
        execution.body as unknown as AddBody
      const device: NewDevice = {
        companyId: company_id,
        premisesCode: premises_code,
        label,
        premisesAddress: premises_address ?? null,
        isuNumber: isu_number ?? null,
        deviceConfig: device_config ?? {},
      }
      return keeping(execution, 'fleet:write', views.device, (by, keep) => useCases.addDevice(by, device, keep))
    }),

    'company.set_status': quick((execution) => {
      const { company_id, status } = execution.body as { company_id: string; status: Company['status'] }
      return keeping(execution, 'fleet:write', statusView, (by, keep) =>
        useCases.changeCompany(by, company_id, { status }, keep),
      )
    }),

    'certificate.add': within(MINUTE_MS, async (execution) => {
      const { company_id: companyId, sealed } = execution.body as { company_id: string; sealed: string }
      const context = sealContext(execution.gatewayId, execution.id)
      const upload = {
        companyId,
        signal: execution.signal,
        ...openUpload(boxes, await gatewayKey(), Buffer.from(sealed, 'base64url'), context),
      }
      const view = (certificate: Certificate) => views.certificate(certificate, now())
      return keeping(execution, 'certificates:write', view, (by, keep) => useCases.addCertificate(by, upload, keep))
    }),

    'api_key.revoke': quick((execution) => {
      const { id } = execution.body as { id: string }
      const view = (key: ApiKey) => ({ id: key.id, name: key.name, revoked_at: formatInstant(key.revokedAt ?? now()) })
      return keeping(execution, 'fleet:write', view, (by, keep) => useCases.revokeApiKey(by, id, keep))
    }),

    'invoice.retry': asking(retriedView, (execution, keep) => {
      const { invoice_id } = execution.body as { invoice_id: string }
      return useCases.retry(actor(execution, 'invoices:write'), invoice_id, keep)
    }),

    'invoices.requeue': within(15 * MINUTE_MS, async (execution) => {
      // Doing it twice does no more than doing it once.
      const { code } = execution.body as { code: FiscalErrorCode }
      return { requeued: await useCases.requeueFailed(actor(execution, 'invoices:write'), code) }
    }),

    'receipt.copy': quick((execution) => {
      const { invoice_id } = execution.body as { invoice_id: string }
      return keeping(execution, 'invoices:write', copyView, (by, keep) => useCases.printCopy(by, invoice_id, keep))
    }),

    'invoice.correct': asking(views.request, (execution, keep) => {
      const { invoice_id, ...changes } = execution.body as unknown as CorrectionBody & { invoice_id: string }
      return useCases.corrections.correct(actor(execution, 'invoices:write'), invoice_id, correctionIn(changes), keep)
    }),

    'hours.show': within(MINUTE_MS, async (execution) => {
      const { device_id: deviceId } = execution.body as { device_id: string }
      return { ...views.hours(await useCases.hours.show(actor(execution, 'fleet:read'), { deviceId })) }
    }),

    'hours.set': asking(views.request, (execution, keep) => {
      const { device_id: deviceId, ...stated } = execution.body as unknown as StatedHours & { device_id: string }
      return useCases.hours.change(actor(execution, 'fleet:write'), { deviceId }, { set: stated }, keep)
    }),

    'hours.remove': asking(views.request, (execution, keep) => {
      const { device_id: deviceId, ...dates } = execution.body as unknown as HoursDates & { device_id: string }
      return useCases.hours.change(actor(execution, 'fleet:write'), { deviceId }, { remove: dates }, keep)
    }),

    doctor: within(15 * MINUTE_MS, async () => ({ ...(await useCases.doctor()) })),
    support_bundle: within(20 * MINUTE_MS, async ({ id, attach, signal }) => {
      const bundle = await supportBundle(signal)
      const name = `fiskd-support-${id}.tar.gz`
      await attach(name, bundle, signal)
      return { name, bytes: bundle.length, sha256: createHash('sha256').update(bundle).digest('hex') }
    }),
  }
}

interface SettingBody extends JsonObject {
  device_id: string
  setting: string
  /** Without one the setting is taken out. */
  value?: unknown
}

interface AddBody {
  company_id: string
  premises_code: string
  premises_address?: string | null
  label: string
  isu_number?: string | null
  device_config?: JsonObject
}

/** What only asks the database. */
const quick = (run: CommandExecutor['run']) => within(30 * SECOND_MS, run)

const within = (limitMs: number, run: CommandExecutor['run']): CommandExecutor => ({ limitMs, run })

/** The user who sent it at the server, with what this one command needs and nothing else. */
function actor({ issuedBy, tenantId }: Execution, scope: Scope): Principal {
  return { ...UNLIMITED, id: `server ${issuedBy}`, tenantId, scopes: [scope] }
}

/** Stores the result in the transaction of the effect. */
async function keeping<T>(
  execution: Execution,
  scope: Scope,
  view: (result: T) => object,
  work: (by: Principal, keep: Keep<T>) => Promise<T>,
): Promise<JsonObject> {
  const keep: Keep<T> = (tx, result) => execution.keep(tx, { ...view(result) })
  return { ...view(await work(actor(execution, scope), keep)) }
}

function openUpload(
  boxes: SealedBoxes,
  key: Buffer,
  box: Buffer,
  context: string,
): Omit<CertificateUpload, 'companyId'> {
  try {
    const upload: unknown = JSON.parse(boxes.open(key, box, context).toString('utf8'))
    const { file, passphrase, label } = upload as Record<string, unknown>
    if (typeof file === 'string' && typeof passphrase === 'string' && (label === null || typeof label === 'string')) {
      return { file: Buffer.from(file, 'base64'), passphrase, label }
    }
  } catch (cause) {
    const why = 'what was sealed does not open with the key of this gateway: send the certificate again'
    throw new FiskError('invalid_request', why, { param: 'sealed', cause })
  } finally {
    key.fill(0)
  }
  throw invalidRequest('sealed', 'what was sealed is no certificate with its passphrase')
}

const statusView = ({ oib, status }: Company) => ({ oib, status })

const retriedView = ({ id, status, jir, errorCode, errorMessage }: Invoice) => ({
  invoice_id: id,
  status,
  jir,
  error: errorCode === null ? null : { code: errorCode, message: errorMessage },
})

const copyView = ({ invoiceId, copy, status }: PrintJob) => ({ invoice_id: invoiceId, copy, status })
