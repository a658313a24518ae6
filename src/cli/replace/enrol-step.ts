import { SyncSchema, type SyncView } from '../../contract/admin/sync.ts'
import { enrollAt } from '../commands/sync.ts'
import { Failure, wrongUse } from '../failure.ts'
import { readInput } from '../files.ts'
import { complain, required } from '../setup/setup.ts'
import { clean } from '../text/columns.ts'
import type { ReplaceSetup } from './replacement.ts'

/** States in which the server does not take the present enrolment any more. */
const ENDED: readonly string[] = ['revoked', 'duplicated', 'unreadable']

/** Where a central server is, and the token for this machine, as far as they were given. */
export interface ServerAccess {
  url: string | undefined
  token: string | undefined
}

/** An earlier run may have enrolled it: its token is used up. @returns the server's address, the gateway's name */
export async function enrolStep(
  setup: ReplaceSetup,
  given: ServerAccess,
): Promise<{ server: string; gateway: string }> {
  const { client, steps } = setup
  const before = await client.get('/admin/sync', SyncSchema)
  const isEnrolled = before.sync !== null && !ENDED.includes(before.sync.state)
  if (isEnrolled && before.sync && (given.url ?? given.token) !== undefined) await askWhose(setup, before.sync)
  const { sync } = isEnrolled ? before : await enrol(setup, given)
  if (sync === null) throw new Error('the daemon does not say where it is enrolled')
  const [server, gateway] = [clean(sync.server), clean(sync.gateway.name ?? sync.gateway.id)]
  steps.push({ step: 'server', state: isEnrolled ? 'already' : 'done', detail: `${server} as ${gateway}` })
  return { server, gateway }
}

/** An address or a token that is given may mean another gateway than the one that this machine is. */
async function askWhose({ prompter }: ReplaceSetup, sync: NonNullable<SyncView['sync']>): Promise<void> {
  const who = `${clean(sync.gateway.name ?? sync.gateway.id)} at ${clean(sync.server)}`
  const goOn = `This machine is enrolled already, as ${who}. Go on as that gateway?`
  if (await prompter?.confirm(goOn, true)) return
  throw wrongUse(
    'token',
    `This machine is enrolled already, as ${who}: the address and the token that were given are not used.`,
    'To go on as that gateway: sudo fisk replace. To be another one: sudo fisk sync leave --yes, then sudo fisk replace URL TOKEN with a new token',
  )
}

async function enrol(setup: ReplaceSetup, { url, token }: ServerAccess): Promise<SyncView> {
  const { client, options, prompter } = setup
  const ca = options.ca === undefined ? undefined : (await readInput('ca', options.ca)).toString('utf8')
  if (token !== undefined) return enrollAt(client, { url, token, ca })
  if (prompter === null) throw wrongUse('token', 'The token of the gateway is missing.', TOKEN_FIX)
  for (let address = url; ; address = undefined) {
    address ??= await prompter.text('Address of the central server, https://...', required)
    const typed = await prompter.text(
      'Its token for the replaced gateway, from: fisk gateway add NAME --again',
      required,
    )
    try {
      requireToken(typed)
      return await enrollAt(client, { url: address, token: typed, ca })
    } catch (error) {
      if (!(error instanceof Failure) || error.body.error.code === 'daemon_unreachable') throw error
      complain(setup.session, error)
    }
  }
}

/** @throws Failure (wrong use) for what is no token at all */
export function requireToken(token: string): void {
  if (!token.startsWith('fisk_enroll_')) throw wrongUse('token', 'A token begins with fisk_enroll_.', TOKEN_FIX)
}

const TOKEN_FIX =
  'On the server: fisk gateway add NAME --again (or "New token" on the page of the gateway), then: sudo fisk replace URL TOKEN'
