import * as Type from 'typebox'
import { Moment, Titled } from '../common.ts'

/** A row that a central server has not taken from a gateway. */
export const RefusalSchema = Titled('Refusal', {
  kind: Type.String(),
  id: Type.String(),
  version: Type.Integer(),
  code: Type.String(),
  message: Type.String(),
  refused_at: Moment,
})
