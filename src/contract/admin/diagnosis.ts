import type { Static } from 'typebox'
import * as Type from 'typebox'
import { CHECK_STATUSES } from '../../domain/check.ts'
import { BothSchema, Nullable } from '../common.ts'

const CheckSchema = Type.Object(
  {
    name: BothSchema,
    status: Type.Enum(CHECK_STATUSES),
    detail: BothSchema,
    fix: Nullable(BothSchema),
  },
  { title: 'Check' },
)

/** What the doctor has found, or how the tax authority answers. */
export const DiagnosisSchema = Type.Object(
  { ok: Type.Boolean({ description: 'Nothing failed' }), checks: Type.Array(CheckSchema) },
  { title: 'Diagnosis' },
)

export type DiagnosisView = Static<typeof DiagnosisSchema>
