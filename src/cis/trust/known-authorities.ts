import type { Mode } from '../../domain/sale/sale.ts'

export interface KnownAuthority {
  name: string
  url: string
  /** SHA-256 of the DER, uppercase hex. The URL is plain HTTP, so only this proves that the file is genuine. */
  fingerprint: string
}

/** Root and intermediate of each mode: the service sends neither (docs/spec/cis.md, Endpoints). */
export const KNOWN_AUTHORITIES: Record<Mode, readonly KnownAuthority[]> = {
  live: [
    {
      name: 'Fina Root CA',
      url: 'http://rdc.fina.hr/Root/FinaRootCA.cer',
      fingerprint: '5AB4FCDB180B5B6AF0D262A2375A2C77D25602015D96648756611E2E78C53AD3',
    },
    {
      name: 'Fina RDC 2020',
      url: 'http://rdc.fina.hr/RDC2020/FinaRDCCA2020.cer',
      fingerprint: '4140B70629FDA4B8A36FD53FB0AA53237157869931B8B2308FD05DF3FF7D78AB',
    },
  ],
  test: [
    {
      name: 'Fina Demo Root CA',
      url: 'http://demo-pki.fina.hr/certifikati/demo2014_root_ca.cer',
      fingerprint: 'A0628E66BCFC6DED7B6D8457DF57AD5477EE55B7D6E1161E25212BD5B1B1E14D',
    },
    {
      name: 'Fina Demo CA 2020',
      url: 'http://demo-pki.fina.hr/certifikati/demo2020_sub_ca.cer',
      fingerprint: '9771586D69DCA73D70E196B7AA059DEF3D47B2DE4BC080E738E5B1BC8A105BD2',
    },
  ],
}
