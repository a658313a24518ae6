import type { Static } from 'typebox'
import * as Type from 'typebox'
import { Mode, Moment, Nullable } from '../common.ts'
import { ListOf } from '../list.ts'

const TrustedCertificateSchema = Type.Object({
  subject: Type.String(),
  fingerprint: Type.String({ description: 'SHA-256, hex' }),
  not_after: Moment,
})
export type TrustedCertificateView = Static<typeof TrustedCertificateSchema>

const RevocationListSchema = Type.Object({
  issuer: Type.String(),
  this_update: Moment,
  next_update: Nullable(Moment),
  entries: Type.Integer(),
})
export type RevocationListView = Static<typeof RevocationListSchema>

const bundle = {
  mode: Mode,
  path: Type.String(),
  certificates: Type.Array(TrustedCertificateSchema),
  revocation_lists: Type.Array(RevocationListSchema),
}

/** The CA certificates that are believed in a mode. */
const TrustBundleSchema = Type.Object(bundle, { title: 'TrustBundle' })
export type TrustBundleView = Static<typeof TrustBundleSchema>

export const TrustBundleList = ListOf(TrustBundleSchema, 'TrustBundleList')

export const TrustChangeSchema = Type.Object(
  {
    ...bundle,
    added: Type.Array(TrustedCertificateSchema),
    added_revocation_lists: Type.Array(RevocationListSchema),
  },
  { title: 'TrustChange' },
)

export type TrustChangeView = Static<typeof TrustChangeSchema>
