import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { type FreshView, TakenOverSchema, type TakenOverView } from '../../contract/admin/replacement.ts'
import { type LeftView, SyncSchema } from '../../contract/admin/sync.ts'
import { Closed } from '../../contract/common.ts'
import { MODES } from '../../domain/sale/sale.ts'
import type { TakenOver } from '../../fiscal/gateways/replacement.ts'
import type { SyncStatus } from '../../fiscal/gateways/sync-status.ts'
import type { Predecessor } from '../../fiscal/ports/central-server.ts'
import type { AdminUseCases } from '../../fiscal/use-cases.ts'
import { inside, view } from '../views/view.ts'
import { ADMIN_BOUNDS } from './bounds.ts'

const Enrolment = Closed({
  url: Type.Optional(
    Type.String({
      maxLength: ADMIN_BOUNDS.serverUrl.most,
      description: 'Address of the server; FISKD_SYNC_URL without it',
    }),
  ),
  token: Type.String({ maxLength: ADMIN_BOUNDS.enrolmentToken.most }),
  ca: Type.Optional(
    Type.String({ maxLength: ADMIN_BOUNDS.serverCa.most, description: 'CA certificates to believe, PEM' }),
  ),
})

const Confirmed = Closed({
  numbers: Type.Array(
    Closed({
      company_id: Type.String({ maxLength: 36 }),
      mode: Type.Enum(MODES),
      premises_code: Type.String({ maxLength: 20 }),
      year: Type.Integer({ minimum: 1970, maximum: 9999 }),
      register: Type.String({ maxLength: 20 }),
      highest: Type.String({ pattern: '^[1-9][0-9]{0,19}$' }),
    }),
    { minItems: 1, maxItems: 100 },
  ),
})

const NumbersLeft = Closed({
  highest: Type.Array(Type.String({ maxLength: ADMIN_BOUNDS.statedNumber.most }), {
    maxItems: ADMIN_BOUNDS.statedNumbers.most,
    description: 'PREMISES@YEAR=NUMBER, as with `fisk restore --highest`',
  }),
  gap: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: ADMIN_BOUNDS.numberGap.most,
      description:
        'Without it: 1000 for each started day since the server last heard the machine before, and 10000 for restores',
    }),
  ),
})

/** How many refusals are listed: more are not readable. */
const REFUSALS = 50

export const adminSyncRoutes: FastifyPluginAsyncTypebox<{ useCases: AdminUseCases }> = async (app, { useCases }) => {
  const { sync } = useCases

  const enrolledOr = async (status: SyncStatus | null) =>
    view(SyncSchema, {
      enrolled: status !== null,
      sync: status && { ...status, gateway: { id: status.gatewayId, name: status.gateway }, tenant: status.tenantId },
      doubtfulNumbers: status ? await sync.doubtfulNumbers() : [],
      refusals: status ? await sync.refusals(REFUSALS) : [],
    })

  app.get('/sync', async () => enrolledOr(await sync.status()))

  app.post('/sync/enroll', { schema: { body: Enrolment } }, async ({ principal, body: { url, token, ca } }) =>
    enrolledOr(await sync.enroll(principal, { url: url ?? null, token, caPem: ca ?? null })),
  )

  app.get('/sync/replacement', async (): Promise<FreshView> => {
    await sync.replacement.requireFresh()
    return { fresh: true }
  })

  app.post('/sync/replacement', { schema: { body: NumbersLeft } }, async ({ principal, body }) =>
    takenOverView(await sync.replacement.takeOver(principal, body)),
  )

  app.post('/sync/now', async () => enrolledOr(await sync.now()))

  app.post('/sync/confirm-numbers', { schema: { body: Confirmed } }, async ({ principal, body }) => {
    return enrolledOr(await sync.confirmNumbers(principal, body.numbers.map(inside)))
  })

  app.post('/sync/leave', async ({ principal }): Promise<LeftView> => sync.leave(principal))
}

const takenOverView = ({ before, devices, numbers, gap, ...taken }: TakenOver): TakenOverView =>
  view(TakenOverSchema, {
    ...taken,
    devices: devices.map((device) => ({ ...device, printer: printerOf(before, device.id) })),
    numbers: numbers.map(({ oib, sequence, seen, reserve, why }) => ({
      ...sequence,
      company: oib,
      seen,
      after: reserve?.last ?? '0',
      why,
    })),
    gap: gap && { ...gap, count: Number(gap.count) },
    lastSeenAt: before?.lastSeenAt ?? null,
  })

function printerOf(before: Predecessor | null, id: string) {
  const printer = before?.printers.find(({ deviceId }) => deviceId === id)
  return printer
    ? { ...printer, settings: Object.fromEntries(Object.entries(printer.settings).filter(isSimple)) }
    : null
}

function isSimple(entry: [string, unknown]): entry is [string, string | number] {
  return typeof entry[1] === 'string' || typeof entry[1] === 'number'
}
