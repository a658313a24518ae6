/** One press of the button, as the trial made it. */
export interface Sale {
  /** The word that names it between trial and firmware. */
  word: string
  total: string
  method: 'G' | 'K' | 'O'
  /** Epoch milliseconds. */
  pressedAt: number
  /** The life of the firmware in which it was pressed. */
  life: number
}

/** What the firmware got back, if a whole answer reached it. */
export interface Answer {
  status: number
  /** Epoch milliseconds at which its last byte went out. */
  at: number
  retryAfterS: number | null
  qrPayload: string | null
  /** The totals of the invoices in an answer to `GET /v1/invoices`. */
  found: string[]
}

export type Shown = 'first' | 'renewed' | 'foreign' | 'misnamed'

export interface Attempt {
  /** The firmware's process: 1, and one more after each kill. */
  life: number
  /** Epoch milliseconds at which its head had come. */
  at: number
  method: string
  path: string
  /** Null where the header is missing. */
  key: string | null
  authorization: string | null
  contentType: string | null
  requestId: string
  body: Buffer
  /** Null where the body is no JSON object. */
  json: Record<string, unknown> | null
  /** The sale that it posts; null for any other request. */
  sale: Sale | null
  shown: Shown
  /** Null until a whole answer went out. */
  answer: Answer | null
  /** `left`: the firmware hung up first. `cut`: the trial did, or it ended the firmware. */
  end: 'open' | 'answered' | 'cut' | 'left'
  endedAt: number
  /** What the trial did to it, for people. */
  note: string
}

/** A line that the firmware printed for the trial. */
export interface Spoken {
  kind: 'goods' | 'refused' | 'screen'
  word: string
  /** Of a screen. */
  text: string
  at: number
  life: number
}

export interface Ending {
  life: number
  /** The trial killed it. */
  killed: boolean
  code: number | null
  signal: string | null
  /** It had to be ended because it did not end after its input did. */
  overdue: boolean
}

export interface StoredSale {
  id: string
  number: number
  total: string
  /** What the tax authority would find in it. */
  findings: string[]
}

export interface Evidence {
  startedAt: number
  deviceId: string
  /** The API keys that the firmware was given, one after another. */
  keys: string[]
  /** The life from which on the clock of the firmware was a day later; null where it never was. */
  dayLaterIn: number | null
  sales: Sale[]
  attempts: Attempt[]
  spoken: Spoken[]
  endings: Ending[]
  stored: StoredSale[]
  /** A person pressed the buttons and said what came out: the times of that mean nothing. */
  byHand: boolean
}

/** The attempts to post a sale, in their order. */
export const attemptsOf = ({ attempts }: Evidence, sale: Sale): Attempt[] =>
  attempts.filter((attempt) => attempt.sale === sale)

export const spokenOf = ({ spoken }: Evidence, sale: Sale, kind: Spoken['kind']): Spoken[] =>
  spoken.filter((one) => one.kind === kind && one.word === sale.word)

/** Whether a sale may be stored by an attempt that had no answer of fiskd. */
const isUnknown = ({ answer }: Attempt) => answer === null || answer.status >= 500 || answer.status < 400

/** 401 and 403 are decided before the sale is looked for: they say nothing about the attempts before. */
export const isDoubtful = ({ answer }: Attempt, n: number, attempts: readonly Attempt[]): boolean =>
  [401, 403].includes(Number(answer?.status)) && attempts.slice(0, n).some(isUnknown)

/** An answer that ends a sale: it is valid, or it was refused for good. */
export const isFinal = (attempt: Attempt, n: number, attempts: readonly Attempt[]): boolean => {
  const status = Number(attempt.answer?.status)
  const isRefused = status >= 400 && status < 500 && status !== 429
  return status === 200 || (isRefused && !isDoubtful(attempt, n, attempts))
}

export const isRefusal = (attempt: Attempt, n: number, attempts: readonly Attempt[]): boolean =>
  isFinal(attempt, n, attempts) && attempt.answer?.status !== 200

/** Whether the firmware had looked among the invoices by then, and found the sale. */
export const isFoundBy = ({ attempts }: Evidence, sale: Sale, at: number): boolean =>
  attempts.some(({ answer }) => answer !== null && answer.at <= at && answer.found.includes(sale.total))

export const successOf = (evidence: Evidence, sale: Sale): Attempt | undefined =>
  attemptsOf(evidence, sale).find((attempt) => attempt.answer?.status === 200)
