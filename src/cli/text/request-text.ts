import type { AuthorityRequestView } from '../../contract/admin/authority-requests.ts'
import { fields } from './columns.ts'
import { localTime } from './times.ts'

const STATES: Record<AuthorityRequestView['state'], string> = {
  sent: 'not answered yet',
  done: 'done',
  refused: 'refused by the tax authority',
  unknown: 'not known: look what the tax authority has before you repeat it',
}

export function requestText(request: AuthorityRequestView): string {
  return fields([
    ['outcome', STATES[request.state]],
    ['answer', request.message],
    ['code', request.code],
    ['premises', request.premises_code],
    ['invoice', request.invoice_id],
    ['sent', localTime(request.sent_at)],
  ])
}
