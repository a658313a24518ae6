import * as Type from 'typebox'
import { Nullable, Titled } from '../common.ts'

/** What `fisk firmware-trial` hands over to the program that does the trial. */
export const TrialOrderSchema = Type.Object({
  command: Nullable(Type.Array(Type.String(), { description: 'The firmware; null: a person presses the buttons' })),
  scenarios: Type.Array(Type.String(), { description: 'Names; empty: all' }),
  list: Type.Boolean({ description: 'Only say which scenarios there are' }),
  listen: Nullable(
    Type.Object(
      { host: Type.String(), port: Type.Integer() },
      { description: 'One fixed address for all scenarios, one after another; port 0: any free one' },
    ),
  ),
  patience_ms: Type.Integer({ description: 'How long a firmware may do nothing before the trial goes on' }),
  junit: Nullable(Type.String({ description: 'Path of the JUnit XML file' })),
  json: Type.Boolean(),
  verbose: Type.Boolean(),
  progress: Type.Boolean({ description: 'Standard error is a terminal' }),
  fiskd: Type.String({ description: 'The program of the daemon' }),
  version: Type.String(),
})
export type TrialOrder = Type.Static<typeof TrialOrderSchema>

const Finding = Titled('Finding', {
  rule: Type.String({ description: 'Its name never changes' }),
  sale: Nullable(Type.String({ description: 'The word that names the sale' })),
  expected: Type.String(),
  seen: Type.String(),
  document: Type.String({ description: 'The section of docs/firmware.md' }),
  chapter: Type.String({ description: 'A chapter of the interface between machine and fiskd' }),
  request_ids: Type.Array(Type.String()),
})
export type Finding = Type.Static<typeof Finding>

const Request = Titled('TrialRequest', {
  at_ms: Type.Integer({ description: 'Since the beginning of the scenario' }),
  sale: Nullable(Type.String()),
  method: Type.String(),
  path: Type.String(),
  idempotency_key: Nullable(Type.String()),
  request_id: Type.String(),
  status: Nullable(Type.Integer({ description: 'What the firmware was answered; null: nothing' })),
  note: Type.String({ description: 'What was done to the request or its answer' }),
})

const ScenarioResult = Titled('ScenarioResult', {
  name: Type.String(),
  title: Type.String(),
  passed: Type.Boolean(),
  not_judged: Nullable(Type.String({ description: 'Why its own rule was not looked at' })),
  duration_ms: Type.Integer(),
  findings: Type.Array(Finding),
  advice: Type.Array(
    Type.Object({ code: Type.String({ description: 'As in `findings` of an invoice' }), text: Type.String() }),
    { description: 'What the tax authority would find in the sales; no rule is broken' },
  ),
  requests: Type.Array(Request),
  log: Type.Array(Type.String(), { description: 'The last lines of the firmware' }),
})
export type ScenarioResult = Type.Static<typeof ScenarioResult>

/** What `fisk firmware-trial --json` prints. */
export const TrialReportSchema = Titled('TrialReport', {
  object: Type.Literal('firmware_trial'),
  passed: Type.Boolean(),
  version: Type.String({ description: 'Of fiskd' }),
  started_at: Type.String(),
  duration_ms: Type.Integer(),
  command: Nullable(Type.Array(Type.String())),
  scenarios: Type.Array(ScenarioResult),
})
export type TrialReport = Type.Static<typeof TrialReportSchema>
