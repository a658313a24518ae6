import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { issuerAndSerial } from '../../../src/cis/message/sign-message.ts'
import { pki } from '../../support/pki.ts'

test('an issuer is written most specific part first, special characters escaped, as messages write it that got a JIR', async () => {
  const company = await pki.issueCompany({ oib: '02994650199', name: ' Čaj, "kava" + #1; <d.o.o.> ', selfSigned: true })
  expect(issuerAndSerial(company.certDer).issuerName).toBe(
    'CN=FISKAL 1,L=Zagreb,organizationIdentifier=HR02994650199,' +
      'O=\\ Čaj\\, \\"kava\\" \\+ #1\\; \\<d.o.o.\\>\\ ,C=HR',
  )
})

test('a serial is written in decimal, however long', async () => {
  const { certDer } = await pki.issueCompany({ oib: '02994650199' })
  const { serialNumber } = issuerAndSerial(certDer)
  expect(BigInt(serialNumber).toString(16).toUpperCase()).toBe(new X509Certificate(certDer).serialNumber)
})
