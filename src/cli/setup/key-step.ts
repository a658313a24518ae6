import { KeyList, type KeyView, NewKeySchema, type NewKeyView } from '../../contract/admin/access.ts'
import { shellWord } from '../../domain/shell-word.ts'
import type { Client } from '../daemon/client.ts'
import type { SetupDevice } from './device-step.ts'
import type { Setup, SetupCompany } from './setup.ts'

/** Keys in use that a machine's firmware can sell with; of any machine where none is meant. */
export async function firmwareKeys(client: Client, { mode }: SetupCompany, of: SetupDevice | null): Promise<KeyView[]> {
  const { data } = await client.get('/admin/keys', KeyList)
  return data.filter((key) => {
    // Where several machines are there, each has its own.
    const reaches = of === null || key.device_id === null || key.device_id === of.device.id
    return key.revoked_at === null && key.mode === mode && reaches && key.scopes.includes('invoices:write')
  })
}

/** Makes the API key for the firmware, bound to its device. @returns null when none is wanted, or one is there */
export async function keyStep(
  setup: Setup,
  company: SetupCompany,
  of: SetupDevice | null,
  existing: readonly KeyView[],
): Promise<NewKeyView | null> {
  const { options, prompter, client, steps } = setup
  const [known] = existing
  if (known && options.key !== true) {
    steps.push({ step: 'key', state: 'already', detail: `${known.id}; for another one: fisk init --key` })
    return null
  }
  const ask = async () => (prompter ? prompter.confirm('Make an API key for the firmware?', true) : false)
  if (!(options.key ?? (of?.isNew || (await ask())))) {
    const device = of ? ` --device ${shellWord(of.device.label)}` : ''
    const detail = `fisk key create --mode ${company.mode}${device}`
    steps.push({ step: 'key', state: 'left', detail, optional: true })
    return null
  }
  const key = await client.post('/admin/keys', NewKeySchema, {
    mode: company.mode,
    ...(of && { device_id: of.device.id, name: of.device.label }),
  })
  steps.push({ step: 'key', state: 'done', detail: `${key.id}, ${key.scopes.join(', ')}` })
  return { id: key.id, key: key.key, mode: key.mode, scopes: key.scopes }
}
