import { configDefaults, defineConfig } from 'vitest/config'
import { PATIENCE_MS } from './test/support/patience.ts'
import { postgresPrograms } from './test/support/postgres-cluster.ts'

/** What is stored and told of it, of a gateway: the same has to hold of a server on PostgreSQL. */
const ON_BOTH = [
  'test/api/*.test.ts',
  'test/contract/*.test.ts',
  'test/store/shared/{alerts,journal,turnover}.test.ts',
  'test/fiscal/alerts/{fleet-rule,mailing,number-rule,schedule-rule,rules,silence-rule}.test.ts',
  'test/sync/server/*.test.ts',
  'test/fiscal/closings/*.test.ts',
  'test/fiscal/machines/*.test.ts',
  'test/fiscal/lease.test.ts',
  'test/fiscal/mail/*.test.ts',
  'test/fiscal/access/{branding,failed-sign-ins,password-links,recovery-codes}.test.ts',
  'test/fiscal/doctor/{sale-blockers,service-health}.test.ts',
  'test/fiscal/gateways/{heartbeats,queue-commands}.test.ts',
  'test/fiscal/numbering/take-number.test.ts',
  'test/fiscal/office/*.test.ts',
  'test/fiscal/sales/expire.test.ts',
]

/**
 * What another database cannot change, for time is dear: forms of files and of texts, what is refused for its form, limits,
 * clocks, revocation lists and what the authority does. The tests of the doctor and of SQLite's own care change a file
 * behind the daemon; what PostgreSQL has instead is tested in `test/store/postgres/*.test.ts` and
 * `test/daemon/lifecycle/{several-processes,server-database}.test.ts`.
 */
const ON_SQLITE_ALONE = [
  'test/api/{admin-bounds,bounds,clock,false-dates,import-files,outage,revocation,unproven}.test.ts',
  'test/contract/{complete,data-formats,headers,limits,local-validation,sale-fields}.test.ts',
]

const canRunPostgres = postgresPrograms() !== undefined || process.env.FISKD_REQUIRE_TOOLS === '1'
if (!canRunPostgres) console.warn('PostgreSQL is not installed: the tests are skipped that run on it, too')

/**
 * Minutes of processes that are started, killed and attacked, and of a browser that walks about: nothing that somebody
 * waits for before each commit. `npm run test:long` runs these, one beside another.
 */
const LONG = [
  'test/chaos-sync/chaos-sync.test.ts',
  'test/hostile/*.test.ts',
  'test/bench/{peers,processor-time,server}.test.ts',
  'test/chaos/chaos.test.ts',
  'test/examples/firmware-trial.test.ts',
  'test/dashboard/{asking,every-page,fleet-walk,keyboard,paper,walk}.test.ts',
  'test/daemon/http/{hostile-answers,many-hostile-connections,hostile-sign-ins,hostile-uploads,slow-connections}.test.ts',
  'test/daemon/lifecycle/supervisor.test.ts',
  'test/receipts/printer/{interrupted-sales,interrupted}.test.ts',
  'test/fiscal/alerts/walk.test.ts',
  'test/cli/{init-machine,init-walk}.test.ts',
  'test/store/upgrade-crash.test.ts',
  'test/sync/{commands/trouble,gateway/line-limit}.test.ts',
  'test/api/docs/random-requests.test.ts',
  'test/firmware-trial/defects.test.ts',
]

/** What a project says for itself; what is said once for all, and on the command line, stands below. */
const inProject = (test: {
  name: string
  include: string[]
  exclude?: string[]
  env?: Record<string, string>
  testTimeout?: number
}) => ({
  test: {
    setupFiles: ['test/support/setup.ts'],
    // Some start several processes, and a shared machine may be slow: what hangs is still found.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    // Files share what a worker has loaded and the keys it has made; each test has a daemon and an authority of its own.
    isolate: false,
    ...test,
    exclude: [...configDefaults.exclude, ...(test.exclude ?? [])],
  },
})

const onSqlite = inProject({ name: 'sqlite', include: ['test/**/*.test.ts'], exclude: LONG })
const onPostgres = inProject({
  name: 'postgres',
  include: ON_BOTH,
  exclude: ON_SQLITE_ALONE,
  env: { FISKD_TEST_STORE: 'postgres' },
})
const long = inProject({ name: 'long', include: LONG, testTimeout: 600_000 })

export default defineConfig(({ mode }) => ({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // Two more than the cores of a small machine: many tests wait, for processes to start and for real time-outs. The long
    // ones load several processes each, and some compare how long things take.
    maxWorkers: mode === 'long' ? 2 : 4,
    projects: mode === 'long' ? [long] : [onSqlite, ...(canRunPostgres ? [onPostgres] : [])],
  },
}))
