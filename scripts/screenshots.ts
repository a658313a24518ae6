import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { UserSchema } from '../src/contract/admin/access.ts'
import { ListOf } from '../src/contract/list.ts'
import { type Browser, openBrowser, SCREENS, type Screen, type Visitor } from '../test/support/browser.ts'
import { type Instance, openScreenshotEnvironment } from './screenshots/environment.ts'
import { type Filled, fill } from './screenshots/fill.ts'
import { type Shot, shotsOf } from './screenshots/pages.ts'

/**
 * Pictures of every page, at a desk and on a phone, light and dark, from a central server and its gateways that have sold
 * for two days; in English those that tell the most. They lie in `docs/screenshots`.
 */
const FOLDER = join(import.meta.dirname, '../docs/screenshots')
const DAY_MS = 86_400_000
const IN_ENGLISH = ['overview', 'invoices', 'invoice-waiting', 'device', 'alerts']
const MOST_HEIGHT = 1300
const PASSWORD = 'lozinka za slike'

const ends: (() => Promise<void>)[] = []
try {
  const today = Date.now()
  const house = await openScreenshotEnvironment(today - 26 * DAY_MS)
  ends.push(house.close)
  say('filling ...')
  const filled = await fill(house, today)
  await mkdir(FOLDER, { recursive: true })
  const faults = [...(await photograph(filled, 'hr')), ...(await photograph(filled, 'en'))]
  for (const fault of faults) say(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
} finally {
  for (const end of ends.toReversed()) await end()
}

async function photograph(filled: Filled, language: 'hr' | 'en'): Promise<string[]> {
  const browsers = { server: await browserOf(filled.server), kiosk: await browserOf(filled.kiosk) }
  const shots = shotsOf(filled, await idsOf(filled)).filter(
    ({ name }) => language === 'hr' || IN_ENGLISH.includes(name),
  )
  for (const screen of ['desktop', 'phone'] as const) {
    for (const theme of ['light', 'dark'] as const) {
      if (language === 'en' && theme === 'dark') continue
      for (const at of ['server', 'kiosk'] as const) {
        const visitor = await browsers[at].visitor({ language, screen, theme })
        await signIn(filled[at], visitor, language)
        for (const shot of shots)
          if ((shot.at ?? 'server') === at) await take(visitor, shot, { screen, theme, language })
        await visitor.context.close()
      }
    }
  }
  return Object.values(browsers).flatMap(({ faults }) => faults)
}

async function take(
  { page, open }: Visitor,
  shot: Shot,
  { screen, theme, language }: { screen: Screen; theme: string; language: string },
): Promise<void> {
  await open(shot.path)
  await shot.prepare?.(page)
  const name = [shot.name, screen, theme, ...(language === 'en' ? ['en'] : [])].join('-')
  const { width, height } = SCREENS[screen]
  // Of a long page as much as somebody looks at.
  const whole = Number(await page.evaluate('document.documentElement.scrollHeight'))
  const clip = {
    x: 0,
    y: 0,
    width,
    height: Math.max(height, Math.min(whole, screen === 'desktop' ? MOST_HEIGHT : height)),
  }
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true, clip, animations: 'disabled' })
  say(name)
}

function browserOf(instance: Instance): Promise<Browser> {
  return openBrowser(instance, (end) => ends.push(end))
}

async function signIn(instance: Instance, { page, open }: Visitor, language: string): Promise<void> {
  const name = `ana-${language}`
  const user = { name, password: PASSWORD, role: 'admin', language, email: 'ana@kava.example' }
  const { data } = await instance.admin.get('/admin/users', ListOf(Type.Object({ name: Type.String() }), 'Users'))
  if (!data.some((one) => one.name === name)) await instance.admin.post('/admin/users', UserSchema, user)
  await open('/sign-in')
  await page.fill('input[name=name]', name)
  await page.fill('input[name=password]', PASSWORD)
  await page.click('main button')
  await page.waitForURL(/\/dashboard$/)
}

async function idsOf({ server, kiosk }: Filled) {
  const first = async (instance: Instance, path: string) => {
    const { data } = await instance.admin.get(path, ListOf(Type.Object({ id: Type.String() }), 'List'))
    return String(data[0]?.id)
  }
  return {
    device: await first(kiosk, '/v1/devices'),
    company: await first(kiosk, '/v1/companies'),
    gateway: await first(server, '/admin/gateways'),
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}
