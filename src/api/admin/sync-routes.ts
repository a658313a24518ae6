import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { FreshView } from '../../contract/admin/replacement.ts'
import type { LeftView, SyncView } from '../../contract/admin/sync.ts'
import { Closed } from '../../contract/common.ts'
import { MODES } from '../../domain/sale/sale.ts'
import type { SyncStatus } from '../../fiscal/gateways/sync-status.ts'
import type { AdminUseCases } from '../../fiscal/use-cases.ts'
import { ADMIN_BOUNDS } from './bounds.ts'
import { takenOverView } from './replacement-view.ts'
import { doubtfulView, enrolledView, refusalView } from './sync-view.ts'

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

/** What ties this gateway to a central server. */
export const adminSyncRoutes: FastifyPluginAsyncTypebox<{ useCases: AdminUseCases }> = async (app, { useCases }) => {
  const { sync } = useCases

  async function view(status: SyncStatus | null): Promise<SyncView> {
    if (status === null) return { enrolled: false, sync: null, doubtful_numbers: [], refusals: [] }
    return {
      enrolled: true,
      sync: enrolledView(status),
      doubtful_numbers: (await sync.doubtfulNumbers()).map(doubtfulView),
      refusals: (await sync.refusals(REFUSALS)).map(refusalView),
    }
  }

  app.get('/sync', async () => view(await sync.status()))

  app.post('/sync/enroll', {
    schema: { body: Enrolment },
    handler: async ({ principal, body: { url, token, ca } }) =>
      view(await sync.enroll(principal, { url: url ?? null, token, caPem: ca ?? null })),
  })

  app.get('/sync/replacement', async (): Promise<FreshView> => {
    await sync.replacement.requireFresh()
    return { fresh: true }
  })

  app.post('/sync/replacement', {
    schema: { body: NumbersLeft },
    handler: async ({ principal, body }) => takenOverView(await sync.replacement.takeOver(principal, body)),
  })

  app.post('/sync/now', async ({ principal }) => view(await sync.now(principal)))

  app.post('/sync/confirm-numbers', {
    schema: { body: Confirmed },
    handler: async ({ principal, body }) => {
      const numbers = body.numbers.map(({ company_id, premises_code, ...rest }) => ({
        companyId: company_id,
        premisesCode: premises_code,
        ...rest,
      }))
      return view(await sync.confirmNumbers(principal, numbers))
    },
  })

  app.post('/sync/leave', async ({ principal }): Promise<LeftView> => sync.leave(principal))
}
