import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidRequest } from '../domain/errors.ts'

/** What a request is, who sends it and whether it is a repetition: two lines would say two things. */
const ONE_LINE = {
  'idempotency-key': 'Idempotency-Key',
  'content-type': 'Content-Type',
  'x-include-messages': 'X-Include-Messages',
}

/**
 * Node joins the lines of one header, or keeps the first, by its name: `Idempotency-Key: K` twice would be the key `K, K`,
 * another one, and the sale a second one. More than one line of a header that decides about the request is refused, an
 * empty one too; of any other header the first line counts. A wrong caller is refused before a wrong request.
 */
export function refuseRepeatedHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const repeated = linesOfRepeated(request)
    if (repeated.authorization) return done(refusal('Authorization'))
    for (const [name, lines] of Object.entries(repeated)) request.raw.headers[name] = lines?.[0]
    done()
  })
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const repeated = linesOfRepeated(request)
    const header = Object.entries(ONE_LINE).find(([name]) => repeated[name])
    done(header && refusal(header[1]))
  })
}

function linesOfRepeated({ raw }: FastifyRequest): NodeJS.Dict<string[]> {
  const { rawHeaders, headers } = raw
  // A line of each: nearly every request.
  if (rawHeaders.length === 2 * Object.keys(headers).length) return {}
  const lines = Object.entries(raw.headersDistinct).filter(([, values]) => (values?.length ?? 0) > 1)
  return Object.fromEntries(lines)
}

const refusal = (header: string) => invalidRequest(header, `send one ${header} header: this request has more than one`)
