import { OIB, OTHER_OIB, putCertificate } from './field.ts'
import type { Mistake } from './mistake.ts'

const nothing = async () => {}
const ADD = `fisk cert add --company ${OIB} --yes --file /root`
const PASSPHRASE = 'Passphrase of the certificate'

/** The right file instead of the wrong one. */
const BRING = {
  command: /fisk cert add --company \d+ --file FILE/,
  instead: { FILE: '/root/fiskal1.p12 --yes' },
  dialogue: [[PASSPHRASE, 'lozinka']],
} as const

const YEAR_MS = 365 * 86_400_000

/** What goes wrong while a machine is set up. */
export const SET_UP_MISTAKES: Mistake[] = [
  {
    title: 'wrong OIB',
    isShort: true,
    make: nothing,
    typed: [{ command: 'fisk init --oib 02994650190' }],
    cause: /its last digit is a check digit, and after 0299465019 it would be 9, not 0/,
    mending: [{ command: /fisk init --oib OIB/, instead: { OIB } }],
  },
  {
    title: 'wrong passphrase',
    isShort: true,
    make: nothing,
    typed: [{ command: `${ADD}/fiskal1.p12`, dialogue: [[PASSPHRASE, 'Lozinka']] }],
    cause: /The passphrase does not open the file: check upper and lower case/,
    mending: [BRING],
  },
  {
    title: 'expired certificate',
    async make(field) {
      const notBefore = new Date(Date.now() - 2 * YEAR_MS)
      const order = { oib: OIB, notBefore, notAfter: new Date(Date.now() - 86_400_000) }
      putCertificate(field, 'expired', await field.cis.pki.issueCompany(order))
    },
    typed: [{ command: `${ADD}/expired.p12`, dialogue: [[PASSPHRASE, 'lozinka']] }],
    cause: /the certificate has expired: it was valid until \d{4}-\d\d-\d\d/,
    mending: [BRING],
  },
  {
    title: 'certificate of another company',
    async make(field) {
      putCertificate(field, 'foreign', await field.cis.pki.issueCompany({ oib: OTHER_OIB }))
    },
    typed: [{ command: `${ADD}/foreign.p12`, dialogue: [[PASSPHRASE, 'lozinka']] }],
    cause: new RegExp(`issued to the OIB ${OTHER_OIB}, and the company has the OIB ${OIB}`),
    mending: [BRING],
  },
  {
    title: 'certificate of an issuer that is not trusted',
    async make(field) {
      putCertificate(field, 'untrusted', await field.stranger.issueCompany({ oib: OIB }))
    },
    typed: [{ command: `${ADD}/untrusted.p12`, dialogue: [[PASSPHRASE, 'lozinka']] }],
    cause: /not trusted in test mode: .*its issuer is CN=Simulator Root CA/,
    mending: [BRING],
  },
  {
    title: 'no ISU number',
    isShort: true,
    make: async ({ sh }) => void (await sh(`fisk device add --company ${OIB} --premises POSL1 --label "Lobby 2"`)),
    typed: [{ command: 'fisk status --device "Lobby 2"' }],
    cause: /CANNOT sell.*Lobby 2: .*ISU/,
    mending: [{ command: /fisk isu set "Lobby 2" NUMBER/, instead: { NUMBER: '22222' } }],
    mended: async ({ sh }) => void (await sh('fisk status --device "Lobby 2"')),
  },
  {
    title: 'CA certificates are missing',
    make: async ({ sh }) =>
      void (await sh('systemctl stop fiskd; mv /var/lib/fiskd/trust/test.pem /root/kept.pem; systemctl start fiskd')),
    typed: [{ command: 'fisk status' }],
    cause: /CANNOT sell.*the CA certificates of the test service are not installed/,
    mending: [
      // There is no internet here: the first command says what to do then.
      { command: /fisk trust fetch --mode test/, goesOn: true },
      { command: /fisk trust add --mode test FILES/, instead: { FILES: '/root/ca.pem' } },
    ],
  },
]
