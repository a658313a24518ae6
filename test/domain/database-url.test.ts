import { expect, test } from 'vitest'
import { describeDatabaseUrl, readDatabaseUrl, sslModeOf } from '../../src/domain/database-url.ts'

/** Hosts and ports, and what is meant by TLS for each. */
function understood(text: string) {
  const url = readDatabaseUrl(text)
  if (typeof url === 'string') return url
  return url.hosts.map(({ host, port }) => `${host}|${port}|${sslModeOf(host, url)}`)
}

test.each([
  ['postgres://u@db.example.hr/fiskd', 'db.example.hr||prefer'],
  ['postgres://u@127.0.0.1/fiskd', '127.0.0.1||disable'],
  ['postgres://u@[::1]:5433/fiskd', '::1|5433|disable'],
  ['postgresql://u@/fiskd?host=/run/postgresql&sslmode=require', '/run/postgresql||disable'],
  ['postgres://u@%2Frun%2Fpostgresql/fiskd', '/run/postgresql||disable'],
  ['postgres:///fiskd', '||disable'],
  ['postgres://u@a:1,b:2,[fe80::c]:3/fiskd', 'a|1|prefer', 'b|2|prefer', 'fe80::c|3|prefer'],
  ['postgres://u@a,b/fiskd?sslmode=verify-full&target_session_attrs=primary', 'a||verify-full', 'b||verify-full'],
  ['postgres://u@/fiskd?host=a,b&port=1,2', 'a|1|prefer', 'b|2|prefer'],
  ['postgres://u@ignored/fiskd?host=a,127.0.0.1&port=1', 'a|1|prefer', '127.0.0.1|1|disable'],
  ['postgres://u@a/fiskd?sslrootcert=system', 'a||verify-full'],
])('the hosts of %s, as libpq reads them', (text, ...hosts) => {
  expect(understood(text)).toEqual(hosts)
})

test('who connects is read as libpq does, from the place or from a parameter', () => {
  const login = { user: 'fi@skd', password: 'p:ä/?#', database: 'my db' }
  expect(readDatabaseUrl('postgres://fi%40skd:p:%C3%A4%2F%3F%23@a/my%20db')).toMatchObject(login)
  expect(readDatabaseUrl('postgres://a/my%20db?user=fi%40skd&password=p:%C3%A4%2F%3F%23')).toMatchObject(login)
})

const FORM = 'use postgres://USER:PASSWORD@HOST/DATABASE'

test.each([
  ['mysql://u:geheim@a/db', FORM],
  ['postgres://u:geheim@a', FORM],
  ['postgres://u:geheim@a/', FORM],
  ['postgres://u:geheim@a:port/db', FORM],
  ['postgres://u:geheim/1@a/db', 'write @ / ? # and % of a password as'],
  ['postgres://u:12/geheim?x@a/db', 'write @ / ? # and % of a password as'],
  ['postgres://u:geheim%@a/db', 'write @ / ? # and % of a password as'],
  ['postgres://u:geheim@a:70000/db', 'port in it has to be a number'],
  ['postgres://u:geheim@a,b,c/db?port=1,2', 'it has 3 hosts and 2 ports: give one port for all, or one for each'],
  ['postgres://u:geheim@a/db?gssencmode=disable', 'gssencmode in it is not supported, only host, port, user'],
  ['postgres://u:geheim@a,b/db?load_balance_hosts=random', 'load_balance_hosts in it is not supported'],
  ['postgres://u:geheim@a/db?channel_binding=require', 'channel_binding in it is not supported'],
  ['postgres://u:geheim@a/db?constructor=1', 'constructor in it is not supported'],
  ['postgres://u:geheim@a,b/db?target_session_attrs=prefer-standby', 'has to be one of any, read-write, primary'],
  ['postgres://u:geheim@a/db?sslmode=no-verify', 'sslmode in it has to be one of disable, allow, prefer, require'],
  ['postgres://u:geheim@a/db?sslmode=verify-ca', 'sslmode=verify-ca in it needs sslrootcert=FILE'],
  ['postgres://u:geheim@a/db?sslmode=require&sslrootcert=system', 'needs sslmode=verify-full'],
  ['postgres://u:geheim@a/db?sslcert=/c.pem', 'sslcert and sslkey in it go together'],
])('%s is refused, with what is wrong and without what it holds', (text, problem) => {
  expect(understood(text)).toContain(problem)
  expect(`${understood(text)} ${describeDatabaseUrl(text)}`).not.toMatch(/gehe|12/)
})

test.each([
  ['postgres://u:geheim@a:1,[::1]:2/db?password=geheim', 'postgres://a:1,[::1]:2/db'],
  ['postgres://u@/db?host=/run/postgresql&port=5433', 'postgres:///run/postgresql:5433/db'],
  ['mysql://u:geheim@a/db', 'mysql...'],
  ['geheim', '...'],
])('%s is described without what opens it', (text, described) => {
  expect(describeDatabaseUrl(text)).toBe(described)
})
