import type { Static } from 'typebox'
import * as Type from 'typebox'
import { CHECK_STATUSES } from '../../domain/check.ts'
import { Nullable } from '../common.ts'

const CheckSchema = Type.Object(
  {
    name: Type.String(),
    status: Type.Enum(CHECK_STATUSES),
    detail: Type.String({ description: 'What was found, for people' }),
    fix: Nullable(Type.String({ description: 'What to do about it; null when there is nothing to do' })),
  },
  { title: 'Check' },
)

/** What the doctor has found, or how the tax authority answers. */
export const DiagnosisSchema = Type.Object(
  { ok: Type.Boolean({ description: 'Nothing failed' }), checks: Type.Array(CheckSchema) },
  { title: 'Diagnosis' },
)

export type DiagnosisView = Static<typeof DiagnosisSchema>
