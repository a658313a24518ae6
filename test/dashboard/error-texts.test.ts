import { expect, test } from 'vitest'
import { croatianOfCode } from '../../src/dashboard/error-texts.ts'
import { viewOfCommand } from '../../src/dashboard/gateways/command-view.ts'
import { texts } from '../../src/dashboard/gateways/texts.ts'
import { ERRORS } from '../../src/domain/errors.ts'
import { FISCAL_ERRORS } from '../../src/domain/sale/invoice.ts'
import type { CommandView } from '../../src/fiscal/gateways/command-list.ts'

test('every code of a refusal that says anything by itself has Croatian words', () => {
  const codes = Object.keys({ ...ERRORS, ...FISCAL_ERRORS })
  expect(codes.filter((code) => croatianOfCode(code) === null)).toEqual(['invalid_request'])
  expect(codes.filter((code) => /`|\b(the|is|of)\b/.test(croatianOfCode(code) ?? ''))).toEqual([])
  expect(croatianOfCode('toString')).toBeNull()
  expect(croatianOfCode('of_a_newer_gateway')).toBeNull()
})

test('what a gateway has refused is told in Croatian, above what it said itself', () => {
  const error = { code: 'hr.certificate_oib_mismatch', message: 'this certificate is of another OIB', param: null }
  const command = { id: 'c', type: 'certificate.add', status: 'failed', result: { error }, body: {}, issuedBy: 'u' }
  const view = { command, attachment: null } as unknown as CommandView
  const seen = (language: 'hr' | 'en') => viewOfCommand(view, 'kiosk', () => 'ana', texts[language], language)
  expect(seen('hr')).toMatchObject({
    errorText: 'Certifikat je izdan na drugi OIB. Učitajte certifikat koji glasi na OIB ove tvrtke.',
    error: error.message,
  })
  expect(seen('en')).toMatchObject({ errorText: null, error: error.message })
})
