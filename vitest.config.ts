import { configDefaults, defineConfig } from 'vitest/config'
import { PATIENCE_MS } from './test/support/patience.ts'
import { postgresPrograms } from './test/support/postgres-cluster.ts'

/**
 * What PostgreSQL's SQL, locks or order can change, run a second time on a server that has it. All else runs on SQLite alone,
 * for time is dear: forms of requests, files and texts, limits, clocks, what the authority does, what only reads what these
 * have stored. PostgreSQL's own ways are tested in `test/store/postgres/*.test.ts` and
 * `test/daemon/lifecycle/{several-processes,server-database}.test.ts`.
 */
const ON_BOTH = [
  'test/api/{authority-requests,idempotent-posts,large-lists,lists,numbering,numbers-ahead,sale,sessions,status,sweep,tenants,trouble}.test.ts',
  'test/contract/{idempotency,invoice-list,vat-and-number}.test.ts',
  'test/store/shared/{alerts,audit,journal,turnover}.test.ts',
  'test/sync/server/{archived-messages,commands-routes,companies-of-tenants,enrolment,foreign-claims,half-applied}.test.ts',
  'test/sync/server/{identity,ingest,numbers-out-of-reach,operations,premises-of-others,released-premises,requests}.test.ts',
  'test/fiscal/access/{failed-sign-ins,password-links,recovery-codes}.test.ts',
  'test/fiscal/alerts/{fleet-rule,mailing,number-rule}.test.ts',
  'test/fiscal/{closings,machines,mail}/*.test.ts',
  'test/fiscal/doctor/service-health.test.ts',
  'test/fiscal/gateways/{heartbeats,queue-commands}.test.ts',
  'test/fiscal/lease.test.ts',
  'test/fiscal/numbering/take-number.test.ts',
  'test/fiscal/office/{export,fleet,invoice-list,money,revenue,sales-figures,search}.test.ts',
  'test/fiscal/sales/expire.test.ts',
  'test/receipt-pages/{refused,withdrawn}.test.ts',
]

const canRunPostgres = postgresPrograms() !== undefined || process.env.FISKD_REQUIRE_TOOLS === '1'
if (!canRunPostgres) console.warn('PostgreSQL is not installed: the tests are skipped that run on it, too')

/**
 * Minutes of processes that are started, killed and attacked, and of a browser that walks about: nothing that somebody
 * waits for before each commit. `npm run test:long` runs these, one beside another.
 */
const LONG = [
  'test/chaos-sync/{chaos-sync,ha}.test.ts',
  'test/hostile/*.test.ts',
  'test/bench/{peers,processor-time,server}.test.ts',
  'test/chaos/chaos.test.ts',
  'test/demo/demo.test.ts',
  'test/docs/typed-as-printed.test.ts',
  'test/examples/{c,firmware-trial,python,shell,typescript}.test.ts',
  'test/dashboard/{asking,every-page,fleet-pages,fleet-walk,keyboard,paper,walk}.test.ts',
  'test/daemon/http/{hostile-answers,many-hostile-connections,hostile-sign-ins,hostile-uploads,slow-connections}.test.ts',
  'test/daemon/lifecycle/{several-processes,supervisor}.test.ts',
  'test/daemon/backup-restore/{moved-database,rehearse-upgrade,restore-dump,restore-server}.test.ts',
  'test/receipts/printer/{faults,interrupted-sales,interrupted}.test.ts',
  'test/receipt-pages/phone.test.ts',
  'test/receipts/pdf/receipt-pdf.test.ts',
  'test/fiscal/alerts/walk.test.ts',
  'test/cli/{init-machine,init-server,init-walk,prepare-image}.test.ts',
  'test/package/{bundle,repository}.test.ts',
  'test/store/upgrade-crash.test.ts',
  'test/store/postgres/lost-sales.test.ts',
  'test/sync/{commands/trouble,gateway/line-limit,orders/every-order}.test.ts',
  'test/sync/gateway/{replacement,replacement-restored}.test.ts',
  'test/systemd/haproxy.test.ts',
  'test/api/docs/random-requests.test.ts',
  'test/firmware-trial/{around,defects,trial}.test.ts',
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
