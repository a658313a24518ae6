import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { SyncStatus } from '../../fiscal/sync-admin.ts'
import type { AdminUseCases } from '../../fiscal/use-cases.ts'
import { Closed } from '../schemas/common.ts'
import { refusalView, syncView } from './sync-view.ts'

const Enrolment = Closed({
  url: Type.Optional(Type.String({ maxLength: 500, description: 'Address of the server; FISKD_SYNC_URL without it' })),
  token: Type.String({ maxLength: 200 }),
  ca: Type.Optional(Type.String({ maxLength: 100_000, description: 'CA certificates to believe, PEM' })),
})

/** As many as somebody reads. */
const REFUSALS = 50

/** What ties this gateway to a central server. */
export const adminSyncRoutes: FastifyPluginAsyncTypebox<{ useCases: AdminUseCases }> = async (app, { useCases }) => {
  const { sync } = useCases

  async function view(status: SyncStatus | null) {
    if (status === null) return { enrolled: false, sync: null, refusals: [] }
    return { enrolled: true, sync: syncView(status), refusals: (await sync.refusals(REFUSALS)).map(refusalView) }
  }

  app.get('/sync', async () => view(await sync.status()))

  app.post('/sync/enroll', {
    schema: { body: Enrolment },
    handler: async ({ principal, body: { url, token, ca } }) =>
      view(await sync.enroll(principal, { url: url ?? null, token, caPem: ca ?? null })),
  })

  app.post('/sync/now', async ({ principal }) => view(await sync.now(principal)))

  app.post('/sync/leave', async ({ principal }) => sync.leave(principal))
}
