import { startTcpPrinter } from '../../../src/simulator/index.ts'
import type { Field } from './field.ts'
import type { Mistake } from './mistake.ts'

const PORT = 9100
const TEST = { command: 'fisk printer test "Lobby 1"' }
const RIGHT = /as they are set:\s*č ć đ š ž Č Ć Đ Š Ž/

async function lastPage({ printer }: Field): Promise<string> {
  return printer?.papers.at(-1)?.text ?? ''
}

/** What goes wrong with printers. */
export const PRINTER_MISTAKES: Mistake[] = [
  {
    title: 'no printer where one is set',
    isShort: true,
    make: async ({ sh }) =>
      void (await sh('fisk printer set "Lobby 1" --line tcp:127.0.0.1:9101 --profile epson-tm-t20')),
    typed: [TEST],
    cause: /127\.0\.0\.1 refuses connections on port 9101/,
    mending: [
      {
        command: /fisk printer set "Lobby 1" --line LINE/,
        instead: { LINE: `tcp:127.0.0.1:${PORT}` },
        hands: {
          what: 'the printer is switched on',
          async act(field) {
            field.printer = await startTcpPrinter({ port: PORT })
          },
        },
      },
    ],
    mended: async ({ sh }) => void (await sh(TEST.command)),
  },
  {
    title: 'wrong code page',
    make: async ({ sh }) => void (await sh('fisk printer set "Lobby 1" --encoding windows1250 --code-page 0')),
    typed: [TEST],
    cause: /Are its letters wrong\? Look which line of letters is right/,
    mending: [
      {
        command: /fisk printer set "Lobby 1" --encoding NAME --code-page NUMBER/,
        // By the line of the page whose letters are right.
        instead: { NAME: 'cp852', NUMBER: '18' },
      },
    ],
    async mended(field) {
      await field.sh(TEST.command)
      const page = await lastPage(field)
      if (!RIGHT.test(page)) throw new Error(`the letters are wrong:\n${page}`)
    },
  },
]
