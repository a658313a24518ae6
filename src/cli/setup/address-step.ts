import { CompanySchema, DeviceSchema, type DeviceView } from '../../contract/v1/fleet.ts'
import { commandFor, shellWord } from '../../domain/shell-word.ts'
import { companyNamed } from '../daemon/references.ts'
import { addressFields } from '../options.ts'
import type { Prompter } from '../prompts.ts'
import { otherwise, type Setup, type SetupCompany, type Step } from './setup.ts'

/** The seat of a company, as `/v1` has it. */
export type Seat = Record<string, unknown>

const SEAT = /^(?<street>[^,]*\S),\s*(?<postal_code>\d{5})\s+(?<city>\S.*)$/
const QUESTION = 'Seat of the company, for its receipts, such as: Ilica 1, 10000 Zagreb (empty: later)'

/** @returns null when it is left for later */
async function askedAddress(prompter: Prompter): Promise<Seat | null> {
  const isSeat = (value: string) =>
    value === '' || SEAT.test(value)
      ? undefined
      : 'Street and number, a comma, five digits, the city: Ilica 1, 10000 Zagreb'
  const seat = SEAT.exec(await prompter.text(QUESTION, isSeat))?.groups
  return seat ? { ...seat } : null
}

/** @param prints receipts are printed here: only then the seat is asked for */
export async function addressStep(setup: Setup, { id, oib, name }: SetupCompany, prints: boolean): Promise<void> {
  const { client, options, prompter, steps } = setup
  if (steps.some(({ step }) => step === 'address')) return
  const { address: known } = await companyNamed(client, id)
  const given = addressFields(options)
  if (Object.entries(given ?? {}).some(([field, value]) => known[field] !== undefined && known[field] !== value)) {
    const flags = Object.entries(given ?? {}).map(
      ([field, value]) => `--${field.replace('_', '-')} ${shellWord(value)}`,
    )
    const command = `fisk company set ${oib} ${flags.join(' ')}`
    throw otherwise('street', `The seat of ${name} is registered otherwise: ${spoken(known)}.`, command)
  }
  const isKnown = Boolean(known.street || known.city)
  const wanted = given ?? (isKnown || prompter === null || !prints ? null : await askedAddress(prompter))
  const isNew = Object.keys(wanted ?? {}).some((field) => known[field] === undefined)
  const address = { ...known, ...wanted }
  if (isNew) await client.patch(`/v1/companies/${id}`, CompanySchema, { address })
  noteAddress(setup, oib, isKnown || isNew ? address : null, isNew ? 'done' : 'already')
}

/** Sees to it that receipts can say where the machine stands. @param prints as for the seat @returns the machine since */
export async function placeStep({ client, options, prompter }: Setup, device: DeviceView, prints: boolean) {
  const { label, premises_address: known } = device
  const { address: given = '' } = options
  if (known && given !== '' && given !== known) {
    const command = commandFor('fisk device set', label, { options: ` --address ${shellWord(given)}` })
    throw otherwise('address', `"${label}" stands elsewhere: ${known}.`, command)
  }
  if (known || (given === '' && !(prompter && prints))) return device
  const asked = () => prompter?.text('Where does the machine stand, for its receipts? (empty: later)')
  const address = given || ((await asked()) ?? '')
  if (address === '') return device
  return client.patch(`/v1/devices/${device.id}`, DeviceSchema, { premises_address: address })
}

export function noteAddress({ steps }: Setup, oib: string, address: Seat | null, state: Step['state']): void {
  const left = `fisk company set ${oib} --street "..." --postal-code ... --city "..."; receipts need it`
  if (address) steps.push({ step: 'address', state, detail: spoken(address) })
  else steps.push({ step: 'address', state: 'left', detail: left, optional: true })
}

function spoken({ street = '', postal_code = '', city = '' }: Seat): string {
  return [street, `${postal_code} ${city}`.trim()].filter(Boolean).join(', ')
}
