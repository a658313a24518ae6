import { PrinterSchema, PrinterTestSchema, type PrinterTestView } from '../../contract/admin/printers.ts'
import type { DeviceView } from '../../contract/v1/fleet.ts'
import { LETTER_PAGES } from '../../domain/printer.ts'
import type { Client } from '../daemon/client.ts'
import type { Prompter } from '../prompts.ts'
import type { Session } from '../session.ts'
import { paragraph } from '../text/columns.ts'
import type { Setup } from './setup.ts'

/** @returns what keeps the page from coming out; null when nothing is known to */
export async function testByFlags({ client, session }: Setup, device: DeviceView): Promise<string | null> {
  return faultOf(await print(client, session, device))
}

/**
 * Prints test pages until the user accepts one, and sets the letters that the user chooses.
 * @returns the fault of the printer, if the user leaves it unsolved; null when the page is right
 */
export async function testUntilRight(setup: Setup, device: DeviceView, prompter: Prompter): Promise<string | null> {
  const { client, session } = setup
  for (;;) {
    const fault = faultOf(await print(client, session, device))
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
  if (!session.wantsJson())
    session.print(
      `\n${paragraph('', 'Printing a test page; a printer that does not answer is given 15 seconds ...', session.screen)}`,
    )
  return client.post(`/admin/printers/${device.id}/test`, PrinterTestSchema)
}

function faultOf({ status, detail, printer }: PrinterTestView): string | null {
  if (status === 'printed' || status === 'unconfirmed') return null
  const { condition } = printer
  return [detail ?? condition.detail ?? status, condition.fix].filter(Boolean).join('; ')
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
