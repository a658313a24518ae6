import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { beforeAll, describe, expect, test } from 'vitest'
import { syncOf } from '../../support/central-server.ts'
import { markdownFiles } from '../../support/documents.ts'
import { eventually } from '../../support/eventually.ts'
import { fisk } from '../../support/fisk.ts'
import { startEmptySharedGateway, startSharedGateway } from '../../support/gateway.ts'
import { pki } from '../../support/pki.ts'
import { startVirtualPrinterForFile } from '../../support/printer.ts'
import { inProject } from '../../support/stand-in.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { skipWithout } from '../../support/tools.ts'
import { program } from '../../support/whole-program.ts'
import { type Exposition, readExposition, unknownIn } from './exposition.ts'

const RULES = inProject('systemd/monitoring/fiskd.rules.yml')
const rules = readFileSync(RULES, 'utf8')
const dashboard = JSON.parse(readFileSync(inProject('systemd/monitoring/grafana-dashboard.json'), 'utf8'))

const ruleOf = (text: string) => ({
  name: /alert: (\w+)/.exec(text)?.[1] ?? '',
  expression: /expr: (.+)/.exec(text)?.[1] ?? '',
  severity: /severity: (\w+)/.exec(text)?.[1],
  summary: /summary: (.+)/.exec(text)?.[1] ?? '',
  description: /description: (.+)/.exec(text)?.[1] ?? '',
  runbook: /runbook_url: (.+)/.exec(text)?.[1] ?? '',
})
const alerts = rules
  .split(/(?=- alert: )/)
  .slice(1)
  .map(ruleOf)

interface Panel {
  title: string
  targets: { expr: string; legendFormat: string }[]
}
const panels = dashboard.panels as Panel[]
/** With what Grafana puts in. */
const expressionsOf = ({ targets }: Panel) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m'))

describe('real metrics', () => {
  let texts: string[]
  let known: Exposition
  beforeAll(async () => {
    texts = await scrapes()
    known = readExposition(...texts)
  })

  test.each(alerts)('have everything that $name names', ({ expression, summary, description }) => {
    expect(expression).not.toBe('')
    expect(unknownIn(expression, known)).toEqual([])
    const labels = [...`${summary} ${description}`.matchAll(/\$labels\.(\w+)/g)].map(([, label]) => String(label))
    const named = expression.match(/fiskd_\w+|\bup\b/g)?.flatMap((name) => [...(known.get(name)?.keys() ?? [])]) ?? []
    expect(labels.filter((label) => label !== 'instance' && !named.includes(label))).toEqual([])
  })

  test.each(panels)('have everything that the panel "$title" names', (panel) => {
    for (const expression of expressionsOf(panel)) expect(unknownIn(expression, known)).toEqual([])
    const legends = panel.targets.flatMap(({ legendFormat }) => [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)])
    const labels = new Set([...known.values()].flatMap((one) => [...one.keys()]))
    expect(legends.map(([, label]) => String(label)).filter((one) => one !== 'instance' && !labels.has(one))).toEqual(
      [],
    )
  })

  test('lack what is misspelt: a metric, a label, a value, a label to sum by', () => {
    expect(unknownIn('rate(fiskd_message_total[5m]) > 0', known)).toEqual(['fiskd_message_total'])
    expect(unknownIn('fiskd_invoices{state="failed"} > 0', known)).toEqual(['fiskd_invoices has no label state'])
    expect(unknownIn('fiskd_invoices{status=~"failed|lost"}', known)).toEqual(['fiskd_invoices has no status="lost"'])
    expect(unknownIn('sum by (mode) (fiskd_invoices)', known)).toEqual(['fiskd_invoices: no label mode'])
  })

  test.skipIf(skipWithout('promtool'))('are as promtool wants them, of a gateway and of a server', () => {
    for (const text of texts) {
      const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
      // prom-client has given three gauges of Node a name for counters; dashboards for Node know them by it.
      const ours = (stdout + stderr).split('\n').filter((line) => !/^nodejs_active_\w+_total non-counter/.test(line))
      expect(ours).toEqual([''])
    }
  })
})

