import { hold, inPieces, silence, withMoreFields } from '../front/actions.ts'
import { oneSale, type Scenario } from './scenario.ts'

/** What fiskd answers at most after: two attempts of 4 s, and its own work. */
const LONGEST_ANSWER_MS = 9000

/** A firmware that tries again meets the same. */
const MANY = 20

export const ANSWERS: Scenario[] = [
  {
    name: 'plain',
    title: 'two sales, and nothing goes wrong',
    seconds: 3,
    async play({ press, finished }) {
      await finished(await press('G'))
      await finished(await press('K'))
    },
  },
  {
    name: 'silence',
    title: 'the answer comes after 9 seconds, as it does when the tax authority is silent',
    seconds: 11,
    play: oneSale(silence(LONGEST_ANSWER_MS)),
  },
  {
    name: 'no-jir',
    title: 'the tax authority cannot be reached: the sale is valid without a JIR',
    seconds: 4,
    ownGateway: true,
    instead: { 'hands-out': 'hands-out-without-jir' },
    async play({ gateway, press, finished }) {
      await gateway.authority.goDown()
      await finished(await press())
    },
  },
  {
    name: 'more-fields',
    title: 'the answer has fields that this firmware does not know',
    seconds: 3,
    instead: { 'hands-out': 'ignores-new-fields' },
    play: oneSale(...Array(MANY).fill(withMoreFields)),
  },
  {
    name: 'pieces',
    title: 'the answer comes chunked, a few bytes at a time',
    seconds: 3,
    // Who hangs up in the middle has not read it to its end.
    instead: { 'hands-out': 'reads-whole-answer', patient: 'reads-whole-answer', 'tries-again': 'reads-whole-answer' },
    play: oneSale(...Array(MANY).fill(inPieces)),
  },
  {
    name: 'paper-out',
    title: 'the printer of fiskd has no paper: the screen has to show the QR code',
    seconds: 5,
    also: ['shows-qr-code'],
    async printer(ground) {
      const printer = await ground.printer()
      printer.runOutOfPaper()
      return printer.port
    },
    async play({ firmware, press, finished, until }) {
      const sale = await press()
      await finished(sale)
      await until(() => firmware.spoken.some(({ kind, word }) => kind === 'screen' && word === sale.word))
    },
  },
  {
    name: 'killed-waiting',
    title: 'the firmware is killed while it waits for the answer, and started again',
    seconds: 6,
    instead: {
      'hands-out': 'takes-replay',
      'tries-again': 'goes-on-after-restart',
      'posts-sale': 'goes-on-after-restart',
    },
    async play({ firmware, plan, press, finished, until }) {
      let isStored = false
      plan(hold(() => (isStored = true)))
      const sale = await press()
      if (!(await until(() => isStored))) return
      await firmware.kill()
      await firmware.start()
      await finished(sale)
    },
  },
]
