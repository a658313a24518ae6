import { setTimeout as delay } from 'node:timers/promises'
import type { Gateway, ProvingGround } from '../environment/proving-ground.ts'
import type { Attempt, Sale, Shown } from '../evidence.ts'
import type { Firmware } from '../firmware/firmware.ts'
import type { Action } from '../front/front.ts'
import type { RuleName } from '../rules/catalogue.ts'

export interface Stage {
  ground: ProvingGround
  gateway: Gateway
  firmware: Firmware
  attempts: readonly Attempt[]
  sales: readonly Sale[]
  /** What becomes of the next posted sales, one after another; those after them pass. */
  plan(...actions: Action[]): void
  /** Presses the button for a sale with a total that no other sale of the scenario has. */
  press(method?: Sale['method'], total?: string): Promise<Sale>
  /** Waits until the firmware has done with a sale, or has done nothing for too long. */
  finished(sale: Sale): Promise<void>
  /** Waits for something that the firmware has to do. @returns false when it did nothing for too long */
  until(holds: () => boolean): Promise<boolean>
  show(which: Shown): void
  stallNext(): void
  /** Another API key of the same machine; the first one stays valid. */
  newKey(): Promise<string>
  /** Starts the firmware again, with what has changed around it. */
  startAgain(changed: { key?: string; hoursAhead?: number }): Promise<void>
  /** From this life on the clock of the firmware is a day later. */
  isDayLater(): void
  goAway(): Promise<void>
  comeBack(): Promise<void>
}

export interface Scenario {
  name: string
  title: string
  /** What it takes with firmware that does all of it right. */
  seconds: number
  /** It kills fiskd or the authority, and gets its own. */
  ownGateway?: true
  /** What the firmware is told to be, in place of its device and key. */
  identity?: { deviceId?: string; key?: string }
  printer?: (ground: ProvingGround) => Promise<number>
  /** The authority has just stored the first sale. */
  onMessage?: (gateway: Gateway) => void
  /** Rules with a name of their own here, because breaking them shows something special. */
  instead?: Partial<Record<RuleName, RuleName>>
  /** Rules that do not hold here, because the scenario asks for something else. */
  waived?: RuleName[]
  /** Rules that are judged only where a scenario wants it. */
  also?: RuleName[]
  /** How long to look on after the last sale, for what must not happen any more. */
  lookOnMs?: number
  /** A program that has to be there; without it the scenario is left out, and that is said. */
  needs?: 'faketime'
  /** No person could do this with a machine. */
  programOnly?: true
  play(stage: Stage): Promise<void>
}

/** One sale, to whose attempts these things happen one after another. */
export const oneSale =
  (...actions: Action[]): Scenario['play'] =>
  async ({ plan, press, finished }) => {
    plan(...actions)
    await finished(await press())
  }

/** Whether a person can play it with one machine, whose address, key and device stay. */
export const isForHands = ({ programOnly, ownGateway, identity }: Scenario): boolean =>
  !programOnly && !ownGateway && !identity

export const pause = (ms: number): Promise<void> => delay(ms)
