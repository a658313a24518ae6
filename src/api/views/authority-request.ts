import { AuthorityRequestSchema, type HoursView } from '../../contract/admin/authority-requests.ts'
import { statedHours } from '../../domain/hours/hours-text.ts'
import type { AskedRequest } from '../../fiscal/ports/rows/authority-requests.ts'
import type { AuthorityAnswer } from '../../fiscal/ports/tax-authority.ts'
import { view } from './view.ts'

export const requestView = (request: AskedRequest) =>
  view(AuthorityRequestSchema, { ...request, asked: { ...request.asked } })

const NONE = { code: null, message: null, regular: [], exceptions: [] }

export function hoursView(answer: AuthorityAnswer): HoursView {
  switch (answer.kind) {
    case 'hours':
      return { ...NONE, state: 'done', ...statedHours(answer.hours) }
    case 'refused': {
      const [{ code, message }] = answer.errors
      return { ...NONE, state: 'refused', code, message }
    }
    case 'done':
      return { ...NONE, state: 'done', code: answer.code, message: answer.message }
    case 'unknown':
      return { ...NONE, state: 'unknown', message: answer.message }
  }
}
