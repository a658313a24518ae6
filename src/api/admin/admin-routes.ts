import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { DiagnosisView } from '../../contract/admin/diagnosis.ts'
import { HealedNumbersSchema, NumberStandingSchema, SkippedNumbersSchema } from '../../contract/admin/numbers.ts'
import { type InvoiceCheckView, RequeuedSchema, SweepSchema } from '../../contract/admin/queue.ts'
import { type MachineAcceptedView, StatusSchema, type StatusView } from '../../contract/admin/status.ts'
import { TrustBundleSchema, TrustChangeSchema, TrustPurpose } from '../../contract/admin/trust.ts'
import { Closed, Id, IdParams, Mode, Text } from '../../contract/common.ts'
import { API_BOUNDS } from '../../contract/v1/bounds.ts'
import { CertificateForm } from '../../contract/v1/fleet.ts'
import { TRUST_LISTS } from '../../domain/certificate.ts'
import { formatInstant } from '../../domain/instant.ts'
import { FISCAL_ERRORS, type FiscalErrorCode } from '../../domain/sale/invoice.ts'
import { numbersLeft } from '../../domain/sale/receipt-number.ts'
import { MODES } from '../../domain/sale/sale.ts'
import type { Principal } from '../../fiscal/access/principal.ts'
import type { AlertUseCases } from '../../fiscal/alerts/alerts.ts'
import type { GatewayStatus } from '../../fiscal/doctor/status.ts'
import type { ListenState } from '../../fiscal/ports/machine.ts'
import type { Sequence } from '../../fiscal/ports/model.ts'
import type { TrustBundle, TrustChange } from '../../fiscal/ports/trust.ts'
import { whileCallerWaits } from '../../fiscal/sales/caller.ts'
import { leftOut } from '../../fiscal/sales/disk-space.ts'
import type { AdminUseCases } from '../../fiscal/use-cases.ts'
import { readUpload } from '../multipart.ts'
import type { CountUpload } from '../rate-limits.ts'
import { certificateView, deviceView } from '../views/fleet.ts'
import { inside, view, wholeList } from '../views/view.ts'
import { accessRoutes } from './access-routes.ts'
import { alertRoutes } from './alert-routes.ts'
import { type AuthorityRequestOffice, authorityRequestRoutes } from './authority-request-routes.ts'
import { ADMIN_BOUNDS } from './bounds.ts'
import { type ClosingRoutesOptions, closingRoutes } from './closing-routes.ts'
import { commandRoutes } from './command-routes.ts'
import { gatewayRoutes } from './gateway-routes.ts'
import { printerRoutes } from './printer-routes.ts'
import { adminSyncRoutes } from './sync-routes.ts'

const TrustBody = Closed({
  mode: Mode,
  for: TrustPurpose,
  certificates: Type.String({
    description: 'A PEM or DER file with CA certificates, revocation lists or both, base64',
  }),
})

export interface AdminOptions {
  useCases: AdminUseCases
  office: ClosingRoutesOptions['office'] & { alerts: AlertUseCases } & AuthorityRequestOffice
  facts: ProgramFacts
  /** The principal of a caller of the admin socket. */
  identify: (request: FastifyRequest) => Promise<Principal>
  countUpload: CountUpload
}

