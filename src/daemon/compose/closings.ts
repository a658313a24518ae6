import type { Logger } from 'pino'
import { createPeriodClosing, type PeriodClosing } from '../../fiscal/closings/close-period.ts'
import { type ClosingReceiptUseCases, createClosingReceipts } from '../../fiscal/closings/closing-receipts.ts'
import { type ClosingUseCases, createClosings } from '../../fiscal/closings/closings.ts'
import { type ClosingMailUseCases, createClosingMails } from '../../fiscal/closings/mail-closings.ts'
import type { OfficeMailing } from '../../fiscal/mail/office-mail.ts'
import type { ReceiptDrawing, Spool } from '../../fiscal/ports/printing.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import type { RunningClock } from './clocks.ts'

export interface ClosingDeps {
  store: Store
  clock: RunningClock
  log: () => Pick<Logger, 'error'>
  newUuid: () => string
  spool: Spool
  drawing: ReceiptDrawing
  mails: OfficeMailing
}

/** Closings of days and months. */
export interface Closings {
  useCases: ClosingUseCases
  receipts: ClosingReceiptUseCases
  mails: ClosingMailUseCases
  periods: PeriodClosing
}

export function composeClosings({ store, clock, log, newUuid, spool, drawing, mails }: ClosingDeps): Closings {
  const periods = createPeriodClosing({ store, clock, newUuid })
  const onFault = (error: unknown) => log().error({ err: error }, 'closing a period failed: close it again')
  const useCases = createClosings({ store, clock, newUuid, periods, onFault })
  const receipts = createClosingReceipts({ store, clock, spool, drawing, closings: useCases })
  return { periods, useCases, receipts, mails: createClosingMails({ mails, clock }) }
}