/** Of a gateway that sold, failed and printed, and of the server that it reports to. */
async function scrapes(): Promise<string[]> {
  const gateway = await startSharedGateway()
  const server = await startEmptySharedGateway({ FISKD_ROLE: 'server' })
  const { token } = (await server.admin<{ token: string }>('/admin/gateways', { body: { name: 'kiosk' } })).body
  const enrolled = await gateway.admin('/admin/sync/enroll', { body: { url: server.url, token } })
  expect(enrolled.status, enrolled.text).toBe(200)
  const printer = await startVirtualPrinterForFile()
  const set = ['printer', 'set', 'machine', '--line', `serial:${printer.path}`, '--answer-timeout-ms', '5000']
  const { code, stderr } = await fisk(set, { socket: gateway.socketPath })
  expect([code, stderr]).toEqual([0, ''])
  const { id } = await gateway.sell()
  const printed = async () => (await gateway.v1(`/invoices/${id}`)).text
  await eventually(async () => expect(await printed()).toContain('"status":"printed"'))
  gateway.cis.misbehave({ error: 's001' })
  expect((await gateway.sell()).status).toBe('failed')
  await gateway.sweep()
  await eventually(async () => expect((await syncOf(gateway)).sync).toMatchObject({ waiting: 0, refused: 0 }))
  await server.sweep()
  return Promise.all([gateway, server].map(async (one) => (await one.admin('/metrics')).text))
}

describe.skipIf(skipWithout('promtool'))('promtool', () => {
  test('accepts the rules', () => {
    expect(execFileSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' })).toContain(
      `SUCCESS: ${alerts.length} rules found`,
    )
  })

  test('sees each alert come when it should and stay away when it should', async () => {
    expect(await tested((text) => text)).toEqual([0, expect.stringContaining('SUCCESS')])
  })

  test('would see a limit that was moved', async () => {
    expect(await tested((text) => text.replace('< 12 * 3600', '< 13 * 3600'))).toEqual([
      1,
      expect.stringContaining('FAILED'),
    ])
  })

  test('accepts the configuration that the document shows', async () => {
    const [, block = ''] = /```yaml\n([\s\S]*?)```/.exec(readFileSync(inProject('docs/monitoring.md'), 'utf8')) ?? []
    const dir = await tempDir()
    writeFileSync(join(dir, 'ca.pem'), pki.bundlePem)
    const here = block.replace('/usr/share/fiskd/monitoring/fiskd.rules.yml', RULES).replace('/var/lib/fiskd-ca', dir)
    writeFileSync(join(dir, 'prometheus.yml'), here)
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'config', join(dir, 'prometheus.yml')], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain('1 rule files found')
  })

  test('accepts each expression of the dashboard', async () => {
    const expressions = panels.flatMap(expressionsOf).map((expr) => expr.replaceAll('$instance', '.+'))
    const file = join(await tempDir(), 'dashboard.yml')
    const asRules = expressions.map((expr, i) => `      - { record: 'panel:${i}', expr: ${JSON.stringify(expr)} }`)
    writeFileSync(file, `groups:\n  - name: dashboard\n    rules:\n${asRules.join('\n')}\n`)
    expect(execFileSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })).toContain(
      `SUCCESS: ${expressions.length} rules found`,
    )
  })

  async function tested(change: (rules: string) => string): Promise<[number | null, string]> {
    const dir = await tempDir()
    writeFileSync(join(dir, 'fiskd.rules.yml'), change(rules))
    copyFileSync(inProject('test/systemd/monitoring/fiskd.rules.test.yml'), join(dir, 'test.yml'))
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'test.yml'], {
      cwd: dir,
      encoding: 'utf8',
    })
    return [status, stdout + stderr]
  }
})

test('the unit tests name every alert', () => {
  const text = readFileSync(inProject('test/systemd/monitoring/fiskd.rules.test.yml'), 'utf8')
  expect(
    alerts.filter(
      ({ name }) => !text.includes(name.replace(/^FiskdSales(Failed|Expired)$/, 'FiskdSales(Failed|Expired)')),
    ),
  ).toEqual([])
})

test.each(alerts)(
  '$name says how grave it is, what to type, and where to read on',
  ({ severity, description, runbook }) => {
    expect(['urgent', 'warning']).toContain(severity)
    const [, document = '', anchor = ''] = /^file:\/\/\/usr\/share\/doc\/fiskd\/([\w/.]+)#([\w-]+)$/.exec(runbook) ?? []
    expect(markdownFiles().find(({ path }) => path === document)?.anchors).toContain(anchor)
    const calls = [...description.matchAll(/\bfisk ([a-z-]+)(?: ([a-z-]+))?/g)]
    expect(calls.length > 0 || /\b(journalctl|timedatectl|df) /.test(description)).toBe(true)
    for (const [, first = '', second = ''] of calls) {
      const found = commandOf(program, first)
      expect(found, `fisk ${first}`).toBeDefined()
      if (found && found.commands.length > 0) expect(commandOf(found, second), `fisk ${first} ${second}`).toBeDefined()
    }
  },
)

const commandOf = (parent: Command, name: string) => parent.commands.find((command) => command.name() === name)
