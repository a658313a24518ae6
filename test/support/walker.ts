import type { Page } from 'playwright-core'
import { texts as account } from '../../src/dashboard/account/texts.ts'
import { texts as alerts } from '../../src/dashboard/alerts/texts.ts'
import { texts as companies } from '../../src/dashboard/companies/texts.ts'
import { texts as devices } from '../../src/dashboard/devices/texts.ts'
import { detailTexts } from '../../src/dashboard/invoices/detail-texts.ts'
import { texts as invoices } from '../../src/dashboard/invoices/texts.ts'
import { texts as keys } from '../../src/dashboard/keys/texts.ts'
import { texts as signIn } from '../../src/dashboard/sign-in/texts.ts'
import { texts as common } from '../../src/dashboard/texts.ts'
import { texts as users } from '../../src/dashboard/users/texts.ts'
import type { Language } from '../../src/fiscal/ports/model.ts'
import type { Gateway } from './gateway.ts'

const PASSWORD = 'a long test password'

/** What the pages say in one language, by page. */
export function wordsIn(language: Language) {
  return {
    ...{ common: common[language], signIn: signIn[language], account: account[language], alerts: alerts[language] },
    ...{ companies: companies[language], devices: devices[language], keys: keys[language] },
    invoices: invoices[language],
    invoice: detailTexts[language],
    users: users[language],
  }
}

/** Somebody who finds what to press and where to write by what stands there, as people and screen readers do. */
export interface Walker {
  /** A link or a button of this name; what it leads to has been loaded then. */
  press(name: string): Promise<void>
  /** Writes into the field of this label. */
  write(label: string, text: string): Promise<void>
  choose(label: string, option: string): Promise<void>
  tick(label: string): Promise<void>
  attach(label: string, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void>
  /** What the page says, without its frame, in one line. */
  read(): Promise<string>
}

export function walkerOn(page: Page): Walker {
  const main = page.locator('main')
  const labelled = (label: string) => main.getByLabel(new RegExp(`^${escaped(label)}( \\(|$)`))
  return {
    async press(name) {
      const named = { name, exact: true }
      const target = page.getByRole('link', named).or(page.getByRole('button', named)).first()
      await Promise.all([page.waitForEvent('load'), target.click()])
    },
    write: (label, text) => labelled(label).fill(text),
    async choose(label, option) {
      await labelled(label).selectOption({ label: option })
    },
    tick: (label) => labelled(label).check(),
    attach: (label, file) => labelled(label).setInputFiles(file),
    read: async () => (await main.innerText()).replace(/\s+/g, ' '),
  }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Adds an administrator as a technician does, by the command line, and signs in at a browser. */
export async function signInAs(gateway: Gateway, page: Page, language: Language): Promise<string> {
  const name = `walker-${language}@example.hr`
  await gateway.admin('/admin/users', { body: { name, password: PASSWORD, role: 'admin', language } })
  const { signIn: t } = wordsIn(language)
  const walker = walkerOn(page)
  await page.goto('/dashboard')
  await walker.write(t.name, name)
  await walker.write(t.password, PASSWORD)
  await walker.press(t.submit)
  return name
}
