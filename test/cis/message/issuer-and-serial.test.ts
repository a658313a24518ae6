import { X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { issuerAndSerial } from '../../../src/cis/message/issuer-and-serial.ts'
import { pki } from '../../support/pki.ts'

test('an issuer is written most specific part first, special characters escaped', async () => {
  const company = await pki.issueCompany({ oib: '02994650199', name: ' Čaj, "kava" + #1; <d.o.o.> ', selfSigned: true })
  expect(issuerAndSerial(company.certDer).issuerName).toBe(
    'CN=FISKAL 1,L=Zagreb,2.5.4.97=#0c0d4852' +
      `${Buffer.from('02994650199').toString('hex')},O=\\ Čaj\\, \\"kava\\" \\+ #1\\; \\<d.o.o.\\>\\ ,C=HR`,
  )
})

test('a serial is written in decimal, however long', async () => {
  const { certDer } = await pki.issueCompany({ oib: '02994650199' })
  const { serialNumber } = issuerAndSerial(certDer)
  expect(BigInt(serialNumber).toString(16).toUpperCase()).toBe(new X509Certificate(certDer).serialNumber)
})
