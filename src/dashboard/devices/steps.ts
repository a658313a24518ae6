import { formatMoney } from '../../domain/money.ts'
import { shownPeriod } from '../../domain/sale/closing-period.ts'
import type { CompanyCertificate } from '../../fiscal/doctor/status.ts'
import { type IsuStatus, LOCAL_GATEWAY } from '../../fiscal/ports/model.ts'
import { texts as companyTexts } from '../companies/texts.ts'
import { pathOf } from '../gateways/list.ts'
import { viewOfStandings } from '../gateways/standing-view.ts'
import { rowOf } from '../invoices/list-view.ts'
import { texts as invoiceTexts } from '../invoices/texts.ts'
import { type DashboardDeps, OPERATOR, type PageContext, type Pages } from '../page-routes.ts'
import { type AskedFile, deviceOf, seenOf } from './change.ts'
import { stepTexts } from './step-texts.ts'
import { taken, texts } from './texts.ts'

/** `none`: there is nothing to do. */
type State = 'done' | 'now' | 'sent' | 'later' | 'wrong' | 'unknown' | 'none'
type Text = keyof (typeof stepTexts)['hr']
type Form = 'register' | 'isu' | 'suspended' | 'archived' | 'receipts'
/** Without a state nothing here tells whether it is done; a form is what can be done in place. */
type Step = [Text, State?, (Form | undefined)?]

const NUMBERS = {
  assigned: ['registered', 'done', 'isu'],
  pending: ['register', 'now', 'register'],
  mismatch: ['mismatch', 'wrong', 'isu'],
} satisfies Record<IsuStatus, Step>

/** The steps until a device sells; what comes after the first one to do is for later. */
export function setUpSteps({ device, company }: AskedFile, certificate: CompanyCertificate): Step[] {
  const { isuStatus, status, lastSuccessAt } = device
  const lacks = { missing: 'companyNoCertificate', expired: 'companyExpired', valid: null, expiring: null } as const
  const why = company.status === 'active' ? lacks[certificate.status] : 'companyOff'
  const steps: Step[] = [
    why === null ? ['companyDone', 'done'] : [why, 'now'],
    NUMBERS[isuStatus],
    [status, status === 'active' ? 'done' : 'now'],
    lastSuccessAt === null ? ['firstSale', 'now'] : ['sold', 'done'],
  ]
  const next = steps.findIndex(([, state]) => state !== 'done')
  return steps.map(([text, state = 'now', form], i) => [text, state === 'now' && i > next ? 'later' : state, form])
}

export const GUIDES = ['stolen', 'moved', 'sold', 'replaced'] as const
const LATEST = 5

/** What is to be done with a device that was stolen, moved, sold or replaced, step by step. */
export function guidePages(pages: Pages, deps: DashboardDeps): void {
  for (const guide of GUIDES)
    pages.get(`/devices/:id/${guide}`, OPERATOR, async (context) => {
      const { principal, language } = context
      const [t, invoices] = [texts[language], invoiceTexts[language]]
      const file = await deviceOf(deps, context)
      const { device, company } = file
      const { items } = await deps.v1.listInvoices(principal, { deviceId: device.id }, { limit: LATEST })
      const { steps, facts } = await guidesOf(deps, context, file)
      const back = `/dashboard/devices/${device.id}/${guide}`
      return context.show('devices/steps', {
        title: `${device.label}: ${t.guides[guide]}`,
        crumb: { href: `/dashboard/devices/${device.id}`, text: device.label },
        shownMode: company.mode,
        t,
        ...file,
        back,
        steps: viewOfSteps(steps[guide], facts, context),
        seen: seenOf(file.asked),
        typedIsu: '',
        errors: {},
        invoices,
        recent: items.map((invoice) => rowOf(invoice, new Map(), invoices)),
        standing: viewOfStandings(file.standings, context, back),
      })
    })
}

