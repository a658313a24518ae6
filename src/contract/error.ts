import * as Type from 'typebox'
import { ERROR_TYPES } from '../domain/errors.ts'
import { Free, Nullable, Titled } from './common.ts'

/** The body of every 4xx and 5xx (docs/spec/interface.md, Errors). */
export const ErrorSchema = Titled('Error', {
  error: Type.Object({
    type: Type.Enum(ERROR_TYPES, { description: 'Broad category, a closed set' }),
    code: Type.String({
      description: 'Stable for ever: branch on it, and treat an unknown one as its `type`',
      examples: ['invalid_request'],
    }),
    message: Type.String({ description: 'For people; may be reworded' }),
    param: Nullable(Type.String(), 'The offending field or header'),
    upstream: Type.Union([Free('As it said it'), Type.String(), Type.Null()], {
      description: 'Raw detail from the tax authority; not part of the contract',
    }),
    doc_url: Type.String({ description: 'What the code means and what to do' }),
  }),
})
export type ErrorView = Type.Static<typeof ErrorSchema>
