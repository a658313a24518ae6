import { expect, test } from 'vitest'
import { notByHand } from '../../../src/daemon/lifecycle/started-by-hand.ts'

const everything = () => true
const nothing = () => false

test('fiskd that is typed where systemd runs it says what to type instead', () => {
  const said = notByHand({}, everything)
  expect(said).toContain('nothing was started')
  for (const command of ['fisk status', 'sudo systemctl start fiskd', 'sudo fisk doctor'])
    expect(said).toContain(command)
})

test('systemd starts it, and so does a person with a data directory of their own or without the package', () => {
  expect(notByHand({ NOTIFY_SOCKET: '/run/systemd/notify' }, everything)).toBeNull()
  expect(notByHand({ INVOCATION_ID: 'a' }, everything)).toBeNull()
  expect(notByHand({ FISKD_DATA_DIR: '/tmp/try' }, everything)).toBeNull()
  expect(notByHand({}, nothing)).toBeNull()
  expect(notByHand({}, (path) => path === '/run/systemd/system')).toBeNull()
})
