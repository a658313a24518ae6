import { expect, test } from 'vitest'
import { depositStep } from '../../src/cli/setup/deposit-step.ts'

const OIB = '02994650199'

/** What the wizard says to somebody whose machine sells deposits. */
async function saidOf(company: object): Promise<string> {
  let said = ''
  const setup = {
    prompter: { confirm: async () => true },
    client: {
      get: async () => ({
        data: [{ oib: OIB, vat_registered: true, fiscal_config: {}, ...company }],
        next_cursor: null,
      }),
    },
    session: {
      print(text: string) {
        said += text
      },
      screen: { columns: 1000, language: 'en' },
      wantsJson: () => false,
    },
  }
  await depositStep(setup as never, { oib: OIB })
  expect(said).toContain('"fees":[{"name":"Povratna naknada","amount":"0.10"}]')
  return said
}

test('what is said of the VAT on a deposit is what happens at the company at hand', async () => {
  const command = `fisk company set ${OIB} --config default_vat_base=taxable`
  const leftOut = await saidOf({ fiscal_config: { default_vat_base: 'taxable' } })
  expect(leftOut).toContain('VAT at the default rate leaves it out')
  expect(leftOut).not.toContain(command)
  for (const fiscal_config of [{}, { default_vat_base: 'total' }])
    expect(await saidOf({ fiscal_config })).toContain(`taken out of the whole total here. Change this: ${command}`)
  expect(await saidOf({ vat_registered: false })).not.toContain('VAT')
})
