import { randomUUID } from 'node:crypto'
import type { CompanyCertificate, ReceivedMessage, Simulator } from '../../src/simulator/index.ts'
import type { Chance } from '../chaos/chance.ts'
import type { Scratch } from '../chaos/scratch.ts'
import type { Facts } from './facts.ts'
import { withJudgedFiskd } from './fiskd.ts'
import { deceivedBy } from './forgeries.ts'
import { findJudges } from './judges.ts'
import type { Peer } from './peer.ts'

export interface Judged {
  judges: string[]
  /** What is wrong with a message, with the name of its way. */
  faults: string[]
  /** By way: the forged answers from which it took a JIR. */
  deceived: Map<string, string[]>
}

interface Order {
  dist: string
  chance: Chance
  scratch: Scratch
  simulator: Simulator
  company: CompanyCertificate
  facts: Facts
  peers: Map<string, Peer>
}

/** Has each way and fiskd sell once to the simulated authority, judges the message, and tries the forged answers. */
export async function judgeAll({ dist, chance, scratch, simulator, company, facts, peers }: Order): Promise<Judged> {
  const judges = findJudges(facts.files.eachAuthority, scratch)
  const faults: string[] = []
  const deceived = new Map<string, string[]>()
  const last = () => simulator.received.at(-1) as ReceivedMessage

  const ofFiskd = await withJudgedFiskd({ dist, chance, scratch }, simulator, company, async (sell) => {
    if ((await sell()) !== last().jir) faults.push('fiskd: it has another JIR')
    faults.push(...judges.faultsOf(last()).map((fault) => `fiskd: ${fault}`))
    const content = contentOf(last())
    deceived.set('fiskd', await deceivedBy(simulator, sell))
    return content
  })
  for (const [name, { sell }] of peers) {
    let number = 0
    const sellOne = async () => (await sell(simulator.url, [{ id: randomUUID(), number: ++number }]))[0] ?? null
    const taken = await sellOne()
    if (taken !== last().jir) faults.push(`${name}: it has another JIR: ${JSON.stringify(taken)}`)
    faults.push(...judges.faultsOf(last()).map((fault) => `${name}: ${fault}`))
    if (contentOf(last()) !== ofFiskd) faults.push(`${name}: ${contentOf(last())}, where fiskd says ${ofFiskd}`)
    deceived.set(name, await deceivedBy(simulator, sellOne))
  }
  return { judges: judges.names, faults, deceived }
}

/** What a message says, without what differs from sale to sale and without its signature: names and texts, in order. */
function contentOf({ requestXml }: ReceivedMessage): string {
  const receipt = /<tns:Racun>.*<\/tns:Racun>/s.exec(requestXml)?.[0] ?? ''
  const texts = [...receipt.matchAll(/<tns:(\w+)>([^<]*)(?=<)/g)].map(([, name, text]) => `${name}=${text}`)
  return texts.filter((text) => !/^(DatVrijeme|BrOznRac|ZastKod)=/.test(text)).join(' ')
}
