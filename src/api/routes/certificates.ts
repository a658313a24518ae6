import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { API_BOUNDS } from '../../contract/v1/bounds.ts'
import { CertificateForm, CertificateList, CertificateSchema, CertificatesQuery } from '../../contract/v1/fleet.ts'
import type { Certificate } from '../../fiscal/ports/model.ts'
import { whileCallerWaits } from '../../fiscal/sales/caller.ts'
import type { UseCases } from '../../fiscal/use-cases.ts'
import { describe } from '../docs/describe.ts'
import { readUpload } from '../multipart.ts'
import { answerOnce } from '../replay-answer.ts'
import { certificateView } from '../views/fleet.ts'
import { wholeList } from '../views/view.ts'

/** Certificates (docs/spec/interface.md, POST and GET /v1/certificates). */
export const certificateRoutes: FastifyPluginAsyncTypebox<{ useCases: UseCases }> = async (app, { useCases }) => {
  app.post('/certificates', {
    schema: describe('uploadCertificate', "Upload a company's certificate", 'certificates', {
      description: 'It takes over from the one in use at once. The key is never returned.',
      response: { 201: CertificateSchema },
    }),
    config: {
      scope: 'certificates:write',
      refusals: [404],
      budget: 'upload',
      form: CertificateForm,
      errors: [
        'hr.certificate_oib_mismatch',
        'certificate_expired',
        'device_owned_by_gateway',
        'mode_mismatch',
        'idempotency_key_reused',
        'file_too_large',
      ],
    },
    handler: async (request, reply) => {
      const upload = await readUpload(request, CertificateForm, API_BOUNDS.certificateFile.most)
      const { company_id, file, passphrase, label } = upload
      const signal = whileCallerWaits(reply.raw)
      return answerOnce(useCases.once, request, reply, {
        status: 201,
        view: (certificate: Certificate) => certificateView(certificate, useCases.now()),
        work: (keep) =>
          useCases.addCertificate(
            request.principal,
            { companyId: company_id.toLowerCase(), file, passphrase, label: label ?? null, signal },
            keep,
          ),
      })
    },
  })

  app.get('/certificates', {
    schema: describe('listCertificates', 'List certificates, the newest first', 'certificates', {
      response: { 200: CertificateList },
      querystring: CertificatesQuery,
    }),
    config: { scope: 'fleet:read' },
    handler: async ({ principal, query }) => {
      const filter = { companyId: query.company_id?.toLowerCase(), status: query.status }
      const now = useCases.now()
      const certificates = await useCases.listCertificates(principal, filter)
      return wholeList(certificates.map((certificate) => certificateView(certificate, now)))
    },
  })
}
