import type { DeviceView } from '../../contract/v1/fleet.ts'
import { englishFields } from './columns.ts'
import type { Screen } from './screen.ts'

export function deviceText(device: DeviceView, screen: Screen): string {
  const { payment_method, receipt, ...others } = device.device_config
  return englishFields(screen, [
    ['device', device.label],
    ['id', device.id],
    ['company', device.company_id],
    ['premises', device.premises_code],
    ['address', device.premises_address],
    ['ISU number', device.isu_number ?? 'not issued yet: it cannot sell'],
    ['ISU status', device.isu_status],
    ['paid by', typeof payment_method === 'string' ? payment_method : null],
    ['receipt', receipt === undefined ? null : JSON.stringify(receipt)],
    ['config', Object.keys(others).length === 0 ? null : JSON.stringify(others)],
    ['status', device.status],
  ])
}
