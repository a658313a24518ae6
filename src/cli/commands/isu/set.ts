import type { Command } from 'commander'
import type { Device } from '../../answers.ts'
import { deviceText } from '../../device-text.ts'
import { checkIsuNumber } from '../../isu-number.ts'
import { deviceNamed } from '../../references.ts'
import type { Session } from '../../session.ts'

export function register(isu: Command, session: Session): void {
  isu
    .command('set')
    .description('Give a machine its ISU number; it sells with it from the next sale on.')
    .argument('<device>', 'label or id')
    .argument('<number>', "the number that the tax authority's portal issued")
    .addHelpText('after', '\nExample:\n  fisk isu set "Lobby 1" 12345')
    .action((device: string, number: string) => setNumber(device, checkIsuNumber('number', number), session))
}

async function setNumber(reference: string, isuNumber: string, session: Session): Promise<void> {
  const client = await session.client()
  const { id } = await deviceNamed(client, reference)
  await session.show(await client.patch<Device>(`/v1/devices/${id}`, { isu_number: isuNumber }), deviceText)
}
