import { XmlDocument, type XmlElement } from 'libxml2-wasm'
import { expect, test } from 'vitest'
import { writeMessage } from '../../../src/cis/message/invoice-message.ts'
import { signMessage } from '../../../src/cis/message/sign-message.ts'
import { zkiText } from '../../../src/domain/sale/zki-text.ts'
import type { FiscalMessage } from '../../../src/fiscal/ports/tax-authority.ts'
import { hasOfficialSchema, officialSchema } from '../../support/official-schema.ts'
import { F73 } from '../support/answers.ts'
import { AWKWARD, document, fullDocument, identityOf, MESSAGE_ID, message, SUMMER } from '../support/messages.ts'

/** Leaf elements below Racun, by path. */
function leavesOf(xml: string): [string, string][] {
  const parsed = XmlDocument.fromString(xml)
  try {
    const leaves = parsed.find('//t:Racun//*[not(*)]', { t: F73 }) as XmlElement[]
    return leaves.map((leaf) => [pathOf(leaf), leaf.content])
  } finally {
    parsed.dispose()
  }
}

function pathOf(element: XmlElement): string {
  const parent = element.parent
  return !parent || parent.name === 'Racun' ? element.name : `${pathOf(parent)}/${element.name}`
}

test('a sale with nothing optional holds the mandatory elements in the order of the schema and nothing else', async () => {
  expect(leavesOf(writeMessage(await message()).xml)).toEqual([
    ['Oib', '02994650199'],
    ['USustPdv', 'true'],
    ['DatVrijeme', '01.07.2026T10:15:30'],
    ['OznSlijed', 'P'],
    ['BrRac/BrOznRac', '123'],
    ['BrRac/OznPosPr', 'POSL1'],
    ['BrRac/OznNapUr', '12'],
    ['IznosUkupno', '2.50'],
    ['NacinPlac', 'G'],
    ['OibOper', '02994650199'],
    ['ZastKod', '0123456789abcdef0123456789abcdef'],
    ['NakDost', 'false'],
  ])
})

test('a refund with every optional field keeps the order of the schema and every character', async () => {
  const leaves = leavesOf(writeMessage(await message({ document: fullDocument(), lateDelivery: true })).xml)
  expect(leaves.slice(7)).toEqual([
    ['Pdv/Porez/Stopa', '25.00'],
    ['Pdv/Porez/Osnovica', '-80.00'],
    ['Pdv/Porez/Iznos', '-20.00'],
    ['Pdv/Porez/Stopa', '0.00'],
    ['Pdv/Porez/Osnovica', '-1.00'],
    ['Pdv/Porez/Iznos', '0.00'],
    ['Pnp/Porez/Stopa', '3.00'],
    ['Pnp/Porez/Osnovica', '-10.00'],
    ['Pnp/Porez/Iznos', '-0.30'],
    ['OstaliPor/Porez/Naziv', AWKWARD],
    ['OstaliPor/Porez/Stopa', '15.00'],
    ['OstaliPor/Porez/Osnovica', '-10.00'],
    ['OstaliPor/Porez/Iznos', '-1.50'],
    ['IznosOslobPdv', '-1.00'],
    ['IznosMarza', '-2.00'],
    ['IznosNePodlOpor', '-3.00'],
    ['Naknade/Naknada/NazivN', AWKWARD],
    ['Naknade/Naknada/IznosN', '-0.07'],
    ['Naknade/Naknada/NazivN', 'Povratna naknada'],
    ['Naknade/Naknada/IznosN', '-0.10'],
    ['IznosUkupno', '-105.50'],
    ['NacinPlac', 'O'],
    ['OibOper', '02994650199'],
    ['ZastKod', '0123456789abcdef0123456789abcdef'],
    ['NakDost', 'true'],
    ['ParagonBrRac', AWKWARD],
    ['SpecNamj', AWKWARD],
    ['OibPrimateljaRacuna', '18683136487'],
  ])
})

test('the header carries the message id and the moment of sending, not of the sale', async () => {
  const { xml, id } = writeMessage(await message())
  expect(xml).toContain(
    `Id="${id}"><tns:Zaglavlje><tns:IdPoruke>${MESSAGE_ID}</tns:IdPoruke>` +
      '<tns:DatumVrijeme>01.07.2026T10:16:00</tns:DatumVrijeme></tns:Zaglavlje>',
  )
})

test('the moment of the sale has a T in the message where the text of the ZKI has a space', async () => {
  const sale = { ...document(), totalCents: 250n }
  expect(writeMessage(await message()).xml).toContain('<tns:DatVrijeme>01.07.2026T10:15:30</tns:DatVrijeme>')
  expect(zkiText(sale)).toBe('0299465019901.07.2026 10:15:30123POSL1122.50')
})

test('winter and summer time are those of Zagreb', async () => {
  const winter = await message({ document: document({ occurredAt: Date.UTC(2026, 0, 31, 23, 30, 5) }) })
  expect(writeMessage(winter).xml).toContain('<tns:DatVrijeme>01.02.2026T00:30:05</tns:DatVrijeme>')
})

test('a re-send differs in message id, sending time and late delivery only', async () => {
  const first = writeMessage(await message({ document: fullDocument() }))
  const again: Partial<FiscalMessage> = {
    messageId: '00000000-0000-4000-8000-000000000001',
    sentAt: SUMMER + 86_400_000,
    lateDelivery: true,
  }
  const second = writeMessage(await message({ document: fullDocument(), ...again }))
  expect(second.id).not.toBe(first.id)
  const restored = second.xml
    .replaceAll('00000000-0000-4000-8000-000000000001', MESSAGE_ID)
    .replace('02.07.2026T10:15:30', '01.07.2026T10:16:00')
    .replace('<tns:NakDost>true', '<tns:NakDost>false')
  expect(restored).toBe(first.xml)
})

test.skipIf(!hasOfficialSchema)('signed messages fit the official schema', async () => {
  const validator = officialSchema()
  const identity = await identityOf()
  const validate = async (sent: FiscalMessage) => {
    const parsed = XmlDocument.fromString((await signMessage(writeMessage(sent), identity)).toString())
    try {
      validator.validate(parsed)
    } finally {
      parsed.dispose()
    }
  }
  // The recipient's OIB was added to the schema after version 1.7.
  const full = fullDocument({ recipientOib: null })
  await validate(await message())
  await validate(await message({ document: full, lateDelivery: true }))
  await validate(await message({ document: document({ registerMark: '1'.repeat(20), number: '9'.repeat(20) }) }))
  const wrong = await message({ document: document({ total: '2.5' }) })
  await expect(validate(wrong)).rejects.toThrow('IznosUkupno')
  validator.dispose()
})
