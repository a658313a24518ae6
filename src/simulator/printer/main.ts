import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { runProgram } from '../run-program.ts'
import { isPrinterKind, PRINTER_KINDS, type PrinterKind } from './model.ts'
import { type PtyPrinter, startPtyPrinter } from './pty-printer.ts'

const HELP = `npx tsx src/simulator/printer/main.ts [--link PATH] [--png DIR] [--58] [--kind KIND]

A receipt printer on a pseudo terminal: prints its device, then each receipt as text when it is cut.
  --link   a symbolic link to the device, kept right when it is plugged in again
  --png    a folder for pictures of the receipts
  --58     paper of 58 mm instead of 80 mm
  --kind   what it understands: ${Object.keys(PRINTER_KINDS).join(', ')}; epson if nothing is said
`

const OPTIONS = {
  link: { type: 'string' },
  png: { type: 'string' },
  58: { type: 'boolean', default: false },
  kind: { type: 'string', default: 'epson' },
  help: { type: 'boolean', default: false },
} as const

const RULE = '-'.repeat(48)

const COMMANDS: Record<string, (printer: PtyPrinter) => unknown> = {
  'paper out': (printer) => printer.runOutOfPaper(),
  'paper low': (printer) => printer.runLow(),
  'paper ok': (printer) => printer.loadPaper(),
  'cover open': (printer) => printer.openCover(),
  'cover close': (printer) => printer.closeCover(),
  power: (printer) => printer.powerCycle({ offMs: 1000 }),
  take: (printer) => printer.takeTicket(),
  unplug: (printer) => printer.unplug(),
  plug: async (printer) => {
    await printer.plugIn()
    print(printer.path)
  },
}

await runProgram({
  name: 'printer',
  help: HELP,
  readOptions: () => {
    const { kind, ...values } = parseArgs({ options: OPTIONS }).values
    if (!isPrinterKind(kind)) throw new Error(`--kind must be one of: ${Object.keys(PRINTER_KINDS).join(', ')}`)
    return { ...values, kind }
  },
  run: ({ link, png, 58: narrow, kind }) => run(link, png, narrow, kind),
})

async function run(
  link: string | undefined,
  png: string | undefined,
  narrow: boolean,
  kind: PrinterKind,
): Promise<void> {
  let count = 0
  if (png !== undefined) mkdirSync(png, { recursive: true })
  const printer = await startPtyPrinter({
    ...PRINTER_KINDS[kind],
    dots: narrow ? 384 : 576,
    ...(link === undefined ? {} : { linkPath: link }),
    onPaper(paper) {
      count++
      if (png !== undefined) writeFileSync(join(png, `receipt-${count}.png`), paper.png())
      print(`${RULE}\n${paper.text}\n${RULE}`)
    },
  })
  const input = createInterface({ input: process.stdin })
  const end = () => {
    input.close()
    process.stdin.destroy()
    printer.close()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  input.on('line', (given) => {
    const line = given.trim()
    const command = COMMANDS[line]
    if (command) command(printer)
    else if (line !== '') print(`Say one of: ${Object.keys(COMMANDS).join(', ')}`)
  })
  print(printer.path)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
