import { UUID } from '../ids.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import type { ListChoice } from './filter.ts'
import type { Texts } from './texts.ts'

/** A device may also be named by its label, where there are too many to choose from. */
export async function withNamedDevice(
  { admin }: Pick<DashboardDeps, 'admin'>,
  { principal }: Pick<PageContext, 'principal'>,
  choice: ListChoice,
  t: Texts,
): Promise<ListChoice> {
  const { device, company } = choice.values
  if (device === '' || UUID.test(device.toLowerCase())) return choice
  const named = await admin.devicesNamed(principal, device)
  const [first, ...others] = named.filter(({ companyId }) => company === '' || companyId === company)
  if (first === undefined) return { ...choice, errors: { ...choice.errors, device: t.noSuchDevice } }
  if (others.length > 0) return { ...choice, errors: { ...choice.errors, device: t.severalDevices } }
  return { ...choice, wanted: { ...choice.wanted, deviceId: first.id } }
}
