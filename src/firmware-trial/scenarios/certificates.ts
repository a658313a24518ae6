import type { Shown } from '../evidence.ts'
import { pause, type Scenario } from './scenario.ts'

const FOREIGN_MS = 3500

const anotherMachine =
  (which: Shown): Scenario['play'] =>
  async ({ press, finished, show }) => {
    show(which)
    const sale = await press()
    await pause(FOREIGN_MS)
    show('first')
    await finished(sale)
  }

export const CERTIFICATES: Scenario[] = [
  {
    name: 'certificate-renewed',
    title: 'the certificate of fiskd is renewed by the same CA',
    seconds: 4,
    instead: { 'posts-sale': 'trusts-ca', 'tries-again': 'trusts-ca' },
    async play({ press, finished, show }) {
      await finished(await press())
      show('renewed')
      await finished(await press())
    },
  },
  {
    name: 'foreign-certificate',
    title: 'another machine answers in place of fiskd, with a certificate of a CA that is not FISKD_CA',
    seconds: 10,
    play: anotherMachine('foreign'),
  },
  {
    name: 'wrong-name',
    title: 'another machine answers in place of fiskd, with a certificate of FISKD_CA for its own name',
    seconds: 10,
    play: anotherMachine('misnamed'),
  },
]
