import { CompanySchema } from '../../contract/v1/fleet.ts'
import { resolveVatBase } from '../../domain/sale/config-chain.ts'
import { allRows } from '../daemon/lists.ts'
import { paragraph } from '../text/columns.ts'
import { announce, type Setup, type SetupCompany } from './setup.ts'

const QUESTION = 'Does the machine sell bottles or cans with a deposit?'
const EXAMPLE = '"total":"1.50","fees":[{"name":"Povratna naknada","amount":"0.10"}]'

/** Says how the firmware sends a deposit. Nothing is configured: it is not in each sale, and not the same in each. */
export async function depositStep(
  { prompter, session, client }: Pick<Setup, 'prompter' | 'session' | 'client'>,
  { oib }: Pick<SetupCompany, 'oib'>,
): Promise<void> {
  if (!(await prompter?.confirm(QUESTION, false))) return
  announce(session, 'The firmware sends the deposit as a fee, which is a part of the total:')
  session.print(paragraph('  ', EXAMPLE, { ...session.screen, language: 'en' }))
  const company = (await allRows(client, '/v1/companies', CompanySchema)).find((one) => one.oib === oib)
  if (!company?.vat_registered) return
  const isTaxed = resolveVatBase(company.fiscal_config) === 'total'
  announce(
    session,
    isTaxed
      ? `It bears no VAT, but VAT at the default rate is taken out of the whole total here. Change this: fisk company set ${oib} --config default_vat_base=taxable`
      : 'It bears no VAT, and VAT at the default rate leaves it out.',
  )
  const sent = 'Where the firmware sends vat, it leaves the deposit out of the base. See docs/firmware.md, Deposits.'
  session.print(`${paragraph('', sent, session.screen)}\n`)
}
