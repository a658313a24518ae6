import type { ApiKey } from '../answers.ts'
import type { SetupDevice } from './device-step.ts'
import type { Setup, SetupCompany } from './setup.ts'

/** Makes the API key for the firmware, bound to its device. @returns null when none is wanted */
export async function keyStep(setup: Setup, company: SetupCompany, of: SetupDevice | null): Promise<ApiKey | null> {
  const { options, prompter, client, steps } = setup
  // A second run must not leave a trail of keys that nobody uses.
  const byDefault = of?.isNew ?? false
  const wanted =
    options.key ?? (prompter ? await prompter.confirm('Make an API key for the firmware?', byDefault) : byDefault)
  if (!wanted) {
    const device = of ? ` --device "${of.device.label}"` : ''
    steps.push({ step: 'key', state: 'left', detail: `fisk key create --mode ${company.mode}${device}` })
    return null
  }
  const key = await client.post<ApiKey>('/admin/keys', {
    mode: company.mode,
    ...(of && { device_id: of.device.id, name: of.device.label }),
  })
  steps.push({ step: 'key', state: 'done', detail: `${key.id}, ${key.scopes.join(', ')}` })
  return { id: key.id, key: key.key, mode: key.mode, scopes: key.scopes }
}
