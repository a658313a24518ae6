import { createInterface } from 'node:readline'
import type { Spoken } from '../evidence.ts'
import type { Firmware, FirmwareEnvironment } from './firmware.ts'

export type Person = ReturnType<typeof personAt>

/** A person at the terminal; an input that ends is no answer. */
export function personAt(input: NodeJS.ReadableStream, output: NodeJS.WritableStream) {
  const reader = createInterface({ input })
  const lines = reader[Symbol.asyncIterator]()
  return {
    tell: (text: string) => void output.write(text),
    /** @returns what was typed, or `usual` for nothing */
    async ask(question: string, usual: string) {
      output.write(`${question}${usual === '' ? '' : ` [${usual}]`}: `)
      const { value, done } = await lines.next()
      if (done) throw new Error('nobody answers any more')
      return String(value).trim() || usual
    },
    // The end of the iterator alone leaves the input open, and the trial would never end.
    close: () => reader.close(),
  }
}

const METHODS = { G: 'in cash', K: 'by card', O: 'by other means' }

export function createMachineByHand(person: Person, title: string): Firmware {
  let life = 1
  let ended = 0
  const machine: Firmware = {
    life: () => life,
    spoken: [],
    endings: [],
    isEnding: (one) => one <= ended,
    log: [],
    async start() {
      if (ended === 0) person.tell(`\n${title}.\n`)
      else await person.ask('Switch the machine on again, then press Enter', '')
    },
    async press(sale) {
      const price = await person.ask(`Choose something to buy ${METHODS[sale.method]}. Its price`, sale.total)
      sale.total = price
      sale.pressedAt = Date.now()
      person.tell('Buy it now.\n')
    },
    async kill() {
      // From the question on: nobody knows when it is done.
      ended = life
      await person.ask('Switch the machine off at its plug, then press Enter', '')
      life++
    },
    async ask(sale) {
      const say = (kind: Spoken['kind'], text = '') =>
        machine.spoken.push({ kind, word: sale.word, text, at: Date.now(), life })
      const count = await person.ask('When the machine has done with it: how many goods came out', '1')
      for (let n = 0; n < Number(count); n++) say('goods')
      if (/^y/i.test(await person.ask('Did it return the money (y or n)', 'n'))) say('refused')
      const code = await person.ask('The text of the QR code on its screen, scanned; Enter if there is none', '')
      if (code !== '') say('screen', code)
    },
    finish: async () => {},
    end: async () => {},
  }
  return machine
}

export function settingsText({ FISKD_URL, FISKD_CA, FISKD_KEY, FISKD_DEVICE }: FirmwareEnvironment): string {
  return (
    `Set the machine to:\n  address    ${FISKD_URL}\n  CA file    ${FISKD_CA}\n` +
    `  API key    ${FISKD_KEY}\n  device_id  ${FISKD_DEVICE}\n`
  )
}
