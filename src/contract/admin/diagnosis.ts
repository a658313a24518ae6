import * as Type from 'typebox'
import { CHECK_STATUSES } from '../../domain/check.ts'
import { BothSchema, Nullable, Titled } from '../common.ts'

const CheckSchema = Titled('Check', {
  name: BothSchema,
  status: Type.Enum(CHECK_STATUSES),
  detail: BothSchema,
  fix: Nullable(BothSchema),
})

export const DiagnosisSchema = Titled('Diagnosis', {
  ok: Type.Boolean({ description: 'Nothing failed' }),
  checks: Type.Array(CheckSchema),
})
export type DiagnosisView = Type.Static<typeof DiagnosisSchema>
