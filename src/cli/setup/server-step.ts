import { shellWord } from '../../domain/shell-word.ts'
import { enrollAt, readAccess } from '../commands/sync.ts'
import { wrongUse } from '../failure.ts'
import { clean } from '../text/columns.ts'
import { otherwise, type Setup } from './setup.ts'

/** @param mayTell the machine is being set up; one that was finished without a server is meant to have none */
export async function serverStep(setup: Setup, mayTell: boolean): Promise<void> {
  const { client, options, status, steps } = setup
  const { syncUrl: url, syncToken: token } = options
  if (status.role !== 'gateway') {
    if (token === undefined && url === undefined) return
    const param = token === undefined ? 'sync-url' : 'sync-token'
    throw wrongUse(param, 'This is a central server itself.', 'Gateways are enrolled at it: fisk gateway add NAME')
  }
  if (status.sync !== null) {
    const known = clean(status.sync.server)
    if (url !== undefined && !isSameServer(url, status.sync.server)) {
      const command = `fisk sync leave && fisk sync enroll ${shellWord(url)} ${token ?? 'TOKEN'}`
      throw otherwise('sync-url', `This gateway is enrolled at ${known}.`, command)
    }
    // A token that was exchanged cannot be told from another one.
    const anew = `; to enrol with this token: fisk sync enroll ${shellWord(status.sync.server)} ${token}`
    steps.push({ step: 'server', state: 'already', detail: known + (token === undefined ? '' : anew) })
    return
  }
  if (url !== undefined && token === undefined) {
    const fix = 'On the server: fisk gateway add NAME'
    throw wrongUse('sync-token', 'The address of the server needs a token, too.', fix)
  }
  if (token !== undefined) {
    const { sync } = await enrollAt(client, { ...readAccess(token, undefined), url })
    const detail = `${clean(sync?.server ?? '')} as ${clean(sync?.gateway.name ?? '')}`
    steps.push({ step: 'server', state: 'done', detail })
  } else if (mayTell)
    steps.push({ step: 'server', state: 'already', detail: 'none; for one: fisk sync enroll URL TOKEN' })
}

function isSameServer(one: string, other: string): boolean {
  const [origin, known] = [one, other].map((url) => (URL.canParse(url) ? new URL(url).origin : url))
  return origin === known
}
