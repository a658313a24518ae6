import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { FiskError, invalidRequest } from '../../domain/errors.ts'
import type { CertificateUpload } from '../../fiscal/certificates.ts'
import { FORMATS } from '../schemas/common.ts'
import type { UseCases } from '../use-cases.ts'
import { certificateView } from '../views/fleet.ts'

/** Certificates (interface.md, POST /v1/certificates). */
export const certificateRoutes: FastifyPluginAsyncTypebox<{ useCases: UseCases }> = async (app, { useCases }) => {
  app.post('/certificates', async (request, reply) => {
    const certificate = await useCases.addCertificate(request.principal, await readUpload(request))
    reply.status(201)
    return certificateView(certificate, useCases.now())
  })
}

async function readUpload(request: FastifyRequest): Promise<CertificateUpload> {
  const fields = new Map<string, string>()
  let file: Buffer | undefined
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file') fields.set(part.fieldname, String(part.value))
      else if (part.fieldname === 'file') file = await part.toBuffer()
      else throw invalidRequest(part.fieldname, `${part.fieldname} is no file of this request`)
    }
  } catch (error) {
    // What the parser says of a missing boundary or of a body that ends too early has no code of its own.
    if (error instanceof FiskError || (error as { code?: unknown }).code !== undefined) throw error
    throw new FiskError('invalid_request', 'the multipart body is malformed', { param: 'body', cause: error })
  }
  for (const name of fields.keys()) {
    if (!['company_id', 'passphrase', 'label'].includes(name)) throw invalidRequest(name, `there is no field ${name}`)
  }
  const companyId = fields.get('company_id')
  const passphrase = fields.get('passphrase')
  const label = fields.get('label') ?? null
  if (companyId === undefined) throw invalidRequest('company_id', 'company_id is required')
  if (!FORMATS.id?.check(companyId)) throw invalidRequest('company_id', 'company_id must be a UUID')
  if (!file) throw invalidRequest('file', 'file is required: the PKCS#12 container')
  if (passphrase === undefined) throw invalidRequest('passphrase', 'passphrase is required')
  if (label !== null && (label.length > 200 || !FORMATS.text?.check(label))) {
    throw invalidRequest('label', 'label must have at most 200 characters, none of them control characters')
  }
  return { companyId: companyId.toLowerCase(), file, passphrase, label }
}
