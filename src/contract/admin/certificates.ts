import * as Type from 'typebox'
import { Instant } from '../common.ts'

/** What is in a certificate file; nothing is stored of it. */
export const CertificateCheckSchema = Type.Object(
  {
    subject_cn: Type.String(),
    issuer: Type.String(),
    not_after: Instant('Valid until'),
    is_in_use: Type.Boolean({ description: 'The company signs with it now' }),
  },
  { title: 'CertificateCheck' },
)
