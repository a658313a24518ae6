import { describe, expect, test } from 'vitest'
import { createFormats } from '../../src/dashboard/formats.ts'
import { detailTexts } from '../../src/dashboard/invoices/detail-texts.ts'
import { explain } from '../../src/dashboard/invoices/explanation.ts'
import { INVOICE_STATUSES } from '../../src/domain/sale/invoice.ts'
import { AGES } from '../../src/domain/sale/invoice-age.ts'
import type { InvoiceGateway } from '../../src/fiscal/office/search.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-25T12:00:00Z')
const DAYS_AGO = { young: 0.1, older: 10, day_21: 22, day_25: 26, day_28: 29, too_late: 31 }
const GATEWAYS: Record<string, InvoiceGateway | null> = {
  own: null,
  connected: { name: 'kiosk-1' },
  silent: { name: 'kiosk-1', silentSince: NOW - 3 * DAY },
}
const ALL = INVOICE_STATUSES.flatMap((status) =>
  AGES.flatMap((age) => Object.keys(GATEWAYS).map((gateway) => ({ status, age, gateway }))),
)

function told({ status, age, gateway }: (typeof ALL)[number], language: 'hr' | 'en' = 'hr') {
  const occurredAt = NOW - DAYS_AGO[age] * DAY
  const invoice = {
    ...{ status, occurredAt, deadlineAt: occurredAt + 30 * DAY, lateDelivery: false },
    ...{ mode: 'live' as const, companyId: 'ours' },
    confirmedAt: status === 'confirmed' ? occurredAt : null,
    errorCode: status === 'failed' ? ('upstream_rejected' as const) : null,
    errorMessage: null,
  }
  const means = { t: detailTexts[language], f: createFormats(() => NOW)(language), now: NOW, language }
  const place = { gateway: GATEWAYS[gateway] ?? null, breaks: [] }
  const said = explain({ invoice: invoice as never, hasFindings: false, ...place, answer: null }, means)
  return { ...said, text: [said.what, ...said.next, ...said.until].join(' ') }
}

describe.each(ALL)('an invoice that is $status, of age $age, of a gateway that is $gateway', (state) => {
  const { status, age, gateway } = state
  const { kind, text, until } = told(state)
  const isSettled = status === 'confirmed' || status === 'expired'
  const isTooLate = age === 'too_late' || status === 'expired'

  test('says that there is nothing to do only where that is so', () => {
    const isWell = status === 'confirmed' || (status === 'retrying' && age === 'young' && gateway !== 'silent')
    expect(text.toLowerCase().includes('ne treba učiniti ništa')).toBe(isWell)
  })

  test('says what to do once the legal time is over, and does not offer what cannot help any more', () => {
    if (status === 'confirmed' || (age === 'young' && status !== 'expired')) return
    if (isTooLate) {
      expect(text).toContain('kako prijaviti prodaju')
      expect(text).not.toContain('Pošalji ponovno')
      expect(text).not.toContain('prima ga najkasnije')
    } else {
      expect(text).toMatch(/[Kk]liknite „Pošalji ponovno”|Provjerite ima li ondje struje/)
      expect(text).toContain('Zakonski rok za dostavu (dva radna dana) istekao je')
    }
  })

  test('says how little time is left in the last five days', () => {
    const isCounted = !isSettled && (age === 'day_25' || age === 'day_28')
    expect(text.includes('preostalo je manje od')).toBe(isCounted)
    if (status === 'retrying' && age === 'day_28') expect(kind).toBe('bad')
  })

  test('says since when its gateway is silent, and that it may have been sent meanwhile', () => {
    expect(text.includes('ne javlja se od 22. 11. 2026.')).toBe(gateway === 'silent' && !isSettled)
    expect(text.includes('je li račun u međuvremenu poslan')).toBe(gateway === 'silent' && !isSettled)
  })

  test('names both ends of its time while it can get a JIR, and that it is over afterwards', () => {
    if (isSettled || (status === 'pending' && age === 'young' && gateway !== 'silent')) expect(until).toEqual([])
    else if (isTooLate) expect(until).toHaveLength(1)
    else expect(until).toHaveLength(2)
  })

  test('says as much in English', () => {
    const english = told(state, 'en')
    expect(english.next).toHaveLength(told(state).next.length)
    expect(english.text).not.toMatch(/[čćžšđ]/)
  })
})
