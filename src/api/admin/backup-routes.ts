import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { DiagnosisView } from '../../contract/admin/diagnosis.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { AdminUseCases } from '../../fiscal/use-cases.ts'

/** Looking after the database: whether it can be trusted, and a copy of it. */
export const backupRoutes: FastifyPluginAsyncTypebox<{ useCases: AdminUseCases }> = async (app, { useCases }) => {
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
