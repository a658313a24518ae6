import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import type { FastifyRequest, FastifySchema } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { FiskError, invalidRequest } from '../domain/errors.ts'
import { refusalOf } from './validation.ts'

/** What is left of a body must be read, or the next request on its connection waits behind it for ever. */
function readOn(body: IncomingMessage): void {
  body.unpipe()
  body.resume()
}

/** @throws FiskError `invalid_request` naming the part that is missing, unknown or malformed; `file_too_large` */
export async function readUpload<S extends TSchema>(
  request: FastifyRequest,
  form: S,
  fileSize: number,
): Promise<Omit<Static<S>, 'file'> & { file: Buffer }> {
  const hash = createHash('sha256')
  request.raw.on('data', (chunk: Buffer) => hash.update(chunk))
  const parts = new Map<string, string>()
  let file: Buffer | undefined
  try {
    for await (const part of request.parts({ limits: { fileSize } })) {
      if (part.type === 'file') {
        if (part.fieldname !== 'file')
          throw invalidRequest(part.fieldname, `${part.fieldname} is no file of this request`)
        file = await part.toBuffer()
      } else {
        if (part.fieldname === 'file') throw invalidRequest('file', 'file must be sent as a file, with a filename')
        if (part.valueTruncated) throw invalidRequest(part.fieldname, `${part.fieldname} is too long`)
        if (parts.has(part.fieldname)) throw invalidRequest(part.fieldname, `${part.fieldname} is there twice`)
        parts.set(part.fieldname, String(part.value))
      }
    }
    // The parser may have found its end before the body's: the hash is of all of it.
    readOn(request.raw)
    await finished(request.raw, { writable: false })
  } catch (error) {
    readOn(request.raw)
    if ((error as { code?: unknown }).code === 'FST_REQ_FILE_TOO_LARGE') {
      throw new FiskError('file_too_large', `the file is larger than ${fileSize / 1024} KB`, { param: 'file' })
    }
    // What the parser says of a missing boundary or of a body that ends too early has no code of its own.
    if (error instanceof FiskError || (error as { code?: unknown }).code !== undefined) throw error
    throw new FiskError('invalid_request', 'the multipart body is malformed', { param: 'body', cause: error })
  }
  request.bodyHash = hash.digest()
  const fields = { ...Object.fromEntries(parts), ...(file && { file: '' }) }
  const validate = request.compileValidationSchema(form as FastifySchema)
  if (!validate(fields)) throw refusalOf(validate.errors ?? [], 'body')
  return { ...fields, file: file ?? Buffer.alloc(0) } as Omit<Static<S>, 'file'> & { file: Buffer }
}
