import type { FastifySchema } from 'fastify'
import type { TSchema } from 'typebox'
import type { ErrorCode } from '../../domain/errors.ts'
import type { Scope } from '../../fiscal/access/principal.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The codes of this route beside those that every route may answer with. */
    errors?: readonly ErrorCode[]
    /** The statuses beside 400 that `invalid_request` comes with: 404, 409. */
    refusals?: readonly number[]
    /** What the key must allow: checked before anything of the body is read. */
    scope?: Scope
    /** The parts of a multipart body. */
    form?: TSchema
    /** A GET that has an effect, and takes an `Idempotency-Key`. */
    repeatable?: true
    /** Its answer has an `ETag`, and 304 says that it is still the same. */
    tagged?: true
    /** Needs no API key. */
    keyless?: true
  }
}

/** What a value of a configuration may be refused with, beside `invalid_request`. */
export const SETTING_ERRORS = [
  'hr.invalid_vat_rate',
  'hr.invalid_pnp_rate',
  'hr.invalid_payment_method',
  'hr.invalid_oib',
] as const satisfies readonly ErrorCode[]

interface Description {
  description?: string
  /** What a success looks like, by status. */
  response: Record<number, TSchema | { content: Record<string, { schema: TSchema }> }>
}

/** Its type hides the responses: views have types of their own, and idempotent routes answer with stored bytes. */
export function describe<T extends Pick<FastifySchema, 'body' | 'params' | 'querystring'>>(
  operationId: string,
  summary: string,
  tag: string,
  more: Description & T,
): Omit<T, keyof Description> {
  return { operationId, summary, tags: [tag], ...more } as Omit<T, keyof Description>
}