/** What the technician's command needs beyond `/v1`; served on the admin socket only. */
export const adminRoutes: FastifyPluginAsyncTypebox<AdminOptions> = async (
  app,
  { useCases, office, facts, identify, countUpload },
) => {
  app.addHook('onRequest', async (request, reply) => {
    request.principal = await identify(request)
    if (request.routeOptions.config.budget === 'upload') countUpload(request.principal.id, reply)
  })
  await app.register(accessRoutes, { useCases })
  await app.register(backupRoutes, { useCases })
  await app.register(queueRoutes, { useCases })
  await app.register(numberRoutes, { useCases })
  await app.register(printerRoutes, { useCases })
  await app.register(adminSyncRoutes, { useCases })
  await app.register(gatewayRoutes, { useCases: useCases.gateways })
  await app.register(alertRoutes, { useCases: office.alerts })
  await app.register(closingRoutes, { office, now: facts.now })
  await app.register(authorityRequestRoutes, { useCases, office })
  await app.register(commandRoutes, { useCases: useCases.commands })

  app.get('/status', {
    schema: { querystring: Closed({ device_id: Type.Optional(Id('Whether this device can sell')) }) },
    handler: async ({ principal, query }) =>
      statusView(await useCases.status(principal, query.device_id?.toLowerCase()), facts),
  })

  app.post('/machine/accept', async ({ principal }): Promise<MachineAcceptedView> => {
    return { accepted: await useCases.acceptMachine(principal) }
  })

  app.get('/devices', {
    schema: { querystring: Type.Object({ ref: Type.String() }) },
    handler: async ({ principal, query }) => {
      return wholeList((await useCases.devicesNamed(principal, query.ref)).map(deviceView))
    },
  })

  app.post('/certificates/check', { config: { form: CertificateForm, budget: 'upload' } }, async (request, reply) => {
    const upload = await readUpload(request, CertificateForm, API_BOUNDS.certificateFile.most)
    const wanted = { ...upload, companyId: upload.company_id.toLowerCase(), signal: whileCallerWaits(reply.raw) }
    return { in_use: await useCases.checkCertificate(request.principal, wanted) }
  })

  app.post('/certificates/:id/revoke', { schema: { params: IdParams } }, async ({ principal, params }) =>
    certificateView(await useCases.revokeCertificate(principal, params.id.toLowerCase()), facts.now()),
  )

  app.get('/trust', async () =>
    wholeList(MODES.flatMap((mode) => TRUST_LISTS.map((list) => bundleView(useCases.trust.list(mode, list))))),
  )

  app.post('/trust', {
    bodyLimit: ADMIN_BOUNDS.trust.most,
    schema: { body: TrustBody },
    handler: async ({ principal, body }) => {
      const file = Buffer.from(body.certificates, 'base64')
      return changeView(await useCases.trust.add(principal, body.mode, body.for, file))
    },
  })

  app.post('/trust/remove', {
    schema: { body: Closed({ mode: Mode, for: TrustPurpose, fingerprint: Type.String({ maxLength: 128 }) }) },
    handler: async ({ principal, body }) =>
      bundleView(await useCases.trust.remove(principal, body.mode, body.for, body.fingerprint)),
  })

  app.post('/trust/fetch', { schema: { body: Closed({ mode: Mode }) } }, async ({ principal, body }) =>
    changeView(await useCases.trust.fetch(principal, body.mode)),
  )
}

const backupRoutes: FastifyPluginAsyncTypebox<{ useCases: AdminUseCases }> = async (app, { useCases }) => {
  app.get('/doctor', (): Promise<DiagnosisView> => useCases.doctor())

  app.get('/authority', (): Promise<DiagnosisView> => useCases.authorityCheck())

  app.get('/backup', async ({ principal }, reply) => {
    const { bytes, sha256, invoices, newestInvoiceAt, body } = await useCases.backUp(principal)
    // The caller may be gone: a stream without a reader would stay open.
    if (reply.raw.destroyed) body.destroy()
    reply.headers({
      'content-type': 'application/octet-stream',
      'content-length': bytes,
      'x-sha256': sha256,
      'x-invoices': invoices,
      ...(newestInvoiceAt !== null && { 'x-newest-invoice-at': formatInstant(newestInvoiceAt) }),
    })
    return reply.send(body)
  })
}

const RequeueBody = Closed({
  code: Type.Optional(Type.Enum(Object.keys(FISCAL_ERRORS) as FiscalErrorCode[])),
})

/** What waits for its JIR: putting failed invoices back, and how the sweep gets on; what the authority finds in a sale. */
const queueRoutes: FastifyPluginAsyncTypebox<{ useCases: AdminUseCases }> = async (app, { useCases }) => {
  app.post('/invoices/requeue', { schema: { body: RequeueBody } }, async ({ principal, body }) => {
    const requeued = await useCases.requeueFailed(principal, body.code)
    return view(RequeuedSchema, { ...requeued, ...(await useCases.sweepState()) })
  })

  app.post('/invoices/:id/check', {
    schema: { params: IdParams },
    handler: async ({ principal, params }): Promise<InvoiceCheckView> => {
      const { invoiceId, ours, theirs, isAlike, problem } = await useCases.checkInvoice(principal, params.id)
      const proof = { problem: problem?.message ?? null, claimed: problem?.hearsay ?? [] }
      return { invoice: invoiceId, ours, authority: theirs, agree: isAlike, ...proof }
    },
  })

  app.get('/sweep', async () => view(SweepSchema, await useCases.sweepState()))
}

