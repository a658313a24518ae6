import type { NewGatewayView } from '../../contract/admin/gateways.ts'
import { fields, paragraph } from '../text/columns.ts'
import type { Screen } from '../text/screen.ts'
import { localTime } from '../text/times.ts'
import { translate } from '../words/translate.ts'
import type { Step } from './setup.ts'
import { stepsText } from './summary.ts'

/** What `fisk init --role server --json` prints for a server on PostgreSQL. */
export interface CentralServerResult {
  steps: Step[]
  /** Where gateways and browsers reach it, through the load balancer. */
  addresses: string[]
  /** How many processes this machine runs. */
  processes: number
  /** Null when this run made none. */
  gateway: NewGatewayView | null
}

const BALANCER = '/usr/lib/fiskd/systemd/haproxy.cfg'

/** The closing page: what was done, how people and gateways reach it, what comes next. */
export function centralServerText(
  { steps, addresses, processes, gateway }: CentralServerResult,
  screen: Screen,
): string {
  const say = (text: string) => translate(text, screen.language)
  const [address = ''] = addresses
  const reached = fields(
    [
      ['dashboard', addresses.map((one) => `${one}/dashboard`).join(' or ')],
      ['gateways', addresses.join(' or ')],
    ],
    screen,
  )
  const token =
    gateway === null
      ? ''
      : `\n${say(`Token of the first gateway, shown only now, good until ${localTime(gateway.token_expires_at)}:`)}\n\n` +
        `  ${gateway.token}\n\n${say('On that machine:')}\n  sudo fisk sync enroll ${address} TOKEN\n`
  const lines = `in both backends a line for each process (${processes} here)`
  const balancer = `have a load balancer stand before them. Debian's haproxy does with ${BALANCER}: ${lines}`
  return `\n${stepsText(steps, screen)}\n${reached}${token}\n${paragraph('Next: ', `${balancer}; then fisk status`, screen)}`
}
