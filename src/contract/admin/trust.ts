import * as Type from 'typebox'
import { TRUST_LISTS, TRUST_PURPOSES } from '../../domain/certificate.ts'
import { Mode, Moment, Nullable, Titled } from '../common.ts'
import { ListOf } from '../list.ts'

const TrustedCertificateSchema = Type.Object({
  subject: Type.String(),
  fingerprint: Type.String({ description: 'SHA-256, hex' }),
  not_after: Moment,
})
export type TrustedCertificateView = Type.Static<typeof TrustedCertificateSchema>

const RevocationListSchema = Type.Object({
  issuer: Type.String(),
  this_update: Moment,
  next_update: Nullable(Moment),
  entries: Type.Integer(),
})
export type RevocationListView = Type.Static<typeof RevocationListSchema>

export const TrustPurpose = Type.Enum(TRUST_PURPOSES, {
  description: '`service`: its TLS and its answers; `uploads`: the certificates of companies',
})

const bundle = {
  mode: Mode,
  list: Type.Enum(TRUST_LISTS, { description: '`base` counts for both purposes, each other list for its own' }),
  path: Type.String(),
  given: Type.Boolean({ description: 'The operator has set its path: fiskd does not write it' }),
  certificates: Type.Array(TrustedCertificateSchema),
  revocation_lists: Type.Array(RevocationListSchema),
}

/** A list of the CA certificates that are believed in a mode. */
export const TrustBundleSchema = Type.Object(bundle, { title: 'TrustBundle' })
export type TrustBundleView = Type.Static<typeof TrustBundleSchema>

export const TrustBundleList = ListOf(TrustBundleSchema, 'TrustBundleList')

export const TrustChangeSchema = Titled('TrustChange', {
  ...bundle,
  added: Type.Array(TrustedCertificateSchema),
  added_revocation_lists: Type.Array(RevocationListSchema),
})
export type TrustChangeView = Type.Static<typeof TrustChangeSchema>
