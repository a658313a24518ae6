import { readVariables, type Variables } from '../machine/environment-file.ts'

/** Variables of the daemon, the locale and the time zone whose values are shown. Only their URLs may hold a secret. */
const SHOWN = new Set([
  ...['FISKD_ROLE', 'FISKD_DATA_DIR', 'FISKD_LISTEN', 'FISKD_SOCKET', 'FISKD_TLS_CERT', 'FISKD_TLS_KEY'],
  ...[
    'FISKD_CIS_TEST_URL',
    'FISKD_CIS_LIVE_URL',
    'FISKD_CIS_SHA1_ANSWERS',
    'FISKD_CIS_SIGNERS',
    'FISKD_TRUST_TEST',
    'FISKD_TRUST_LIVE',
    'FISKD_DEPLOYMENT_MODE',
  ],
  ...['FISKD_SWEEP_INTERVAL_S', 'FISKD_DISK_FLOOR_MB', 'FISKD_LOG_LEVEL', 'FISKD_DOCS_URL', 'FISKD_ENV_FILE'],
  ...['RATE_LIMIT_ENABLED', 'RATE_LIMIT_PER_MINUTE', 'RATE_LIMIT_IP_PER_MINUTE', 'RATE_LIMIT_AUTH_PER_15MIN'],
  ...['FISKD_SYNC_URL', 'FISKD_SYNC_MAX_KBPS', 'FISKD_RECEIPTS_URL', 'FISKD_RECEIPTS_LISTEN'],
  ...['FISKD_SHARED_DIR', 'FISKD_PROCESSES', 'FISKD_PROXIES', 'FISKD_TLS_NAMES', 'FISKD_CA_FILE', 'FISKD_MACHINE_ID'],
  ...['FISKD_ALERT_LANGUAGE', 'FISKD_LANGUAGE', 'FISKD_DASHBOARD_URL'],
  ...['FISKD_DATABASE_URL_FILE', 'FISKD_SMTP_URL_FILE', 'FISKD_CIS_PROXY_FILE'],
  ...['TZ', 'LANG', 'LC_ALL', 'LC_MESSAGES'],
])

const QUERY = /^([a-z][a-z0-9+.-]*:\/\/[^?#]*)[?#].*$/is

/** One line per variable. The value of an unknown variable is masked, because it may be a secret. */
export function settingsText(variables: Variables): string {
  const shown = ([name, value]: [string, string]) => (SHOWN.has(name) ? value.replace(QUERY, '$1?***') : '***')
  return Object.entries(variables)
    .map((setting) => `${setting[0]}=${shown(setting)}\n`)
    .join('')
}

/** What an environment file sets. Its comments, and lines that set nothing, may be anything too. */
export function settingsOfFile(text: string): string {
  return settingsText(readVariables(text)) || '(nothing is set)\n'
}
