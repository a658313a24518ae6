import { PrinterSchema, PrinterTestSchema, type PrinterTestView } from '../../contract/admin/printers.ts'
import type { DeviceView } from '../../contract/v1/fleet.ts'
import { LETTER_PAGES } from '../../domain/printer.ts'
import { withDeviceName } from '../../domain/shell-word.ts'
import type { Client } from '../daemon/client.ts'
import type { Prompter } from '../prompts.ts'
import type { Session } from '../session.ts'
import { paragraph } from '../text/columns.ts'
import type { Language } from '../words/translate.ts'
import { announce, type Setup } from './setup.ts'

export async function testedStep(setup: Setup, device: DeviceView, detail: string): Promise<void> {
  const { options, steps } = setup
  const fault = options.printerTest ? await testPage(setup, device) : null
  const left = fault && withDeviceName(`${fault}; then fisk printer test DEVICE`, device.label)
  steps.push({ step: 'printer', state: fault === null ? 'done' : 'left', detail: left ?? detail })
}

/** @returns what keeps the page from coming out; null when nothing is known to */
async function testPage(setup: Setup, device: DeviceView): Promise<string | null> {
  const { client, prompter, session } = setup
  return prompter
    ? testUntilRight(setup, device, prompter)
    : faultOf(await print(client, session, device), session.screen.language)
}

/** @returns the fault of the printer, if the user leaves it unsolved; null when the page is right */
async function testUntilRight(setup: Setup, device: DeviceView, prompter: Prompter): Promise<string | null> {
  const { client, session } = setup
  for (;;) {
    const fault = faultOf(await print(client, session, device), session.screen.language)
    if (fault !== null) {
      session.print(paragraph('', `The test page did not come out: ${fault}`, session.screen))
      if (await prompter.confirm('Print it once more?', true)) continue
      return fault
    }
    const letters = await askLetters(prompter)
    if (letters === RIGHT) return null
    if (letters === NOTHING) return 'nothing came out: look at its cable, its paper and its profile'
    const [encoding, page] = letters.split(' ')
    const settings = { encoding, ...(page !== undefined && { code_page: Number(page) }) }
    await client.patch(`/admin/printers/${device.id}`, PrinterSchema, { settings })
  }
}

function print(client: Client, session: Session, device: DeviceView): Promise<PrinterTestView> {
  announce(session, 'Printing a test page; a printer that does not answer is given 15 seconds ...')
  return client.post(`/admin/printers/${device.id}/test`, PrinterTestSchema)
}

function faultOf({ status, detail, printer }: PrinterTestView, language: Language): string | null {
  if (status === 'printed' || status === 'unconfirmed') return null
  const { condition } = printer
  return [detail ?? condition.detail?.[language] ?? status, condition.fix?.[language]].filter(Boolean).join('; ')
}

const RIGHT = 'right'
const NOTHING = 'nothing'

/** Asks for the letters by the names on the test page, which shows the letters in each encoding. */
function askLetters(prompter: Prompter): Promise<string> {
  const pages = LETTER_PAGES.map(({ encoding, codePage }) => `${encoding} ${codePage}`)
  return prompter.choose('A test page was sent. Are the letters "as they are set" right?', [
    { value: RIGHT, label: 'Yes' },
    ...pages.map((value) => ({ value, label: `No, but they are right on the line ${value}` })),
    { value: 'ascii', label: 'No, on no line: print them without accents' },
    { value: NOTHING, label: 'Nothing came out' },
  ])
}
