import type { Command } from 'commander'
import type { Device } from '../answers.ts'
import { checkIsuNumber } from '../isu-number.ts'
import { deviceNamed } from '../references.ts'
import type { Session } from '../session.ts'
import { deviceText } from './device.ts'

export function register(program: Command, session: Session): void {
  const isu = program.command('isu').description("ISU numbers: the tax authority's mark for each machine")
  isu
    .command('set')
    .description('Give a machine its ISU number; it sells with it from the next sale on.')
    .argument('<device>', 'label or id')
    .argument('<number>', "the number that the tax authority's portal issued")
    .addHelpText('after', '\nExample:\n  fisk isu set "Lobby 1" 12345')
    .action((device: string, number: string) => setNumber(device, checkIsuNumber('number', number), session))
  isu
    .command('clear')
    .description('Take the ISU number from a machine; it cannot sell until it gets one.')
    .argument('<device>', 'label or id')
    .addHelpText('after', '\nExample:\n  fisk isu clear "Lobby 1"')
    .action((device: string) => setNumber(device, null, session))
}

async function setNumber(reference: string, isuNumber: string | null, session: Session): Promise<void> {
  const client = await session.client()
  const { id } = await deviceNamed(client, reference)
  await session.show(await client.patch<Device>(`/v1/devices/${id}`, { isu_number: isuNumber }), deviceText)
}
