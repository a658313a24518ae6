import type { CompanyCertificate, Simulator } from '../../src/simulator/index.ts'
import { connect } from '../bench/environment/clients.ts'
import { type BenchEnvironment, openBenchEnvironment } from '../bench/environment/environment.ts'
import type { Stub } from '../bench/environment/stub.ts'
import type { Chance } from '../chaos/chance.ts'
import type { Scratch } from '../chaos/scratch.ts'
import type { Taken } from './peer.ts'

interface Order {
  dist: string
  chance: Chance
  scratch: Scratch
}

/** fiskd with the authority that costs nothing. */
export const openFiskd = ({ dist, chance, scratch }: Order, stub: Stub, machines: number): Promise<BenchEnvironment> =>
  openBenchEnvironment({ name: 'fiskd', dist, machines, chance, stub }, scratch)

/** fiskd with the simulated authority. @param use sells once; null without a JIR */
export async function withJudgedFiskd<T>(
  { dist, chance, scratch }: Order,
  simulator: Simulator,
  { p12, passphrase }: CompanyCertificate,
  use: (sell: () => Promise<Taken | null>) => Promise<T>,
): Promise<T> {
  const { url, pki } = simulator
  const facts = { url, bundlePem: pki.bundlePem, p12: p12.toString('base64'), passphrase }
  const authority = { pid: process.pid, facts, sign: async () => {} }
  const stand = await openBenchEnvironment(
    { name: 'fiskd-judged', dist, machines: 1, chance, stub: authority, env: { NODE_OPTIONS: '' } },
    scratch,
  )
  const [client] = await connect(stand.daemon.base, stand.ca, 1, '/v1/health')
  if (!client) throw new Error('no connection')
  try {
    return await use(async () => JSON.parse(await stand.post(client, 0)).jir)
  } finally {
    await client.close()
    await stand.close()
  }
}
