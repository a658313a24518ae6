import type { FastifyError } from 'fastify'

/** Ajv's validator: returns whether the data is valid, and stores the errors on itself. */
export interface Check {
  (data: unknown): boolean
  errors?: NonNullable<FastifyError['validation']> | null
}

/**
 * The build puts those of a sale in here (`scripts/validators-ahead.ts`), because Ajv takes longer to write them than a
 * whole sale takes. Without a build Ajv writes all.
 */
export const COMPILED_AHEAD: ReadonlyMap<object, Check> = new Map()
