import { expect, test } from 'vitest'
import { codesOf, SYNC_OPERATIONS } from '../../../scripts/hostile/sync-answers.ts'
import { startSharedGateway } from '../../support/gateway.ts'
import { addGateway } from '../../support/sync-gateway.ts'

test('every operation that the judge of `npm run hostile` knows is there, and asks for a credential unless it is open', async () => {
  const gateway = await addGateway(await startSharedGateway({ FISKD_ROLE: 'server' }))
  for (const operation of SYNC_OPERATIONS) {
    const [method, path] = operation
    const { status } = await gateway.ask(path.replace('{id}', 'x'), undefined, { method })
    const isIdentified = codesOf(operation).get(401)?.has('gateway_unknown') ?? false
    expect({ path, status }).toEqual({ path, status: isIdentified ? 401 : expect.any(Number) })
    expect(status, path).not.toBe(404)
  }
})