const SequencesBody = Closed({
  company_id: Id('Whose premises it is'),
  premises_code: Text(1, 20, 'As the tax authority knows the premises'),
  mode: Type.Optional(Mode),
  year: Type.Optional(Type.Integer({ minimum: 2000, maximum: 9999 })),
  register: Type.Optional(Type.String({ maxLength: 20, description: 'Where each register counts for itself' })),
  after: Type.Optional(
    Type.String({ maxLength: 20, description: 'Go on after this number, which names one sequence' }),
  ),
  dry_run: Type.Optional(Type.Boolean({ description: 'Only say what would be done' })),
})

/** How far receipt numbers have got, and the way back for sequences that followed a number too far ahead. */
const numberRoutes: FastifyPluginAsyncTypebox<{ useCases: AdminUseCases }> = async (app, { useCases }) => {
  app.get('/numbers', async ({ principal }) =>
    wholeList(
      (await useCases.listNumbers(principal)).map((one) =>
        view(NumberStandingSchema, { ...within(one), left: String(numbersLeft(one.highest ?? '0')) }),
      ),
    ),
  )

  app.post('/numbers/heal', { schema: { body: SequencesBody } }, async ({ principal, body }) => {
    const order = orderOf(body)
    const healed = await useCases.healNumbers(principal, order)
    return view(HealedNumbersSchema, { ...order, healed: healed.map(within) })
  })

  app.post('/numbers/skip-lost', { schema: { body: SequencesBody } }, async ({ principal, body }) => {
    const order = orderOf(body)
    const skipped = await useCases.skipLostNumbers(principal, order)
    return view(SkippedNumbersSchema, {
      ...order,
      skipped: skipped.map((one) => ({ ...within(one), lost: one.sales })),
    })
  })
}

function orderOf(body: Static<typeof SequencesBody>) {
  const order = inside({ mode: null, year: null, register: null, after: null, dry_run: false, ...body })
  return { ...order, companyId: order.companyId.toLowerCase() }
}

/** The register is null where a premises has one sequence. */
const within = <T extends { sequence: Sequence }>({ sequence, ...rest }: T) => ({
  ...rest,
  ...sequence,
  register: sequence.register || null,
})

const bundleView = (bundle: TrustBundle) => view(TrustBundleSchema, bundle)

const changeView = ({ added, ...bundle }: TrustChange) =>
  view(TrustChangeSchema, { ...bundle, added: added.certificates, addedRevocationLists: added.revocationLists })

interface ProgramFacts {
  version: string
  role: string
  /** Milliseconds since its start, whatever was done to the clock. */
  uptimeMs(): number
  now(): number
  /** What clients pin; null where the operator has brought a certificate. @throws where it cannot be read */
  ca(): Promise<{ file: string; sha256: string } | null>
  /** Where callers are meant to reach it. */
  listened(): ListenState[]
}

async function statusView(status: GatewayStatus, facts: ProgramFacts): Promise<StatusView> {
  const { companies, devices, queue, oldestAt, legalDeadlineAt, cis, disk, printers, processes } = status
  const now = facts.now()
  return view(StatusSchema, {
    ...status,
    version: facts.version,
    role: facts.role,
    listen: facts.listened(),
    // A CA that cannot be read is for the doctor to tell: what else is known stays worth knowing.
    ca: await facts.ca().catch(() => null),
    uptimeS: Math.floor(facts.uptimeMs() / 1000),
    checkedAt: now,
    companies: companies.map(({ company, certificate }) => ({
      ...company,
      certificateStatus: certificate.status,
      certificateDaysLeft: certificate.daysLeft,
    })),
    devices: { ...devices, ableToSell: devices.able },
    queue: { ...queue, oldestAt, legalDeadlineAt },
    cis: cis && { ...cis, ageS: Math.max(0, Math.floor((now - cis.checkedAt) / 1000)) },
    disk: { freeBytes: disk.freeBytes, leftOut: leftOut(disk.room), writeMs: status.diskWriteMs },
    printers: printers.map(({ device, condition }) => ({ device, ...condition })),
    backup: { lastAt: status.lastBackupAt, elsewhere: status.backedUpElsewhere },
    processes: processes.map((one) => ({ ...one, thisOne: one.isThisOne })),
  })
}
