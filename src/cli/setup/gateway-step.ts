import { GatewayList, NewGatewaySchema, type NewGatewayView } from '../../contract/admin/gateways.ts'
import type { Client } from '../daemon/client.ts'
import { clean } from '../text/columns.ts'
import type { Groundwork } from './setup.ts'

/** Makes the first gateway, whose machine enrols with its token. @returns null when this run made none */
export async function gatewayStep(
  { options, prompter, steps }: Groundwork,
  client: Client,
): Promise<NewGatewayView | null> {
  const { data } = await client.get('/admin/gateways', GatewayList)
  const isKnown = options.gateway !== undefined && data.some(({ name }) => name === options.gateway)
  const asked = prompter && data.length === 0 ? await prompter.text('Name of the first gateway (empty: later)') : ''
  const name = options.gateway ?? asked
  if (name === '' || isKnown) {
    const detail = 'fisk gateway add NAME, for each of them'
    if (data.length > 0) steps.push({ step: 'gateway', state: 'already', detail: `${data.length} known` })
    else steps.push({ step: 'gateway', state: 'left', detail, optional: true })
    return null
  }
  const made = await client.post('/admin/gateways', NewGatewaySchema, { name })
  steps.push({ step: 'gateway', state: 'done', detail: clean(name) })
  return made
}
