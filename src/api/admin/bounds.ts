import type { Bound } from '../../domain/bound.ts'
import { PASSWORD_LENGTH, TOLD_LENGTH, USER_NAME_LENGTH } from '../../domain/text-lengths.ts'

const INVALID = '400 invalid_request'

/** What the operator may send over the admin socket, beyond what `/v1` takes. */
export const ADMIN_BOUNDS = {
  // Revocation lists of large issuers have a megabyte or two.
  trust: { most: 4 * 1024 * 1024, of: 'bytes of a JSON body with CA certificates', beyond: '413 request_too_large' },
  userName: { most: USER_NAME_LENGTH, of: 'characters of the name of a user', beyond: INVALID },
  password: { most: PASSWORD_LENGTH, of: 'characters of a password', beyond: INVALID },
  email: { most: 254, of: 'characters of a mail address', beyond: INVALID },
  keyName: { most: 200, of: 'characters of the name of an API key', beyond: INVALID },
  reason: { most: TOLD_LENGTH, of: 'characters of the reason of an extended deadline', beyond: INVALID },
  tenantName: { most: 63, of: 'characters of the name of a tenant', beyond: INVALID },
  commandType: { most: 60, of: 'characters of the type of a command', beyond: INVALID },
  serverUrl: { most: 500, of: 'characters of the address of a central server', beyond: INVALID },
  enrolmentToken: { most: 200, of: 'characters of an enrolment token', beyond: INVALID },
  serverCa: { most: 100_000, of: 'characters of the CA certificates of a central server', beyond: INVALID },
  statedNumber: { most: 120, of: 'characters of a statement about a receipt number', beyond: INVALID },
  statedNumbers: { most: 1000, of: 'statements about receipt numbers', beyond: INVALID },
  numberGap: { most: 1_000_000, of: 'receipt numbers that a replacement skips', beyond: INVALID },
  printerLine: { most: 500, of: 'characters of the line of a printer', beyond: INVALID },
  printerBytes: { most: 512, of: 'digits of the bytes before or after a receipt', beyond: INVALID },
  codePage: { most: 255, of: 'the number of a code page', beyond: INVALID },
  feedLines: { most: 20, of: 'lines that a printer feeds', beyond: INVALID },
  notTakenAfter: { most: 255, of: 'seconds until a presenter acts on a receipt that nobody takes', beyond: INVALID },
  answerTimeout: { most: 10_000, of: 'milliseconds for an answer of a printer', beyond: INVALID },
  confirmTimeout: { most: 120_000, of: 'milliseconds until a printer says that it is out', beyond: INVALID },
  baudRate: { most: 4_000_000, of: 'bits a second on a serial line', beyond: INVALID },
  expireAfter: { most: 3600, of: 'seconds until a receipt is not printed any more', beyond: INVALID },
} as const satisfies Record<string, Bound>
