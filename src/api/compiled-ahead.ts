import type { FastifyError } from 'fastify'

/** Ajv's validator: returns whether the data is valid, and stores the errors on itself. */
export interface Check {
  (data: unknown): boolean
  errors?: NonNullable<FastifyError['validation']> | null
}

/** The build puts those of a sale in here (`scripts/validators-ahead.ts`): Ajv takes longer than a whole sale. */
export const COMPILED_AHEAD: ReadonlyMap<object, Check> = new Map()
