import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { FiskError } from '../../../../src/domain/errors.ts'
import { Card } from './card.ts'
import { copyPlace, type Office } from './office.ts'

/** What is known beside the machines: what their customers have, and what lies in drawers. */
export interface Model {
  /** Every number that was given out. */
  issued: Set<number>
  /** The highest one on paper of the machine in use; zero before its first sale. */
  paper: number
  /** With the number of the card that each was made of. */
  backups: number[]
  /** Cards that were replaced and may come back, by their number. */
  old: number[]
  /** The number of the card in use, and of all cards so far. */
  card: number
  cards: number
}

export interface Kiosk {
  place: string
  office: Office
  current: Card
  /** Of each replacement; undefined for what `fisk replace` takes by itself. */
  gap: number | undefined
}

/** A card that was just set up, and of which a backup was made: `fileOf` 0. */
export const startModel = (): Model => ({ issued: new Set(), paper: 0, backups: [1], old: [], card: 1, cards: 1 })

export const fileOf = (place: string, backup: number) => join(place, `backup-${backup}.db`)

type Command = fc.AsyncCommand<Model, Kiosk>

/** What `fisk restore` and its documents advise. */
const ADVISED = 1000

const cardOf = ({ place, office }: Kiosk, number: number) => new Card(join(place, `card-${number}`), office)

function issue(model: Model, numbers: readonly number[]): void {
  for (const number of numbers) {
    if (model.issued.has(number)) throw new Error(`number ${number} was given out twice`)
    model.issued.add(number)
  }
}

/** @returns what was refused, or null */
async function refusalOf(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    const isMeant =
      error instanceof FiskError ||
      /must not be given out again|too low|that is too many/.test((error as Error).message)
    if (!isMeant) throw error
    return (error as Error).message
  }
}

class Sale implements Command {
  readonly count: number
  readonly isReached: boolean
  constructor(count: number, isReached: boolean) {
    this.count = count
    this.isReached = isReached
  }

  check = () => true

  async run(model: Model, { current }: Kiosk): Promise<void> {
    const numbers = await current.sell(this.count, this.isReached)
    issue(model, numbers)
    model.paper = Math.max(model.paper, ...numbers)
  }

  toString = () => `sell ${this.count} ${this.isReached ? 'with' : 'without'} server`
}

class Backup implements Command {
  check = () => true

  async run(model: Model, { place, current }: Kiosk): Promise<void> {
    await current.backUp(fileOf(place, model.backups.length))
    model.backups.push(model.card)
  }

  toString = () => 'back up'
}

/** Of the machine in use, or of one that was replaced and came back. */
class Restore implements Command {
  readonly which: number
  readonly isLost: boolean
  readonly isWide: boolean
  readonly onOld: boolean
  constructor(which: number, isLost: boolean, isWide: boolean, onOld: boolean) {
    this.which = which
    this.isLost = isLost
    this.isWide = isWide
    this.onOld = onOld
  }

  private card({ old, card }: Readonly<Model>): number | undefined {
    return this.onOld ? old[this.which % Math.max(1, old.length)] : card
  }

  check = (model: Readonly<Model>) => model.backups.some((card) => card === this.card(model))

  async run(model: Model, kiosk: Kiosk): Promise<void> {
    const number = this.card(model) as number
    const own = model.backups.flatMap((card, backup) => (card === number ? [backup] : []))
    const file = fileOf(kiosk.place, own[this.which % own.length] as number)
    const card = cardOf(kiosk, number)
    const isLost = this.isLost && !this.onOld
    if (isLost) card.lose()
    const gap = ADVISED * (this.isWide ? 3 : 1)
    // Whoever leaves a gap compares it with the paper: where it would not reach above that, the paper is typed.
    const [, ends = '0'] = /ends at (\d+)/.exec((await refusalOf(() => card.restore(file))) ?? '') ?? []
    const reaches = !isLost || Number(ends) + gap > model.paper
    if (reaches && (await refusalOf(() => card.restore(file, '--gap', `${gap}`))) === null) return
    // The paper is that of the machine in use.
    if (!this.onOld) await restoreStated(card, file, model.paper)
  }

