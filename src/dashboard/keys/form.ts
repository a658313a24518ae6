import type { FiskError } from '../../domain/errors.ts'
import type { NewApiKey } from '../../fiscal/access/api-keys.ts'
import { isFleetWide, SCOPES } from '../../fiscal/access/principal.ts'
import type { AdminUseCases } from '../../fiscal/use-cases.ts'
import type { PageContext } from '../page-routes.ts'
import type { texts } from './texts.ts'

type Errors = Record<string, string>

/** Reads the form of a new key. @returns what is wrong with it, by field, when something is */
export async function readKeyForm(
  admin: Pick<AdminUseCases, 'devicesNamed'>,
  { form, principal }: PageContext,
  t: (typeof texts)['hr'],
): Promise<{ wanted: NewApiKey } | { errors: Errors }> {
  const errors: Errors = {}
  const name = (form.name ?? '').trim()
  if (name === '' || name.length > 200) errors.name = t.wrong.name
  const mode = form.mode === 'test' || form.mode === 'live' ? form.mode : undefined
  if (mode === undefined) errors.mode = t.wrong.mode
  const scopes = SCOPES.filter((scope) => (form.scopes ?? '').split(',').includes(scope))
  if (scopes.length === 0) errors.scopes = t.wrong.scopes
  const label = (form.device ?? '').trim()
  if (label !== '' && scopes.some(isFleetWide)) errors.scopes = t.wrong.fleetWide
  const devices = label === '' ? [] : await admin.devicesNamed(principal, label)
  if (label !== '' && devices.length === 0) errors.device = t.wrong.device
  if (devices.length > 1) errors.device = t.wrong.manyDevices(devices.length)
  if (mode === undefined || Object.keys(errors).length > 0) return { errors }
  return { wanted: { name, mode, scopes, deviceId: devices[0]?.id ?? null } }
}

/** The device of the key belongs to a company of the other mode, or is gone meanwhile. */
export function isAboutDevice({ code, param }: FiskError): boolean {
  return code === 'mode_mismatch' || param === 'device_id'
}
