import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { FiskError, invalidRequest } from '../domain/errors.ts'
import { DASHBOARD_BOUNDS } from './bounds.ts'
import { UUID } from './ids.ts'

export interface UploadedFile {
  name: string
  bytes: Buffer
}

const [files, fields] = [DASHBOARD_BOUNDS.uploadFiles.most, DASHBOARD_BOUNDS.uploadTexts.most]
const UPLOAD_LIMITS = { fieldSize: DASHBOARD_BOUNDS.uploadText.most, files, fields, parts: files + fields }

/** Forms of pages: urlencoded, or multipart for files. */
export function parseForms(app: FastifyInstance): void {
  const options = { parseAs: 'string', bodyLimit: DASHBOARD_BOUNDS.form.most } as const
  app.addContentTypeParser('application/x-www-form-urlencoded', options, (_request, body, done) => {
    // Counted before it is taken apart: a hundred thousand empty fields would hold everything up.
    const text = String(body)
    const tooMany = hasMore(text, '&', DASHBOARD_BOUNDS.fields.most - 1)
    if (tooMany) return done(invalidRequest('form', 'the form has too many fields'))
    done(null, collect(new URLSearchParams(text)))
  })
}

function hasMore(text: string, sign: string, most: number): boolean {
  let found = 0
  for (let at = text.indexOf(sign); at !== -1 && found <= most; at = text.indexOf(sign, at + 1)) found++
  return found > most
}

/**
 * What was sent with a POST; texts whose names begin with `_` belong to `page-routes.ts`.
 * @throws FiskError `file_too_large`, `invalid_request`
 */
export async function readSubmission(request: FastifyRequest, fileBytes: number) {
  const files: Record<string, UploadedFile> = {}
  if (!request.isMultipart()) return { fields: (request.body ?? {}) as Record<string, string>, files }
  const fields: [string, string][] = []
  try {
    for await (const part of request.parts({ limits: { fileSize: fileBytes, ...UPLOAD_LIMITS } })) {
      if (part.type === 'file') files[part.fieldname] = { name: part.filename, bytes: await part.toBuffer() }
      else if (part.valueTruncated) throw invalidRequest(part.fieldname, `${part.fieldname} is too long`)
      else fields.push([part.fieldname, String(part.value)])
    }
  } catch (error) {
    request.raw.unpipe()
    request.raw.resume()
    if ((error as { code?: unknown }).code === 'FST_REQ_FILE_TOO_LARGE') {
      throw new FiskError('file_too_large', `the file is larger than ${fileBytes / 1024} KB`, { param: 'file' })
    }
    if (error instanceof FiskError) throw error
    throw new FiskError('invalid_request', 'the form is malformed', { param: 'form', cause: error })
  }
  return { fields: collect(fields), files }
}

/** Several values of one name, such as of check boxes, are one text with commas. */
function collect(pairs: Iterable<[string, string]>): Record<string, string> {
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of pairs) fields[name] = name in fields ? `${fields[name]},${value}` : value
  return fields
}

export function ownFields(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith('_')))
}

export const newFormId = randomUUID

/** @throws FiskError `invalid_request` */
export function requireFormId(fields: Record<string, string>): string {
  const id = fields._form ?? ''
  if (!UUID.test(id)) throw invalidRequest('form', 'the form is not one of these pages: open the page again')
  return id
}

/** Whatever a browser sends because another site made it: pages of ours alone may post. @throws FiskError `csrf_token_invalid` */
export function requireOwnOrigin({ headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site']
  if (site === 'same-origin') return
  const { origin } = headers
  const isOurs = origin === undefined || (URL.canParse(origin) && new URL(origin).host === headers.host)
  // Older browsers, and clients that are no browsers, send no `sec-fetch-site`.
  if (site === undefined && isOurs) return
  throw new FiskError('csrf_token_invalid', 'another site has sent this form', { param: 'Origin' })
}