/** The steps of each guide, and what their texts name. */
async function guidesOf({ admin, office }: DashboardDeps, context: PageContext, file: AskedFile) {
  const { principal, language, f } = context
  const t = texts[language]
  const { device, company, gateway, asked } = file
  const machine = await office.machines.look(principal, file)
  const sold = await office.machines.sinceClosing(principal, file)
  const keys = context.may('admin') && principal.companyIds === null ? await admin.listApiKeys(principal) : null
  const valid = keys?.filter(({ revokedAt }) => revokedAt === null) ?? []
  const bound = valid.filter(({ deviceId }) => deviceId === device.id)
  const loose = valid.filter(
    ({ deviceId, mode, scopes }) => deviceId === null && mode === company.mode && scopes.includes('invoices:write'),
  )
  const named = (some: typeof bound) => some.map(({ id, name }) => name ?? id).join(', ') || t.empty
  const { inUse } = await office.fleet.findCompany(principal, company.id)
  const certificate = inUse.find(({ gatewayId }) => gatewayId === device.gatewayId)
  const others = inUse.filter((one) => one !== certificate && one.serial === certificate?.serial)
  const elsewhere = others.filter(({ gatewayId }) => gatewayId !== LOCAL_GATEWAY).length
  const facts = {
    ...factsOf(file, context),
    bound: named(bound),
    loose: named(loose),
    serial: certificate?.serial,
    others: companyTexts[language].usedBy(elsewhere, others.length > elsewhere),
    waiting: f.count(machine.waiting),
    sales: f.count(sold.sales),
    cash: f.money(formatMoney(sold.cash)),
    since:
      sold.since === null ? t.sinceEver : t.sinceClosing(shownPeriod({ unit: 'day', starts: sold.since }, language)),
  }

  const done = (isDone: boolean, isSent = false): State => (isDone ? 'done' : isSent ? 'sent' : 'now')
  // A silent gateway may have sold meanwhile.
  const ifHeard = (text: Text, isDone: boolean): Step => [
    text,
    isDone && machine.health.can === 'unknown' ? 'unknown' : done(isDone),
  ]
  const isNumberSent = asked.isuNumber !== device.isuNumber
  const hasKeys = bound.length + loose.length > 0
  const suspend: Step = ['suspend', done(device.status !== 'active', asked.status !== 'active'), 'suspended']
  const own: Step = keys === null ? ['keysOfOthers'] : hasKeys ? ['keys', 'now'] : ['noKeys', 'done']
  const key: Step = gateway === null ? own : ['keysOfGateway']
  const computer: Step[] = gateway === null ? [] : [['computer']]
  const steps: Record<(typeof GUIDES)[number], Step[]> = {
    stolen: [
      suspend,
      key,
      ...computer,
      gateway === null ? ['certificateHere', 'done'] : certificate ? ['certificate'] : ['certificateNone', 'done'],
      ['close'],
      ['receipts', 'none', 'receipts'],
      ['cash', 'none'],
    ],
    moved: [
      ['address'],
      ['reopen'],
      device.isuStatus === 'assigned' && !isNumberSent
        ? ['newIsu', 'unknown', 'isu']
        : ['noIsu', done(false, isNumberSent), 'isu'],
      ['hours'],
    ],
    sold: [
      suspend,
      ifHeard('waiting', machine.waiting === 0),
      ifHeard('closed', sold.sales === 0),
      ['cash', 'none'],
      key,
      ...computer,
      ['close'],
      ['archive', done(device.status === 'archived', asked.status === 'archived'), 'archived'],
    ],
    replaced: gateway === null ? [['newMachine'], key] : [['newComputer'], ['newMachine'], key],
  }
  return { steps, facts }
}

export function factsOf({ device, company, gateway }: AskedFile, { language, f }: PageContext) {
  const t = texts[language]
  return {
    isu: device.isuNumber ?? t.empty,
    premises: device.premisesCode,
    address: device.premisesAddress ?? t.empty,
    lastJir: device.lastSuccessAt === null ? t.never : f.inText(device.lastSuccessAt),
    oib: company.oib,
    gateway,
    taken: taken(gateway)[language],
    id: device.id,
    company: company.id,
    mode: company.mode,
    owner: pathOf(gateway ?? ''),
  }
}

const KINDS = { done: 'ok', now: 'warn', sent: 'warn', wrong: 'bad', later: 'plain', unknown: 'plain' } as const
const FACT = /\{(\w+)\}/g
const LINK = /\[([^\]]+)\]\(([^)]+)\)/

/** Steps in words: `parts` are a text, the words of a link, its address, the next text, and so on. */
export function viewOfSteps(
  steps: readonly Step[],
  facts: Record<string, string | null | undefined>,
  { language }: PageContext,
) {
  const t = texts[language]
  const filled = (part: string) => part.replace(FACT, (_all, name: string) => facts[name] ?? '')
  return steps.map(([text, state = 'unknown', form]) => ({
    // Facts may have anything in them: links are those of the text alone.
    parts: stepTexts[language][text].split(LINK).map(filled),
    mark: state === 'none' ? null : { kind: KINDS[state], text: t.stepStates[state] },
    form,
  }))
}
