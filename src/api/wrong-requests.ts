import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type FiskError, invalidRequest } from '../domain/errors.ts'

/** Other addresses, such as pages and `/sync/v1`, have bodies and parameters of their own. */
const isApi = (url = '') => /^\/(v1|admin)\/|^\/ca\.pem$/.test(url)

/** Bodies that no parser of the route reads: compressed ones, forms where JSON belongs, and JSON where a form belongs. */
export function refuseWrongBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, _payload, done) => done(wrongBody(request)))
}

function wrongBody(request: FastifyRequest): FiskError | null {
  const { 'content-encoding': encoding = '', 'content-type': type = '' } = request.headers
  if (request.is404) return null
  const { url, config } = request.routeOptions
  if (isApi(url) && !/^(identity)?$/i.test(encoding)) {
    const name = encoding.slice(0, 20)
    return invalidRequest('Content-Encoding', `send the body as it is: fiskd reads none that is compressed (${name})`)
  }
  const isForm = /^multipart\//i.test(type)
  // Pages (`true`) read forms of any kind.
  const isWrong = config.form ? config.form !== true && type !== '' && !isForm : isForm
  return isWrong ? wrongType(request) : null
}

/** What to send instead of a body of this type, or of none. */
export function wrongType({ routeOptions: { url, schema, config } }: FastifyRequest): FiskError {
  const advice = config.form
    ? 'send multipart/form-data, with the file as its part `file`'
    : url?.startsWith('/v1/') && !schema?.body
      ? 'send no body and no Content-Type'
      : 'send application/json'
  return invalidRequest('Content-Type', advice)
}

/** `?dry_run=true` beside a form would be taken for a dry run. Probes add their own to the health routes. */
export function refuseUnknownParameters(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.is404 || !request.url.includes('?')) return done()
    const { url, schema } = request.routeOptions
    const { properties } = (schema?.querystring ?? {}) as { properties?: object }
    const unknown = Object.keys(request.query as object).find((name) => !Object.hasOwn(properties ?? {}, name))
    const isFine = unknown === undefined || !isApi(url) || url?.startsWith('/v1/health')
    done(isFine ? undefined : invalidRequest(unknown, `there is no parameter ${unknown}`))
  })
}

/** Refuses a change of what never changes, and says what to do instead. @throws FiskError `invalid_request` */
export function refuseFields(body: unknown, fields: readonly string[], instead: string): void {
  if (typeof body !== 'object' || body === null) return
  const field = fields.find((name) => Object.hasOwn(body, name))
  if (field !== undefined) throw invalidRequest(field, `${field} cannot be changed: ${instead}`)
}
