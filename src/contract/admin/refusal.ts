import * as Type from 'typebox'
import { Moment } from '../common.ts'

/** A row that a central server has not taken from a gateway. */
export const RefusalSchema = Type.Object(
  {
    kind: Type.String(),
    id: Type.String(),
    version: Type.Integer(),
    code: Type.String(),
    message: Type.String(),
    refused_at: Moment,
  },
  { title: 'Refusal' },
)
