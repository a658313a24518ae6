import { FiskError } from '../../domain/errors.ts'
import { PROTOCOL } from '../wire/messages.ts'

/** @throws FiskError `sync_protocol_unsupported` */
export function requireProtocol(protocol: number, program: string): void {
  if (protocol === PROTOCOL) return
  throw new FiskError(
    'sync_protocol_unsupported',
    `the gateway speaks version ${protocol} of the sync protocol, this server (fiskd ${program}) version ${PROTOCOL}`,
    { param: 'protocol' },
  )
}
