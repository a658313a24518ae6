import { pause, type Scenario } from './scenario.ts'

const FOREIGN_MS = 3500

export const CERTIFICATES: Scenario[] = [
  {
    name: 'certificate-renewed',
    title: 'the certificate of fiskd is renewed by the same CA',
    seconds: 4,
    instead: { 'posts-sale': 'trusts-ca', 'tries-again': 'trusts-ca' },
    async play({ press, settled, show }) {
      await settled(await press())
      show('renewed')
      await settled(await press())
    },
  },
  {
    name: 'foreign-certificate',
    title: 'another machine answers in place of fiskd, with a certificate of a CA that is not FISKD_CA',
    seconds: 10,
    async play({ press, settled, show }) {
      show('foreign')
      const sale = await press()
      await pause(FOREIGN_MS)
      show('first')
      await settled(sale)
    },
  },
]
