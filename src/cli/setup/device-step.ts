import type { ListView } from '../../contract/list.ts'
import { DeviceList, DeviceSchema, type DeviceView } from '../../contract/v1/fleet.ts'
import { isPremisesCode } from '../../domain/sale/receipt-number.ts'
import { commandFor, shellWord, withDeviceName } from '../../domain/shell-word.ts'
import { devicesNamed } from '../daemon/references.ts'
import { clash, wrongUse } from '../failure.ts'
import { checkIsuNumber, isuNumberFault } from '../isu-number.ts'
import { otherwise, required, type Setup, type SetupCompany, type Step } from './setup.ts'

export interface SetupDevice {
  device: DeviceView
  isNew: boolean
}

/** Finds or registers the machine and gives it its ISU number. @returns null when none is wanted, or several are there */
export async function deviceStep(setup: Setup, company: SetupCompany): Promise<SetupDevice | null> {
  const { options, prompter, client } = setup
  const { label, premises, isu, address, printerLine, printerProfile } = options
  if (label !== undefined) return named(setup, company, label)
  const known = await client.get(`/v1/devices?company_id=${company.id}&status=active&limit=100`, DeviceList)
  const pending = known.data.filter(({ isu_number }) => isu_number === null)
  const [only, ...others] = known.data.length === 1 ? known.data : pending
  const isClear = only !== undefined && others.length === 0 && !known.has_more
  if (isClear && premises === undefined) return { device: await withNumber(setup, company, only), isNew: false }
  const isWanted = [premises, isu || undefined, address, printerLine, printerProfile].some((one) => one !== undefined)
  if (prompter && (isWanted || known.data.length === 0)) {
    return named(setup, company, await prompter.text('Label of the machine, such as "Lobby 1"', required))
  }
  if (isWanted) throw wrongUse('label', 'The label of the machine is missing.')
  setup.steps.push(...restingSteps(company, known, pending.length))
  return null
}

async function named(setup: Setup, company: SetupCompany, label: string): Promise<SetupDevice> {
  const found = (await devicesNamed(setup.client, label)).find((device) => device.company_id === company.id)
  if (found) return { device: await withNumber(setup, company, found), isNew: false }
  return { device: await register(setup, company, label), isNew: true }
}

function restingSteps({ oib }: SetupCompany, { data, has_more }: ListView<DeviceView>, pending: number): Step[] {
  if (data.length === 0) {
    return [{ step: 'device', state: 'left', detail: `fisk device add --company ${oib} --premises CODE --label LABEL` }]
  }
  const count = has_more ? `more than ${data.length}` : `${data.length}`
  const registered: Step = { step: 'device', state: 'already', detail: `${count} registered` }
  if (pending === 0) return [registered]
  const left: Step = { step: 'isu_number', state: 'left', detail: `${pending} machines have none: fisk isu pending` }
  return [registered, pending < data.length ? { ...left, optional: true } : left]
}

async function register(setup: Setup, company: SetupCompany, label: string): Promise<DeviceView> {
  const { options, prompter, client, steps } = setup
  const check = (value: string) => (isPremisesCode(value) ? undefined : PREMISES_FAULT)
  const premises = options.premises ?? (await prompter?.text('Business premises code', check))
  if (premises === undefined) throw wrongUse('premises', 'The premises code is missing.')
  const path = `/v1/devices?company_id=${company.id}&premises_code=${encodeURIComponent(premises)}&status=active`
  const there = (await client.get(path, DeviceList)).data.find(({ premises_code }) => premises_code === premises)
  if (there) throw standsThere(there, company, label)
  const isu = await chosenNumber(setup)
  // With its number in the same request: either both are there or neither is, and a second run finds a clear state.
  const device = await client.post('/v1/devices', DeviceSchema, {
    company_id: company.id,
    premises_code: premises,
    label,
    ...(options.address && { premises_address: options.address }),
    ...(isu !== null && { isu_number: isu }),
  })
  steps.push({ step: 'device', state: 'done', detail: `${device.label} at ${device.premises_code}` })
  noteNumber(setup, device, 'done')
  return device
}

/** A mistyped label is no second machine: by law each has premises of its own. */
function standsThere({ label, premises_code: code }: DeviceView, { oib }: SetupCompany, other: string) {
  const rename = commandFor('fisk device set', label, { options: ` --label ${shellWord(other)}` })
  const add = `fisk device add --company ${oib} --premises ${code} --label ${shellWord(other)}`
  return clash(
    'label',
    `"${label}" stands at premises ${code} already.`,
    `To rename it: ${rename}; for another one there: ${add}`,
  )
}

async function withNumber(setup: Setup, { oib }: SetupCompany, device: DeviceView): Promise<DeviceView> {
  const { options, client, steps } = setup
  const { label, premises_code, isu_number } = device
  if (options.premises !== undefined && options.premises !== premises_code) {
    const other = shellWord(`${label} ${options.premises}`)
    throw clash(
      'premises',
      `"${label}" is registered at premises ${premises_code}, and that cannot change.`,
      `A machine of its own there: fisk device add --company ${oib} --premises ${shellWord(options.premises)} --label ${other}`,
    )
  }
  if (isu_number !== null && options.isu !== undefined && options.isu !== isu_number) {
    const command =
      options.isu === false
        ? commandFor('fisk isu clear', label, {})
        : commandFor('fisk isu set', label, { operands: ` ${shellWord(options.isu)}` })
    throw otherwise('isu', `"${label}" has the ISU number ${isu_number} already.`, command)
  }
  steps.push({ step: 'device', state: 'already', detail: `${device.label} at ${device.premises_code}` })
  const isu = device.isu_number === null ? await chosenNumber(setup) : null
  if (isu === null) {
    noteNumber(setup, device, 'already')
    return device
  }
  const changed = await client.patch(`/v1/devices/${device.id}`, DeviceSchema, { isu_number: isu })
  noteNumber(setup, changed, 'done')
  return changed
}

async function chosenNumber({ options, prompter }: Setup): Promise<string | null> {
  if (options.isu === false) return null
  if (options.isu !== undefined) return checkIsuNumber('isu', options.isu)
  if (prompter === null) return null
  const check = (value: string) => (value === '' ? undefined : isuNumberFault(value))
  return (await prompter.text('ISU number (empty: not issued yet)', check)) || null
}

const PREMISES_FAULT = 'A premises code has 1 to 20 letters and digits, without accents.'

function noteNumber(
  { options, prompter, steps }: Setup,
  { label, isu_number }: DeviceView,
  state: 'done' | 'already',
): void {
  if (isu_number !== null) {
    steps.push({ step: 'isu_number', state, detail: isu_number })
    return
  }
  const left: Step = { step: 'isu_number', state: 'left', detail: withDeviceName('fisk isu set DEVICE NUMBER', label) }
  // The user has answered if the answer is that the number is not issued yet.
  steps.push(options.isu === false || prompter ? { ...left, optional: true } : left)
}
