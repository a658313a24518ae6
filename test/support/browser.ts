import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'

/** Debian's. */
const CHROMIUM = '/usr/bin/chromium'

/** 1280 by 800, as on a desk, what a phone shows in the hand, and the least that a page has to fit into (WCAG 1.4.10). */
export const SCREENS = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
  narrow: { width: 320, height: 640 },
} as const
export type Screen = keyof typeof SCREENS

export interface Visitor {
  page: Page
  context: BrowserContext
  /** The page below /dashboard, such as `/invoices`. @throws Error when there is none */
  open(path: string): Promise<void>
}

export interface Browser {
  /** Somebody at a browser of their own: nobody is signed in. */
  visitor(options?: {
    language?: 'hr' | 'en'
    screen?: Screen
    theme?: 'light' | 'dark'
    script?: boolean
  }): Promise<Visitor>
  /**
   * What no visitor may meet, for people: messages on the console, errors of scripts, requests to other hosts, reports of
   * the content security policy, answers that no page of ours gives.
   */
  faults: string[]
}

/** What a page answers to a form that is not filled in well; the browser calls that an error, too. */
const REFUSED_FORM = / 422 /

/**
 * Chromium, which takes the server for what its certificate says: the certificate of this one server is pinned, every
 * other would be refused, and there is no other host in its world.
 * @param server where it answers, and its data directory
 */
export async function openBrowser(
  server: { url: string; dataDir: string },
  atTheEnd: (close: () => Promise<void>) => void,
): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      // Chromium has no sandbox for root, in whose name a build may run.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--ignore-certificate-errors-spki-list=${pinOf(server.dataDir)}`,
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  })
  atTheEnd(() => browser.close())
  const faults: string[] = []
  const { origin } = new URL(server.url)

  function watch(page: Page): void {
    const note = (what: string) => faults.push(`${what} on ${page.url()}`)
    page.on('console', (message) => {
      if (['error', 'warning', 'assert'].includes(message.type()) && !REFUSED_FORM.test(message.text()))
        note(`console: ${message.text()}`)
    })
    page.on('pageerror', (error) => note(`script: ${error.message}`))
    page.on('crash', () => note('crash'))
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (!['data:', 'blob:', 'about:'].includes(url.protocol) && url.origin !== origin) note(`other host: ${url.href}`)
      if (url.pathname.endsWith('/csp-report')) note(`policy: ${request.postData()}`)
    })
    page.on('response', (response) => {
      if (response.status() >= 500) note(`${response.status()} from ${response.url()}`)
    })
  }

  return {
    faults,
    async visitor({ language = 'hr', screen = 'desktop', theme = 'light', script = true } = {}) {
      const context = await browser.newContext({
        baseURL: server.url,
        viewport: SCREENS[screen],
        ...(screen === 'phone' && { hasTouch: true, isMobile: true }),
        colorScheme: theme,
        javaScriptEnabled: script,
        locale: language === 'hr' ? 'hr-HR' : 'en-GB',
        timezoneId: 'Europe/Zagreb',
        // Nothing moves: what is looked at has arrived.
        reducedMotion: 'reduce',
      })
      context.setDefaultTimeout(45_000)
      context.on('page', watch)
      const page = await context.newPage()
      const open = async (path: string) => {
        const answer = await page.goto(`/dashboard${path}`)
        if (answer?.status() !== 200) throw new Error(`${path}: ${answer?.status()}`)
      }
      return { page, context, open }
    },
  }
}

/** As Chromium wants it: the SHA-256 of the public key. */
function pinOf(dataDir: string): string {
  const { publicKey } = new X509Certificate(readFileSync(join(dataDir, 'tls', 'server.pem')))
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe-core has against a page (WCAG 2.2 AA and what it calls best practice), for people. The debugger puts it into
 * the page, which no content security policy is in the way of.
 * @param rule that one alone, such as what light and dark can change
 */
export async function barriers(page: Page, rule?: 'color-contrast'): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE)
  const { violations } = await page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const which = only
      ? { runOnly: { type: 'rule' as const, values: [only] } }
      : { rules: { 'target-size': { enabled: true } } }
    return axe.run({ resultTypes: ['violations'], preload: false, ...which })
  }, rule)
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${help}: ${html} ${why(any)}`),
  )
}

function why(checks: { message: string }[]): string {
  return checks.map(({ message }) => message).join('; ')
}

/** What stands out to the right, so that the page would have to be moved sideways, as it begins. */
export function overhangs(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const isOut = (element) => element.getBoundingClientRect().right > clientWidth + 1
    const out = [...document.body.querySelectorAll('*')].filter((element) => isOut(element) && ![...element.children].some(isOut))
    return ['wider than the screen by ' + (scrollWidth - clientWidth), ...out.map(({ outerHTML }) => outerHTML.slice(0, 150))]
  })()`)
}

/** What only a colour told, which the colours that somebody has chosen for all pages have taken away. */
export function lostInForcedColours(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const isFramed = (element) => {
      const { borderTopWidth, borderTopStyle, outlineStyle, outlineWidth } = getComputedStyle(element)
      return (borderTopStyle !== 'none' && borderTopWidth !== '0px') || (outlineStyle !== 'none' && outlineWidth !== '0px')
    }
    const keepsColours = (element) => getComputedStyle(element).forcedColorAdjust !== 'auto'
    const lacking = (selector, test) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility() && !test(element))
    return [...lacking('nav.side [aria-current], .tabs [aria-current], .range [aria-current], .pill, .notice', isFramed), ...lacking('.dot, .chart, .key svg', keepsColours)].map(({ outerHTML }) => outerHTML.slice(0, 120))
  })()`)
}

/** What stays in place while a page is moved, so that little of it is left to be read on a low screen. */
export function inTheWay(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const stays = (element) => !element.closest('.drop') && ['sticky', 'fixed'].includes(getComputedStyle(element).position) && element.checkVisibility()
    return [...document.body.querySelectorAll('*')].filter(stays).map(({ outerHTML }) => 'stays in place: ' + outerHTML.slice(0, 120))
  })()`)
}