  toString = () =>
    `restore ${this.which}${this.onOld ? ' on an old card' : ''}${this.isLost ? ' lost' : ''}${this.isWide ? ' wide' : ''}`
}

/** With the number on paper, or what is known to be higher than that. */
async function restoreStated(card: Card, file: string, paper: number): Promise<void> {
  const state = (number: number | string) => refusalOf(() => card.restore(file, '--highest', `KIOSK1=${number}`))
  const refusal = await state(paper)
  const [, held] = /too low: .* holds (\d+)/.exec(refusal ?? '') ?? []
  if (refusal !== null && (held === undefined || (await state(held)) !== null)) throw new Error(refusal)
}

type How = 'by default' | 'from paper'

class Replacement implements Command {
  readonly how: How
  readonly isCutOffFirst: boolean
  constructor(how: How, isCutOffFirst: boolean) {
    this.how = how
    this.isCutOffFirst = isCutOffFirst
  }

  check = () => true

  async run(model: Model, kiosk: Kiosk): Promise<void> {
    if (this.isCutOffFirst) await blank(model, kiosk).beginReplacement()
    const fresh = blank(model, kiosk)
    const isStated = this.how === 'from paper' && model.paper > 0
    if (kiosk.gap !== undefined) await fresh.replace({ gap: kiosk.gap })
    else if (isStated) await replaceStated(fresh, model.paper)
    else await replaceByDefault(fresh)
    // No gap is left above a number that was typed: the old cards are destroyed then.
    model.old = isStated ? [] : [...model.old, model.card]
    model.card = model.cards
    kiosk.current = fresh
  }

  toString = () => `replace ${this.how}${this.isCutOffFirst ? ', cut off first' : ''}`
}

function blank(model: Model, kiosk: Kiosk): Card {
  const card = cardOf(kiosk, ++model.cards)
  if (existsSync(card.dir)) throw new Error(`${card.dir} is used already`)
  copyPlace(join(kiosk.place, 'blank'), card.dir)
  return card
}

/** Without any paper: with the gap that a refusal advises. */
async function replaceByDefault(card: Card): Promise<void> {
  const refusal = await refusalOf(() => card.replace({}))
  const [, gap] = /--gap (\d+)/.exec(refusal ?? '') ?? []
  if (refusal !== null) await card.replace({ gap: Number(gap) })
}

async function replaceStated(card: Card, paper: number): Promise<void> {
  for (let number = String(paper); ; ) {
    const refusal = await refusalOf(() => card.replace({ highest: [`KIOSK1=${number}`] }))
    if (refusal === null) return
    const [, seen] = /has seen number (\d+)/.exec(refusal) ?? []
    if (seen === undefined || Number(seen) <= Number(number)) throw new Error(refusal)
    number = seen
  }
}

/** A card that was replaced comes back, and its firmware goes on. */
class OldCard implements Command {
  readonly which: number
  readonly count: number
  readonly isReached: boolean
  constructor(which: number, count: number, isReached: boolean) {
    this.which = which
    this.count = count
    this.isReached = isReached
  }

  check = ({ old }: Readonly<Model>) => old.length > 0

  async run(model: Model, kiosk: Kiosk): Promise<void> {
    const number = model.old[this.which % model.old.length] as number
    issue(model, await cardOf(kiosk, number).sell(this.count, this.isReached))
  }

  toString = () => `an old card sells ${this.count}${this.isReached ? ' beside the server' : ''}`
}

const few = fc.integer({ min: 1, max: 3 })
const any = fc.nat({ max: 5 })

export const COMMANDS = [
  fc.tuple(few, fc.boolean()).map(([count, isReached]) => new Sale(count, isReached)),
  fc.constant(new Backup()),
  fc
    .tuple(any, fc.boolean(), fc.boolean(), fc.boolean())
    .map(([which, isLost, isWide, onOld]) => new Restore(which, isLost, isWide, onOld)),
  fc
    .tuple(fc.constantFrom<How>('by default', 'by default', 'from paper'), fc.boolean())
    .map(([how, isCutOffFirst]) => new Replacement(how, isCutOffFirst)),
  fc.tuple(any, few, fc.boolean()).map(([which, count, isReached]) => new OldCard(which, count, isReached)),
]
