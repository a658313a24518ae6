import { CompanySchema, DeviceSchema, type DeviceView } from '../../contract/v1/fleet.ts'
import { type SharedPremises, sharedPremises, sharedPremisesText } from '../../domain/premises/shared-premises.ts'
import type { Session } from '../session.ts'
import { paragraph } from '../text/columns.ts'
import { inEnglish } from '../text/screen.ts'
import type { Client } from './client.ts'
import { allRows } from './lists.ts'

const WARNING = { en: 'Warning: ', hr: 'Upozorenje: ' }

/** Warns where the premises of a machine has other machines, too: nothing is refused for it. */
export async function warnOfPremises(session: Session, client: Client, device: DeviceView): Promise<void> {
  const { company_id, premises_code } = device
  const devices = await allRows(client, '/v1/devices', DeviceSchema, { company_id, premises_code, status: 'active' })
  if (devices.length < 2) return
  const company = (await allRows(client, '/v1/companies', CompanySchema)).find(({ id }) => id === company_id)
  const placed = devices.map(({ label, device_config }) => {
    return { label, premisesCode: premises_code, deviceConfig: device_config }
  })
  warnOfShared(session, sharedPremises(placed, company?.fiscal_config ?? {}))
}

/** On stderr, so that the answer stays what a script expects. */
export function warnOfShared({ io, screen }: Session, shared: readonly SharedPremises[]): void {
  for (const one of shared) {
    const text = `${sharedPremisesText(one)[screen.language]}.`
    io.stderr.write(paragraph(WARNING[screen.language], text, inEnglish(screen)))
  }
}
