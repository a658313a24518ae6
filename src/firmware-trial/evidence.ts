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
  /** `qr_payload` of a sale. */
  qrPayload: string | null
  /** The totals of the invoices in an answer to `GET /v1/invoices`. */
  found: string[]
}

/** Which certificate the connection was made with. */
export type Shown = 'first' | 'renewed' | 'foreign'

/** One request of the firmware. */
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

/** How one process of the firmware ended. */
export interface Ending {
  life: number
  /** The trial killed it. */
  killed: boolean
  code: number | null
  signal: string | null
  /** It had to be ended because it did not end after its input did. */
  overdue: boolean
}

/** A sale as fiskd has stored it. */
export interface StoredSale {
  id: string
  number: number
  total: string
}

/** Everything that is known of one scenario when it is judged. */
export interface Evidence {
  startedAt: number
  deviceId: string
  key: string
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

/** What the firmware printed about a sale. */
export const spokenOf = ({ spoken }: Evidence, sale: Sale, kind: Spoken['kind']): Spoken[] =>
  spoken.filter((one) => one.kind === kind && one.word === sale.word)

/** An answer that ends a sale: it is valid, or it was refused for good. */
export const isFinal = (attempt: Attempt): boolean =>
  attempt.answer !== null && attempt.answer.status < 500 && attempt.answer.status !== 429

export const isRefusal = (attempt: Attempt): boolean => isFinal(attempt) && Number(attempt.answer?.status) >= 400

/** Whether the firmware had looked among the invoices by then, and found the sale. */
export const isFoundBy = ({ attempts }: Evidence, sale: Sale, at: number): boolean =>
  attempts.some(({ answer }) => answer !== null && answer.at <= at && answer.found.includes(sale.total))

/** The first attempt that was answered with a valid sale. */
export const successOf = (evidence: Evidence, sale: Sale): Attempt | undefined =>
  attemptsOf(evidence, sale).find((attempt) => attempt.answer?.status === 200)
